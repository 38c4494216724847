// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/partition.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>
#include <utility>

#include "base/text.h"
#include "engine/placement/cut_search.h"
#include "engine/placement/partition_chain.h"

namespace lanelab {
namespace {

/// Cuts whose objective is looked at, a few hundredths of a second, where lanes hold several stages.
constexpr int kMostCuts = 100'000, kRestarts = 200;

bool isTime(double value) { return value >= 0 && std::isfinite(value); }

Status checkCounts(const PartitionProblem& problem) {
  const std::size_t stages = problem.lane_of_stage.size(), blocks = problem.blocks.size();
  if (stages < 1) return Error::badInput("0 stages cannot hold the blocks: ask for at least 1.");
  if (stages > blocks) {
    return Error::badInput("{} stages need as many blocks, but there {}: ask for at most that many stages.", stages,
                           blocks == 1 ? "is 1" : "are " + std::to_string(blocks));
  }
  if (!problem.transfers.empty() && problem.transfers.size() + 1 != blocks) {
    return Error::badInput("There are {} transfers for {} blocks: give one for each boundary.",
                           problem.transfers.size(), blocks);
  }
  for (const LaneId lane : problem.lane_of_stage) {
    if (lane.value < 0 || lane.index() >= problem.slowness.size()) {
      return Error::badInput("A stage is on lane {}, but there are {} lanes, counted from 0: place it on one of them.",
                             lane.value, problem.slowness.size());
    }
  }
  return {};
}

Status checkTimes(const PartitionProblem& problem) {
  for (const PartitionBlock& block : problem.blocks) {
    if (!isTime(block.time))
      return Error::badInput("The time of block {} is {}: give 0 or more.", block.name, exactNumber(block.time));
  }
  for (const double transfer : problem.transfers) {
    if (!isTime(transfer)) return Error::badInput("A transfer takes {}: give 0 or more.", exactNumber(transfer));
  }
  for (std::size_t lane = 0; lane < problem.slowness.size(); ++lane) {
    const double slowness = problem.slowness[lane];
    if (!(slowness > 0) || !std::isfinite(slowness)) {
      return Error::badInput("The slowness of lane {} is {}: give a factor above 0.", lane, exactNumber(slowness));
    }
  }
  return {};
}

bool eachLaneOnce(const PartitionProblem& problem) {
  std::set<LaneId> lanes(problem.lane_of_stage.begin(), problem.lane_of_stage.end());
  return lanes.size() == problem.lane_of_stage.size();
}

/// The stages as if each had a lane of its own.
PartitionProblem onOwnLanes(PartitionProblem problem) {
  const std::vector<double> of_lane = std::exchange(problem.slowness, {});
  problem.micro_batches = 0;
  for (LaneId& lane : problem.lane_of_stage) {
    problem.slowness.push_back(of_lane[lane.index()]);
    lane = LaneId(problem.slowness.size() - 1);
  }
  return problem;
}

double objectiveOf(const PartitionProblem& problem, double latency, double bottleneck) {
  return problem.micro_batches > 0 ? latency + (problem.micro_batches - 1) * bottleneck : bottleneck;
}

/// One way, from stage `stage`, which ends before block `end`; 0 where nothing is sent.
double transferAfter(const PartitionProblem& problem, std::size_t stage, std::size_t end) {
  const bool sends = end < problem.blocks.size() && !problem.transfers.empty() &&
                     problem.lane_of_stage[stage + 1] != problem.lane_of_stage[stage];
  return sends ? problem.transfers[end - 1] : 0;
}

}  // namespace

double partitionBound(const PartitionProblem& problem) {
  double work = 0, largest = 0, speed = 0, fastest = std::numeric_limits<double>::infinity();
  for (const PartitionBlock& block : problem.blocks) {
    work += block.time;
    largest = std::max(largest, block.time);
  }
  for (const LaneId lane : std::set<LaneId>(problem.lane_of_stage.begin(), problem.lane_of_stage.end())) {
    speed += 1 / problem.slowness[lane.index()];
    fastest = std::min(fastest, problem.slowness[lane.index()]);
  }
  return objectiveOf(problem, work * fastest, std::max(work / speed, largest * fastest));
}

Partition evaluatePartition(const PartitionProblem& problem, const std::vector<BlockId>& cuts) {
  assert(cuts.size() + 1 == problem.lane_of_stage.size());
  Partition answer;
  answer.cuts = cuts;
  answer.proven = false;
  std::vector<double> lane_times(problem.slowness.size());
  for (std::size_t s = 0, first = 0; s < problem.lane_of_stage.size(); ++s) {
    const std::size_t end = s < cuts.size() ? cuts[s].index() : problem.blocks.size();
    assert(first < end && end <= problem.blocks.size());
    const std::size_t lane = problem.lane_of_stage[s].index();
    double time = 0;
    for (std::size_t b = first; b < end; ++b) time += problem.blocks[b].time;
    answer.stage_times.push_back(time * problem.slowness[lane]);
    answer.latency += answer.stage_times.back();
    lane_times[lane] += answer.stage_times.back();
    const double transfer = transferAfter(problem, s, end);
    answer.latency += 2 * transfer;
    answer.bottleneck = std::max(answer.bottleneck, transfer);
    first = end;
  }
  for (const double time : lane_times) answer.bottleneck = std::max(answer.bottleneck, time);
  answer.objective = objectiveOf(problem, answer.latency, answer.bottleneck);
  return answer;
}

Result<Partition> partition(const PartitionProblem& problem) {
  if (const Status counts = checkCounts(problem); !counts.ok()) return counts.error();
  if (const Status times = checkTimes(problem); !times.ok()) return times.error();
  if (eachLaneOnce(problem)) {
    Partition answer = evaluatePartition(problem, cutChain(problem));
    answer.proven = true;
    answer.lower_bound = answer.objective;
    return answer;
  }
  const auto objective = [&](const std::vector<BlockId>& cuts) { return evaluatePartition(problem, cuts).objective; };
  const FastestCut found = fastestCut(static_cast<int>(problem.blocks.size()), cutChain(onOwnLanes(problem)),
                                      {objective}, kMostCuts, kRestarts);
  Partition answer = evaluatePartition(problem, found.cuts);
  answer.proven = found.all_tried;
  answer.lower_bound = answer.proven ? answer.objective : partitionBound(problem);
  return answer;
}

}  // namespace lanelab
