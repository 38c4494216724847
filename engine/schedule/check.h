// SPDX-License-Identifier: GPL-3.0-only
// Proves that a schedule can be executed, before anything is.
#pragma once

#include <string>
#include <vector>

#include "base/message.h"
#include "engine/schedule/replicas.h"
#include "engine/schedule/schedule.h"

namespace lanelab {

/// Its sentence names the actions and lanes; that of a deadlock the pair that blocks each other.
struct ScheduleProblem : Message {
  enum class Kind { MissingAction, DoubleAction, WrongLane, UnknownAction, Deadlock };
  ScheduleProblem(Kind of_kind, Message said) : Message(std::move(said)), kind(of_kind) {}

  Kind kind;
};

/// Empty means legal: every stage has one forward and one backward (or one I and one W, in that order) a micro-batch on
/// its own lane, and executing the lanes side by side ends. Dependencies: F after F of the stage before; B (or I) after
/// F of the same stage and B (or I) of the stage after. Linear in the number of actions.
std::vector<ScheduleProblem> checkSchedule(const Schedule& schedule, const std::vector<LaneId>& lane_of_stage);
/// The same for replicas: each on its own lanes, with its own micro-batches.
std::vector<ScheduleProblem> checkSchedule(const Schedule& schedule, const StageLanes& lanes);

}  // namespace lanelab
