// SPDX-License-Identifier: GPL-3.0-only
// A log of spans in chunks that never move: one writer thread appends, one reader at a time takes what came since and
// frees what it has taken whole.
//
// The writer publishes each span by a release store of the count; a reader that loads the count sees all spans below
// it, and that the writer has left every chunk before the last of them. So neither side waits for the other.
#pragma once

#include <atomic>
#include <cstddef>
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

  void append(const Span& span);  ///< the writer thread
  /// Any thread; of all that was ever appended.
  std::size_t size() const { return m_count.load(std::memory_order_acquire); }
  /// The reader: puts the next spans into `out`, a chunk of them at most; none when it has all that size() told when it
  /// began.
  bool take(std::vector<Span>& out);
  std::size_t bytes() const;  ///< the reader; memory of what the log still holds

 private:
  static constexpr std::size_t kChunkSpans = SpanColumns::kChunkSpans;
  struct Chunk {
    Chunk* next = nullptr;  ///< set before the first span behind it is published
    alignas(Span) std::byte storage[kChunkSpans * sizeof(Span)];
    Span* at(std::size_t index) { return std::launder(reinterpret_cast<Span*>(storage)) + index; }
  };

  void grow();

  std::atomic<Chunk*> m_first{nullptr};  ///< the very first, which the reader may have freed since
  Chunk* m_last = nullptr;               ///< the writer's
  std::atomic<std::size_t> m_count{0};
  Chunk* m_reading = nullptr;  ///< the reader's, as what follows; null until it took something
  std::size_t m_taken = 0;
};

}  // namespace lanelab
