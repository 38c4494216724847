// SPDX-License-Identifier: GPL-3.0-only
// Two compared recordings for readers and programs: rows of cells for a terminal or a window, sentences, JSON and CSV.
// C locale.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/jobs/trace_comparison.h"
#include "profiler/analysis/slowdown/job_slowdown.h"
#include "profiler/io/tables/gap_tables.h"

namespace lanelab {

/// What is compared, with what is printed beside it.
struct ComparedTraces {
  std::string before;  ///< titles
  std::string after;
  TraceComparison compared;
  std::optional<JobSlowdown> slowdown_before;  ///< who is late; of jobs with passes
  std::optional<JobSlowdown> slowdown_after;
  std::vector<Message> unlike = {};  ///< unlikeness(), compared all the same
};

/// How long the step takes before and after, and what its spread shows of that.
Message stepSentence(const TraceComparison& compared);
/// The same, then what limits the comparison: two recordings, unlike jobs, names that only one has.
std::vector<Message> comparisonSentences(const ComparedTraces& traces);

// Rows with the headers first. Times are per step; the last cell says in words whether a difference is shown.

/// Compute, exposed communication, ... of the mean lane.
TableRows partDifferenceRows(const TraceComparison& compared);
/// Causes of idle time of the mean lane, the largest first, and their sum.
TableRows idleDifferenceRows(const TraceComparison& compared);
TableRows stageDifferenceRows(const TraceComparison& compared);
/// Window, compute and idle time (without compute) of each lane; of more than `most`, of those whose compute changed
/// most.
TableRows laneTimeRows(const TraceComparison& compared, std::size_t most);
/// The `most` that changed most.
TableRows nameDifferenceRows(const TraceComparison& compared, std::size_t most);
/// Names of one recording, the `most` with the largest time.
TableRows nameRows(const std::vector<NameProfile>& names, int steps, std::size_t most);
/// Slowdown against the ideal step, by operation and stage; only headers unless both have it.
TableRows slowdownDifferenceRows(const ComparedTraces& traces);

std::string comparisonJson(const ComparedTraces& traces);
/// table,name,phase,count_before,count_after,before_us,after_us,difference_us,ci95_low_us,ci95_high_us,change: a row
/// for each of all tables; what only one recording has is empty in the other's columns.
std::string traceComparisonCsv(const ComparedTraces& traces);

}  // namespace lanelab
