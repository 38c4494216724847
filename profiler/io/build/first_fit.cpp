// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/first_fit.h"

#include <algorithm>

namespace lanelab {

bool FirstFit::Row::take(const Span& span) {
  if (span.start < last) return false;
  last = span.start;  // of a span that is refused, too: what ended before it is forgotten
  nesting.closeUntil(span.start);
  if (!nesting.fits(span)) return false;
  nesting.open(span);
  return true;
}

std::size_t FirstFit::rowOf(const Span& span) {
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

}  // namespace lanelab
