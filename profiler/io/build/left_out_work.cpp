// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/left_out_work.h"

#include <algorithm>

namespace lanelab {

void LeftOutWork::removeArrows(ImportedTrace& imported,
                               const std::function<std::uint64_t(const ImportedFlowEnd&)>& row_of) && {
  if (m_ranges.empty()) return;
  join();
  std::vector<ImportedFlowEnd>& ends = imported.flow_ends;
  std::size_t kept = 0;
  for (std::size_t first = 0; first < ends.size();) {
    const std::uint32_t flow = ends[first].flow;
    const std::size_t begin = kept;
    bool starts = false, finishes = false;
    std::size_t last = first;
    for (; last < ends.size() && ends[last].flow == flow; ++last) {
      if (holds(row_of(ends[last]), ends[last].time)) continue;
      starts = starts || ends[last].phase == 's';
      finishes = finishes || ends[last].phase == 'f';
      ends[kept++] = ends[last];
    }
    if (kept - begin < last - first && !(starts && finishes)) {
      kept = begin;
      --imported.counts.flows;
      ++imported.counts.problems["flow_of_left_out_work"];
    }
    first = last;
  }
  ends.resize(kept);
}

/// Sorts the ranges of each row and joins those that touch, so that one look-up finds whether one holds a time. A range
/// without length holds its start.
void LeftOutWork::join() {
  for (auto& [row, ranges] : m_ranges) {
    std::ranges::sort(ranges, {}, &TimeRange::start);
    std::size_t kept = 0;
    for (TimeRange range : ranges) {
      range.end = std::max(range.end, range.start + 1);
      if (kept > 0 && range.start <= ranges[kept - 1].end) {
        ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
      } else {
        ranges[kept++] = range;
      }
    }
    ranges.resize(kept);
  }
}

bool LeftOutWork::holds(std::uint64_t row, Nanoseconds time) const {
  const auto found = m_ranges.find(row);
  if (found == m_ranges.end()) return false;
  const auto later = std::ranges::upper_bound(found->second, time, {}, &TimeRange::start);
  return later != found->second.begin() && time < std::prev(later)->end;
}

}  // namespace lanelab
