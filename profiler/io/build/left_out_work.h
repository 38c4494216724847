// SPDX-License-Identifier: GPL-3.0-only
// Work of GPUs that an import leaves out, and the arrows that end at it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// Where work was left out: by row, under any numbers that the caller gives rows.
class LeftOutWork {
 public:
  void add(std::uint64_t row, TimeRange range) { m_ranges[row].push_back(range); }
  /// Takes the ends of arrows at that work out of `imported`, and arrows that have no begin or no end any more as a
  /// whole; these are counted in its problems (flow_of_left_out_work). n log n in the work and the ends.
  void removeArrows(ImportedTrace& imported, const std::function<std::uint64_t(const ImportedFlowEnd&)>& row_of) &&;

 private:
  void join();
  bool holds(std::uint64_t row, Nanoseconds time) const;

  std::map<std::uint64_t, std::vector<TimeRange>> m_ranges;
};

}  // namespace lanelab
