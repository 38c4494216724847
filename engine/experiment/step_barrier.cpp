// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/step_barrier.h"

#include <algorithm>

namespace lanelab {

StepBarrier stepBarrierOf(const Experiment& experiment, bool asked, int replicas, const TiedStages& tied) {
  if (asked) return StepBarrier::Asked;
  if (replicas > 1) return StepBarrier::Replicas;
  const auto elsewhere = [&](const LaneConfig& lane) { return lane.rank != experiment.lanes.front().rank; };
  if (std::any_of(experiment.lanes.begin(), experiment.lanes.end(), elsewhere)) return StepBarrier::Processes;
  return tied.empty() ? StepBarrier::None : StepBarrier::SharedParameters;
}

std::string reasonOf(StepBarrier barrier) {
  switch (barrier) {
    case StepBarrier::None:
    case StepBarrier::Asked: break;
    case StepBarrier::Replicas: return "Its replicas exchange gradients in each step.";
    case StepBarrier::Processes: return "The lanes belong to several processes.";
    case StepBarrier::SharedParameters: return "Its stages share a parameter.";
  }
  return "";
}

}  // namespace lanelab
