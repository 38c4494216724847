// SPDX-License-Identifier: GPL-3.0-only
// Who is late in a training job: how much longer its step is than an ideal one, in which each operation takes the mean
// of its kind, and what part of that each operation, stage, rank and step has.
//
// A what-if analysis by replays (Lin et al., Understanding Stragglers in Large Model Training Using What-if Analysis,
// OSDI 25, equations 1 to 5). The ideal gives passes and updates the mean of their kind over all steps, micro-batches
// and lanes, and communication the median. Neither side has time between operations that no operation explains.
// Slowdowns are ratios to the ideal step, of a step where only those operations have their own lengths. Times in
// seconds.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "profiler/analysis/slowdown/late_waits.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Passes that are longer than those of others by less are as long.
inline constexpr double kLeastExcess = 0.03;

struct JobSlowdown {
  /// That micro-batches of other lengths follow each other: passes forward and backward are long together.
  struct Lengths {
    double correlation = 0;  ///< of forward and backward of a micro-batch, each relative to its mean on the lane
    double spread = 0;       ///< standard deviation of passes relative to their mean on the lane
    double share = 0;        ///< of the slowdown, that goes if all passes of a lane are alike
  };

  double measured_step = 0;  ///< mean, from first start to last end
  double step = 0;           ///< mean, replayed with the measured lengths
  double ideal_step = 0;
  std::vector<std::pair<std::string, double>> by_operation;  ///< the largest first; sends with their receives
  std::vector<double> by_stage;                              ///< by pipeline rank
  std::vector<double> by_replica;
  std::vector<std::pair<int, double>> by_rank;  ///< by lane: what both its stage and its replica are late
  std::vector<std::pair<int, double>> by_step;  ///< number of the step; all its operations have their own lengths
  std::vector<double> stage_shares;    ///< by pipeline rank, of the slowdown, that goes if its operations are ideal;
                                       ///< the last one is M_S. Empty without a slowdown
  std::optional<double> worker_share;  ///< M_W: if those of the slowest 3 % of the lanes are
  std::vector<int> slow_lanes;  ///< those of the 3 % with the longest passes whose excess is kLeastExcess or more
  double slow_lanes_share = 0;  ///< if their operations are ideal
  std::vector<double> replica_shares;  ///< by replica, of the slowdown, that goes if its operations are ideal; empty
                                       ///< without a slowdown or other replicas
  /// How much longer passes are than those of others, on average, and beyond the noise of the steps (boundOfMedian)
  /// also the shorter ones of each kind: a busy machine holds up only some.
  std::vector<double> stage_excess;    ///< by pipeline rank, than the mean of all stages; of its lanes the lower median
                                       ///< counts
  std::vector<double> replica_excess;  ///< than those of other replicas; 0 where a replica is one lane
  std::vector<std::pair<int, double>> rank_excess;  ///< by lane, than those of its stage on other lanes, beyond what
                                                    ///< its whole replica is
  std::vector<std::vector<int>> replica_lanes;
  Lengths lengths;
  LateWaits waits;
  std::vector<int> skipped_steps;  ///< whose operations are not those of most

  double ratio() const { return ideal_step > 0 ? step / ideal_step : 1; }
};

/// Nothing for a trace without passes of at least two lanes, whose steps are alike, and for one of far more replicas
/// than jobs have. n log n in the spans, and linear in the operations for each kind of operation, stage and replica.
std::optional<JobSlowdown> jobSlowdown(const Trace& trace);

}  // namespace lanelab
