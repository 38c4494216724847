// SPDX-License-Identifier: GPL-3.0-only
// What a step of a trace costs on average and how much that varies from step to step: its length, what lanes spend it
// on, why they are idle, the passes of each stage, and each name. Two of these are what a comparison of traces needs.
//
// A name counts with the union of its spans on a row, as in span_statistics.h, in the step in which they begin;
// actions, transfers, and what PyTorch annotates as steps and actions have no row by name. Times are nanoseconds. Pure;
// any thread; n log n in the spans.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analysis/idle_causes.h"
#include "profiler/analysis/statistics/time_overview.h"
#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// A time per step over several steps.
struct StepTime {
  double mean = 0;
  double squared_error = 0;  ///< of the mean; 0 of one step
  int steps = 0;
};
StepTime stepTimeOf(const std::vector<double>& by_step);

struct LaneProfile {
  std::string name;
  StepTime window;
  StepTime idle;  ///< that it does not compute, whatever its host does meanwhile
  std::array<StepTime, kTimePartCount> parts;
};

struct StageProfile {
  int stage = 0;
  Phase phase = Phase::None;
  double per_step = 0;  ///< actions, over all lanes
  StepTime time;        ///< of all of them
};

struct NameProfile {
  std::string name;
  Category category = Category::Other;
  std::uint64_t count = 0;  ///< in the steps
  StepTime time;            ///< over all rows
};

/// Of what work a step consists, as far as the trace names it.
struct JobShape {
  IdleCauses::Work work = IdleCauses::Work::Actions;  ///< what lanes do
  int lanes = 0;
  int stages = 0;         ///< 0: no passes are named, as in the next two
  int micro_batches = 0;  ///< of a replica
  int replicas = 0;
};

struct StepProfile {
  std::vector<int> steps;       ///< numbers, ascending; empty: the trace has none, and all of it counts as one
  std::vector<double> lengths;  ///< by step, or one; what a step costs where steps overlap
  JobShape shape;
  std::vector<LaneProfile> lanes;
  std::array<StepTime, kTimePartCount> parts;  ///< of the mean lane, as the next
  std::array<StepTime, kCauseCount> causes;
  StepTime idle;
  std::vector<StageProfile> stages;  ///< by stage, then phase
  std::vector<NameProfile> names;    ///< the largest time first
};

/// `imported`'s trace is not null. Stopped: of what was counted so far, for nobody to look at.
StepProfile stepProfile(const ImportedTrace& imported, const std::stop_token& stop = {});

}  // namespace lanelab
