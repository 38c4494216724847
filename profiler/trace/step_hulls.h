// SPDX-License-Identifier: GPL-3.0-only
// Hulls of spans by step number.
#pragma once

#include <algorithm>
#include <map>

#include "profiler/trace/span.h"

namespace lanelab {

/// Spans without a step belong to none.
class StepHulls {
 public:
  void add(int step, TimeRange range) {
    if (step < 0) return;
    // Spans of a step follow each other, so most find theirs at once.
    if (m_place == m_hulls.end() || m_place->first != step) m_place = m_hulls.try_emplace(step, range).first;
    m_place->second = {std::min(m_place->second.start, range.start), std::max(m_place->second.end, range.end)};
  }
  std::map<int, TimeRange>& hulls() { return m_hulls; }

 private:
  std::map<int, TimeRange> m_hulls;
  std::map<int, TimeRange>::iterator m_place = m_hulls.end();
};

}  // namespace lanelab
