// An append-only log of spans in chunks that never move: one writer thread, any number of readers.
//
// The writer publishes each span by a release store of the count; a reader that loads the count sees all spans below it. Nothing is ever
// moved or freed while the log lives, so neither side waits for the other.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

class SpanLog {
 public:
  SpanLog() = default;
  ~SpanLog();
  SpanLog(const SpanLog&) = delete;
  SpanLog& operator=(const SpanLog&) = delete;

  void append(const Span& span);                                                ///< the writer thread
  std::size_t size() const { return m_count.load(std::memory_order_acquire); }  ///< any thread
  void copyTo(std::vector<Span>& out, std::size_t from, std::size_t to) const;  ///< any thread; to <= a size() seen by this thread

 private:
  static constexpr std::size_t chunkSpans = 1024;
  struct Chunk {
    Chunk* next = nullptr;  ///< set before the first span behind it is published
    alignas(Span) std::byte storage[chunkSpans * sizeof(Span)];
    Span* at(std::size_t index) { return std::launder(reinterpret_cast<Span*>(storage)) + index; }
    const Span* at(std::size_t index) const { return std::launder(reinterpret_cast<const Span*>(storage)) + index; }
  };

  void grow();

  std::atomic<Chunk*> m_first{nullptr};
  Chunk* m_last = nullptr;  ///< the writer's
  std::atomic<std::size_t> m_count{0};
};

}  // namespace lanelab
