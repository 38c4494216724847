// SPDX-License-Identifier: GPL-3.0-only
// Cuts a chain of blocks into contiguous stages so that the busiest part is as little busy as possible, on measured
// times.
//
// A pipeline's steady state runs at the pace of its bottleneck: the lane with the most work a micro-batch, or a cut
// whose transfer takes longer than that (links are full duplex and work beside the lanes). With micro-batches given,
// what is minimised is latency + (m-1) x bottleneck (Zheng et al. 2022, Alpa, section 5.2). Where each lane has one
// stage, dynamic programming over (stages, blocks) finds the optimum; where lanes hold several stages, their sums are
// coupled and branch and bound does. Memory is not known here: what a cut takes depends on the schedule and on what
// crosses it (engine/advise/cut_forecast.h). Pure functions; times in any one unit.
#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"

namespace lanelab {

struct PartitionBlock {
  std::string name;
  double time = 0;  ///< forward and backward of one micro-batch
};

struct PartitionProblem {
  std::vector<PartitionBlock> blocks;
  std::vector<double> transfers;  ///< one way, after each block but the last; empty: free. Between two stages of one
                                  ///< lane nothing is sent.
  std::vector<double> slowness;   ///< of each lane: the factor on its blocks' times, above 0
  std::vector<LaneId> lane_of_stage;  ///< its length is the number of stages, each of at least one block
  int micro_batches = 0;              ///< 0: only the bottleneck counts
};

struct Partition {
  std::vector<BlockId> cuts;  ///< first block of each next stage
  std::vector<double> stage_times;
  double bottleneck = 0;   ///< largest time of a lane or a transfer
  double latency = 0;      ///< of one micro-batch: all stages, and each cut's transfer there and back
  double objective = 0;    ///< latency + (m-1) x bottleneck, or the bottleneck where no micro-batches are given
  bool proven = true;      ///< no partition is better; false only where not all could be tried
  double lower_bound = 0;  ///< no partition has an objective below
};

/// Among the best, one with the least latency where each lane has one stage. Errors (BadInput): fewer than 1 stage or
/// more stages than blocks, times or factors that are none, lists of the wrong length.
Result<Partition> partition(const PartitionProblem& problem);

/// No partition has a smaller objective: the work shared among the lanes as if blocks could be cut, but no lane below
/// the largest block.
double partitionBound(const PartitionProblem& problem);

/// What these cuts cost; not the best, so `proven` is false and `lower_bound` 0. Asserts that they are one fewer than
/// stages, ascending and inside.
Partition evaluatePartition(const PartitionProblem& problem, const std::vector<BlockId>& cuts);

}  // namespace lanelab
