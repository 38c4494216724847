// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/step_barrier.h"

#include <algorithm>

namespace lanelab {

StepBarrier stepBarrierOf(const Experiment& experiment, bool asked, int replicas, std::size_t stages,
                          const TiedStages& tied) {
  if (asked) return StepBarrier::Asked;
  if (replicas > 1) return StepBarrier::Replicas;
  const auto elsewhere = [&](const LaneConfig& lane) { return lane.rank != experiment.lanes.front().rank; };
  if (std::any_of(experiment.lanes.begin(), experiment.lanes.end(), elsewhere)) return StepBarrier::Processes;
  if (!tied.empty()) return StepBarrier::SharedParameters;
  return clipsTogether(experiment.training, stages) ? StepBarrier::GradientNorm : StepBarrier::None;
}

std::string reasonOf(StepBarrier barrier) {
  switch (barrier) {
    case StepBarrier::None:
    case StepBarrier::Asked: break;
    case StepBarrier::Replicas: return "Its replicas exchange gradients in each step.";
    case StepBarrier::Processes: return "The lanes belong to several processes.";
    case StepBarrier::SharedParameters: return "Its stages share a parameter.";
    case StepBarrier::GradientNorm: return "Gradients are clipped by the norm of all stages.";
  }
  return "";
}

}  // namespace lanelab
