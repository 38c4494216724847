// SPDX-License-Identifier: GPL-3.0-only
// The part of a text from a ByteSource that is being looked at.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

#include "profiler/io/source/byte_source.h"

namespace lanelab {

/// Text is dropped at the front and read at the back. It takes the memory of what is held at once, not more.
class TextWindow {
 public:
  /// `source` must outlive the window; `padding` bytes behind the text may always be read.
  TextWindow(ByteSource& source, std::size_t padding) : m_source(source), m_padding(padding) {}

  std::string_view text() const { return {m_bytes.get() + m_begin, m_end - m_begin}; }
  /// Bytes from `at` on, with those behind the text that may be read over.
  std::size_t readableFrom(const char* at) const {
    return static_cast<std::size_t>(m_bytes.get() + m_size + m_padding - at);
  }
  void drop(std::size_t count) {
    m_begin += count;
    m_dropped += count;
  }
  /// Right behind drop(), before more().
  void putBack(std::size_t count) {
    m_begin -= count;
    m_dropped -= count;
  }
  std::size_t dropped() const { return m_dropped; }

  /// More text behind what there is; false at the end. Views become invalid. Throws std::bad_alloc.
  bool more() {
    constexpr std::size_t kLeast = 1U << 15U;
    constexpr std::size_t kMost = 1U << 18U;
    if (m_ended) return false;
    if (m_begin == m_end) m_begin = m_end = 0;
    if (m_size - m_end < kLeast) makeRoom();
    const std::size_t count = m_source.read(m_bytes.get() + m_end, std::min(m_size - m_end, kMost));
    m_end += count;
    m_ended = count == 0;
    return !m_ended;
  }

  /// Whether there are at least `count` bytes, reading as needed.
  bool holds(std::size_t count) {
    while (m_end - m_begin < count)
      if (!more()) return false;
    return true;
  }

 private:
  /// Moves no more bytes than were dropped since the last time, or doubles the room.
  void makeRoom() {
    constexpr std::size_t kFirst = 1U << 18U;
    const std::size_t held = m_end - m_begin;
    if (m_begin > 0) std::memmove(m_bytes.get(), m_bytes.get() + m_begin, held);
    m_begin = 0;
    m_end = held;
    if (m_size > 0 && held <= m_size / 2) return;
    const std::size_t size = std::max(kFirst, m_size * 2);
    // Grows in place where it can, unlike a vector, and pages that nothing was read into take no memory.
    void* const bytes = std::realloc(m_bytes.get(), size + m_padding);
    if (bytes == nullptr) throw std::bad_alloc();
    [[maybe_unused]] const char* const moved = m_bytes.release();
    m_bytes.reset(static_cast<char*>(bytes));
    m_size = size;
  }

  struct Free {
    void operator()(char* bytes) const { std::free(bytes); }
  };

  ByteSource& m_source;
  std::size_t m_padding;
  std::unique_ptr<char, Free> m_bytes;  ///< m_size and the padding
  std::size_t m_size = 0;
  std::size_t m_begin = 0;
  std::size_t m_end = 0;
  std::size_t m_dropped = 0;
  bool m_ended = false;
};

}  // namespace lanelab
