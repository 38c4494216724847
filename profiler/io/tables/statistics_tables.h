// SPDX-License-Identifier: GPL-3.0-only
// Statistics of spans for people and programs: rows of cells for a terminal, sentences, JSON and CSV. C locale.
#pragma once

#include <cstddef>
#include <string>

#include "profiler/analysis/statistics/span_statistics.h"
#include "profiler/io/tables/gap_tables.h"

namespace lanelab {

/// What statistics are of; outlives what is made of it.
struct StatisticsSource {
  const Trace& trace;
  const ImportedTrace* imported;  ///< may be null
  const SpanStatistics& statistics;
};

/// "compute", "exposed communication".
std::string wordsFor(TimePart part);

/// Lane, window, and its parts, those that any lane has: a row per lane, and the sum if there are several.
TableRows overviewRows(const TimeOverview& overview);
/// What is grouped, count, total, share, self, mean, median, p95, longest; the `top` largest totals. Names are cut in
/// their middle.
TableRows statisticsRows(const StatisticsSource& source, std::size_t top);

/// Of what the figures are: "All of the trace, 12.3 ms.", "Step 2, 4.56 ms.", "1.00 ms to 2.00 ms of the trace.".
std::string countedSentence(const StatisticsSource& source);
/// How many groups and spans there are, what shares are of, what is cut and what has no group.
std::string groupsSentence(const StatisticsSource& source, std::size_t top);

/// The object that `stats --json` prints. `axis`: where times of the file count from.
std::string statisticsJson(const StatisticsSource& source, std::size_t top, Nanoseconds axis);
/// name,count,total_us,self_us,mean_us,median_us,p95_us,longest_us,longest_start_us,share: a row per group, the largest
/// total first. Starts count from the begin of the trace.
std::string statisticsCsv(const StatisticsSource& source, std::size_t top);

}  // namespace lanelab
