// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/source/text_window.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace lanelab {

bool TextWindow::more() {
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

/// Moves no more bytes than were dropped since the last time, or doubles the room.
void TextWindow::makeRoom() {
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

}  // namespace lanelab
