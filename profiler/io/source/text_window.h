// SPDX-License-Identifier: GPL-3.0-only
// The part of a text from a ByteSource that is being looked at.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
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
  void takeBack(std::size_t count) {
    m_begin -= count;
    m_dropped -= count;
  }
  std::size_t dropped() const { return m_dropped; }

  /// More text behind what there is; false at the end. Views become invalid. Throws std::bad_alloc.
  bool more();
  /// Whether there are at least `count` bytes, reading as needed.
  bool holds(std::size_t count) {
    while (m_end - m_begin < count)
      if (!more()) return false;
    return true;
  }

 private:
  void makeRoom();

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
