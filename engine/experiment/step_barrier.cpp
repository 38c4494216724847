// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/step_barrier.h"

#include <algorithm>

namespace lanelab {

StepBarrier stepBarrierOf(const Experiment& experiment, bool asked, int replicas, const std::vector<LaneId>& lanes,
                          const TiedStages& tied) {
  if (asked) return StepBarrier::Asked;
  if (replicas > 1) return StepBarrier::Replicas;
  const auto rankOf = [&](LaneId lane) {
    return lane.index() < experiment.lanes.size() ? experiment.lanes[lane.index()].rank : 0;
  };
  const auto elsewhere = [&](LaneId lane) { return rankOf(lane) != rankOf(lanes.front()); };
  if (std::any_of(lanes.begin(), lanes.end(), elsewhere)) return StepBarrier::Processes;
  return tied.empty() ? StepBarrier::None : StepBarrier::SharedParameters;
}

std::string reasonOf(StepBarrier barrier) {
  switch (barrier) {
    case StepBarrier::None:
    case StepBarrier::Asked: break;
    case StepBarrier::Replicas: return "Its replicas exchange gradients in each step.";
    case StepBarrier::Processes: return "Its lanes belong to several processes.";
    case StepBarrier::SharedParameters: return "Its stages share a parameter.";
  }
  return "";
}

}  // namespace lanelab
