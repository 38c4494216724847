// SPDX-License-Identifier: GPL-3.0-only
// Whether all lanes of a variant begin each step together, and why. Without a barrier each lane begins its next step
// as soon as its own stages have been updated and its input is there; weights, losses and statistics are the same bits.
#pragma once

#include <string>

#include "base/window_kind.h"
#include "base/words.h"
#include "engine/experiment/experiment.h"
#include "engine/placement/tied_stages.h"

namespace lanelab {

/// None: there is no barrier. Else what it is there for: step_barrier of the variant or the training, replicas whose
/// gradients meet, lanes of several processes, stages that share a parameter, or whose gradients are clipped together.
enum class StepBarrier { None, Asked, Replicas, Processes, SharedParameters, GradientNorm };

constexpr std::array<Word<StepBarrier>, 6> wordTable(StepBarrier) {
  return {{{StepBarrier::None, "none"},
           {StepBarrier::Asked, "asked"},
           {StepBarrier::Replicas, "replicas"},
           {StepBarrier::Processes, "processes"},
           {StepBarrier::SharedParameters, "shared-parameters"},
           {StepBarrier::GradientNorm, "gradient-norm"}}};
}

/// Whether gradients are clipped by a norm that several stages have together.
inline bool clipsTogether(const TrainingConfig& training, std::size_t stages) {
  return training.clip_grad_norm && stages > 1;
}

/// Whether each lane updates when all of its backwards are done: one that waited for another stage's gradients before
/// its own were done could wait for ever.
inline bool updatesLast(const TrainingConfig& training, std::size_t stages, const TiedStages& tied) {
  return !tied.empty() || clipsTogether(training, stages);
}

/// Of a variant that asks for one or not, with so many replicas and stages, which share the parameters of `tied`.
/// Several processes agree on each step, also where one of them has all stages of the variant. Pure.
StepBarrier stepBarrierOf(const Experiment& experiment, bool asked, int replicas, std::size_t stages,
                          const TiedStages& tied);

/// Why there is one although nobody asked: "Its replicas exchange gradients in each step."; empty for None and Asked.
std::string reasonOf(StepBarrier barrier);

/// The window that a step's cost is measured in: the period where steps overlap.
constexpr WindowKind windowKindOf(StepBarrier barrier) {
  return barrier == StepBarrier::None ? WindowKind::Period : WindowKind::Step;
}

}  // namespace lanelab
