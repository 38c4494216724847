// SPDX-License-Identifier: GPL-3.0-only
// Lays spans that overlap out on rows on which they nest, as trace viewers demand.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

/// Spans of a row that are open at the current start, the innermost last.
class Nesting {
 public:
  void closeUntil(Nanoseconds start) {
    while (!m_ends.empty() && m_ends.back() <= start) m_ends.pop_back();
  }
  bool isOpen() const { return !m_ends.empty(); }
  bool fits(const Span& span) const { return m_ends.empty() || m_ends.back() >= span.end; }
  void open(const Span& span) { m_ends.push_back(span.end); }

 private:
  std::vector<Nanoseconds> m_ends;
};

/// First fit: each span goes to the first row on which it lies beside or inside the others. Spans come by start, the
/// longer first; one that comes later than its turn goes to a row that has none behind it.
class FirstFit {
 public:
  /// The span's row, from 0.
  std::size_t rowOf(const Span& span) {
    for (std::size_t row = 0; row < std::min(kTried, m_rows.size()); ++row)
      if (m_rows[row].take(span)) return row;
    if (m_rows.size() < kTried) {
      m_rows.emplace_back().take(span);
      return m_rows.size() - 1;
    }
    std::size_t row = m_rows.size();
    if (!m_later.empty() && m_later.top().first <= span.start) {
      row = m_later.top().second;
      m_later.pop();
    } else {
      m_rows.emplace_back();
    }
    m_later.emplace(span.end, row);
    return row;
  }

  std::size_t rowCount() const { return m_rows.size(); }

 private:
  struct Row {
    Nesting nesting;
    Nanoseconds last = std::numeric_limits<Nanoseconds>::min();  ///< start
    bool take(const Span& span) {
      if (span.start < last) return false;
      last = span.start;  // of a span that is refused, too: what ended before it is forgotten
      nesting.closeUntil(span.start);
      if (!nesting.fits(span)) return false;
      nesting.open(span);
      return true;
    }
  };
  /// Only so many rows are tried one by one. A later row takes one span after another, the one that is free for longest
  /// first, so that even a million overlaps take no time.
  static constexpr std::size_t kTried = 64;
  using FreeRow = std::pair<Nanoseconds, std::size_t>;

  std::vector<Row> m_rows;
  std::priority_queue<FreeRow, std::vector<FreeRow>, std::greater<>> m_later;  ///< by end of its last span
};

}  // namespace lanelab
