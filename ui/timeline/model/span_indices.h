// SPDX-License-Identifier: GPL-3.0-only
// Which spans of a track lie in a row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "ui/timeline/model/shared_list.h"

namespace lanelab {

/// Ascending places in Track::spans. As long as they are simply the first ones they take no memory, afterwards 4 bytes
/// each.
class SpanIndices {
 public:
  std::size_t size() const { return m_listed.empty() ? m_first : m_listed.size(); }
  bool empty() const { return size() == 0; }
  std::uint32_t operator[](std::size_t position) const {
    return m_listed.empty() ? static_cast<std::uint32_t>(position) : m_listed[position];
  }
  std::uint32_t back() const { return (*this)[size() - 1]; }
  /// The first position at or after `from` whose span is `span` or a later one; size() where there is none.
  std::size_t firstFrom(std::uint32_t span, std::size_t from = 0) const {
    if (m_listed.empty()) return std::min<std::size_t>(std::max<std::size_t>(span, from), m_first);
    std::size_t to = size();
    while (from < to) {
      const std::size_t middle = from + (to - from) / 2;
      if (m_listed[middle] < span)
        from = middle + 1;
      else
        to = middle;
    }
    return from;
  }
  /// Whether the row is the first size() spans of its track.
  bool areTheFirst() const { return m_listed.empty(); }

  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = std::uint32_t;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = std::uint32_t;

    Iterator(const SpanIndices& indices, std::size_t position) : m_indices(&indices), m_position(position) {}
    std::uint32_t operator*() const { return (*m_indices)[m_position]; }
    Iterator& operator++() { return ++m_position, *this; }
    Iterator operator++(int) { return {*m_indices, m_position++}; }
    bool operator==(const Iterator& other) const { return m_position == other.m_position; }

   private:
    const SpanIndices* m_indices;
    std::size_t m_position;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

  void push_back(std::uint32_t span) {
    if (m_listed.empty() && span == m_first) {
      ++m_first;
      return;
    }
    if (m_listed.empty()) {
      for (std::uint32_t first = 0; first < m_first; ++first) m_listed.push_back(first);
    }
    m_listed.push_back(span);
  }
  /// Drops the spans from `span` on.
  void dropFrom(std::uint32_t span) {
    std::size_t kept = size();
    while (kept > 0 && (*this)[kept - 1] >= span) --kept;
    m_listed.truncate(kept);
    if (m_listed.empty()) m_first = std::min(m_first, static_cast<std::uint32_t>(kept));
  }

 private:
  std::uint32_t m_first = 0;  ///< how many, while nothing is listed
  SharedList<std::uint32_t> m_listed;
};

}  // namespace lanelab
