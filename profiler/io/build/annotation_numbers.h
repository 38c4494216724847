// SPDX-License-Identifier: GPL-3.0-only
// Steps, stages and micro-batches of what a rank annotated: as names and arguments give them, else by order.
//
// Pure functions of annotations that are sorted by start; linear in them, times a logarithm.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/io/names/named_work.h"
#include "profiler/trace/step_periods.h"

namespace lanelab {

/// One part of the work that a span's name says. The span has the step, stage and micro-batch of its arguments, -1 for
/// what these do not give, and later those that hold.
struct Annotation {
  const NamedWork* is = nullptr;
  WorkPart part;
  Span span;
  std::uint32_t row = 0;
  std::int32_t replica = -1;
  std::uint32_t group = 0;  ///< from 1, in the builder's groups
};

/// What the name gives wins over the span's arguments. The micro-batch is that of the replica until
/// numberOverReplicas().
void readNumbers(Annotation& annotation);

/// Of spans without a step: that of the marked window in which they begin; without windows the n-th span of a name is
/// of step n, and sends and receives without a micro-batch are of the step of the pass beside them; where a pass names
/// no micro-batch, a step ends with its updates. -1 outside of all windows.
void setSteps(std::vector<Annotation>& annotations, const std::vector<StepWindow>& marked);

/// Of passes without a micro-batch: the k-th of a step, stage and phase is of micro-batch k. Those without a stage get
/// this one.
void setPasses(std::vector<Annotation>& annotations, int stage);

/// Gives those of a GPU the numbers of the host's with the same name, one after the other.
void copyNumbers(const std::vector<Annotation>& host, std::vector<Annotation>& gpu);

/// Micro-batches of replica r count on from those of replica r - 1. `replica` is that of annotations that name none.
void numberOverReplicas(std::vector<Annotation>& annotations, int replica);

}  // namespace lanelab
