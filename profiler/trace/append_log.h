// SPDX-License-Identifier: GPL-3.0-only
// A log of values in chunks that never move: one writer thread appends, one reader at a time takes what came since and
// frees what it has taken whole.
//
// The writer publishes each value by a release store of the count; a reader that loads the count sees all values below
// it, and that the writer has left every chunk before the last of them. So neither side waits for the other.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

namespace lanelab {

template <class T>
requires std::is_trivially_copyable_v<T>
class AppendLog {
 public:
  static constexpr std::size_t kChunkValues = 512;

  AppendLog() = default;
  ~AppendLog() {
    for (Chunk* chunk = m_reading != nullptr ? m_reading : m_first.load(std::memory_order_relaxed); chunk != nullptr;) {
      Chunk* const next = chunk->next;
      delete chunk;
      chunk = next;
    }
  }

  AppendLog(const AppendLog&) = delete;
  AppendLog& operator=(const AppendLog&) = delete;

  /// The writer thread. Wait-free apart from an allocation every kChunkValues values.
  void append(const T& value) {
    const std::size_t count = m_count.load(std::memory_order_relaxed);
    if (count % kChunkValues == 0) grow();
    ::new (static_cast<void*>(m_last->storage + (count % kChunkValues) * sizeof(T))) T(value);
    m_count.store(count + 1, std::memory_order_release);
  }

  /// Any thread; of all that was ever appended.
  std::size_t size() const { return m_count.load(std::memory_order_acquire); }
  /// The reader: puts the next values into `out`, a chunk of them at most; none when it has all that size() counted
  /// when it began.
  bool take(std::vector<T>& out) {
    const std::size_t count = size();
    out.clear();
    if (m_taken == count) return false;
    if (m_reading == nullptr) {
      m_reading = m_first.load(std::memory_order_relaxed);
    } else if (m_taken % kChunkValues == 0) {
      Chunk* const next = m_reading->next;
      delete m_reading;
      m_reading = next;
    }
    const std::size_t first = m_taken % kChunkValues;
    const std::size_t last = std::min(kChunkValues, first + (count - m_taken));
    out.assign(m_reading->at(first), m_reading->at(0) + last);
    m_taken += last - first;
    return true;
  }
  /// The reader: gives all that size() counts now to `visit`, a chunk of them at a time. A writer that is faster than
  /// this does not hold it up for ever.
  template <class Visit>
  void takeAll(const Visit& visit) {
    std::vector<T> fresh;
    for (std::size_t open = size() - m_taken; open > 0 && take(fresh); open -= std::min(open, fresh.size()))
      visit(fresh);
  }

  /// The reader; memory of what the log still holds.
  std::size_t bytes() const {
    const std::size_t made = (size() + kChunkValues - 1) / kChunkValues;
    const std::size_t freed = m_taken == 0 ? 0 : (m_taken - 1) / kChunkValues;
    return sizeof *this + (made - freed) * sizeof(Chunk);
  }

 private:
  struct Chunk {
    Chunk* next = nullptr;  ///< set before the first value behind it is published
    alignas(T) std::byte storage[kChunkValues * sizeof(T)];
    T* at(std::size_t index) { return std::launder(reinterpret_cast<T*>(storage)) + index; }
  };

  void grow() {
    // Default-initialised on purpose: zeroing 24 KiB would show up as a pause of the writer.
    Chunk* const chunk = new Chunk;
    if (m_last == nullptr) {
      m_first.store(chunk, std::memory_order_relaxed);
    } else {
      m_last->next = chunk;
    }
    m_last = chunk;
  }

  std::atomic<Chunk*> m_first{nullptr};  ///< the very first, which the reader may have freed since
  Chunk* m_last = nullptr;               ///< the writer's
  std::atomic<std::size_t> m_count{0};
  Chunk* m_reading = nullptr;  ///< the reader's, as what follows; null until it took something
  std::size_t m_taken = 0;
};

}  // namespace lanelab
