// SPDX-License-Identifier: GPL-3.0-only
// Statistics of the spans of a trace: how many there are of each name, block, lane and so on, and how long they take.
//
// Time is inclusive, as in other profilers: that of an action contains its blocks, that of a block its operators. It
// counts once all the same: `total` is the time in which at least one span of the group was open, row by row, so spans
// within spans of the same group add nothing to it. `self` is the part of it in which no other counted span was open
// within; each moment of a row belongs to its innermost span alone, so the self times of all groups add up to
// SpanStatistics::all.total exactly, and so do their totals where no group is within another.
//
// Count, mean, median, p95 and longest are of all spans of the group, those within others of it, too. A span that the
// range cuts counts with the part inside. Percentiles are interpolated linearly between the values around them, as
// NumPy's are (base/quantile.h), and rounded to the nanosecond; the median is that of Nsight Systems, too.
//
// Times are int64 nanoseconds. Pure; any thread; linear in the spans, besides the sorting of groups.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "profiler/analysis/statistics/counted_spans.h"
#include "profiler/analysis/statistics/span_grouping.h"
#include "profiler/analysis/statistics/time_overview.h"

namespace lanelab {

struct GroupStatistics {
  std::uint32_t key = SpanKeys::kNone;  ///< SpanKeys::nameOf() names it
  std::uint64_t count = 0;
  Nanoseconds total = 0;
  Nanoseconds self = 0;
  Nanoseconds mean = 0;
  Nanoseconds median = 0;
  Nanoseconds p95 = 0;
  Nanoseconds longest = 0;
  SpanMatch longest_span;  ///< the first of several that are as long
};

struct SpanStatistics {
  Grouping by = Grouping::Name;
  CountedPart part;
  TimeRange window;                     ///< of what was counted
  std::vector<GroupStatistics> groups;  ///< the largest total first; of equal ones by key
  GroupStatistics all;                  ///< of all spans that have a group
  std::uint64_t without_group = 0;      ///< spans that have none, and count for nothing above
  std::uint64_t cut = 0;                ///< spans of groups that the range cuts
  TimeOverview overview;

  /// What shares are of: the windows of the overview's lanes, added up.
  Nanoseconds laneTime() const { return overview.sum().window; }
  /// Above 1 where several rows of the lanes did it at the same time.
  double shareOf(const GroupStatistics& group) const { return lanelab::shareOf(group.total, laneTime()); }
};

/// Nothing if the trace does not have the step of `part`. `imported`: what the file says besides; may be null. Stopped:
/// of what was counted so far, for nobody to look at.
std::optional<SpanStatistics> spanStatistics(const Trace& trace, const ImportedTrace* imported, Grouping by,
                                             const CountedPart& part = {}, const std::stop_token& stop = {});

}  // namespace lanelab
