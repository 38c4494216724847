// SPDX-License-Identifier: GPL-3.0-only
// Which spans of a track lie in a row.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ui/timeline/model/shared_list.h"

namespace lanelab {

/// The first of the positions from `from` to before `to` for which `before` does not hold, `to` if there is none.
template <class Before>
std::size_t firstNot(std::size_t from, std::size_t to, const Before& before) {
  while (from < to) {
    const std::size_t middle = from + (to - from) / 2;
    if (before(middle))
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

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
  /// The first position at or after `from` whose span is `span` or a later one; size() if there is none.
  std::size_t firstFrom(std::uint32_t span, std::size_t from = 0) const {
    if (m_listed.empty()) return std::min<std::size_t>(std::max<std::size_t>(span, from), m_first);
    return firstNot(from, size(), [&](std::size_t position) { return m_listed[position] < span; });
  }

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
