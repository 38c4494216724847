// SPDX-License-Identifier: GPL-3.0-only
// Runs one training step in thought: when each lane computes what, when each message travels, and how long the step
// takes.
//
// A discrete-event simulation of the schedule as given: a lane does its row in order, each action as soon as its lane
// is free and its input is there. Between two lanes a message waits for its link (one for each boundary and direction,
// first come first served) and then takes its time; between two stages of one lane nothing travels. Each stage's
// optimizer update follows its last backward, as in a run. Lanes that compute at once slow each other down equally
// (CostModel::contention). Replicas are simulated side by side, without the exchange of their gradients. Pure
// functions; seconds from the step's first action.
#pragma once

#include <optional>
#include <vector>

#include "engine/placement/placement.h"
#include "engine/schedule/schedule.h"
#include "engine/sim/cost_model.h"

namespace lanelab {

/// What a step is simulated with.
struct StepCosts {
  CostModel whole;                ///< of a micro-batch of the split size
  std::optional<CostModel> last;  ///< of a smaller last micro-batch; only its blocks' times and its transfers count
};

struct SimulatedAction {
  Action action;
  double start = 0;
  double end = 0;
  bool operator==(const SimulatedAction&) const = default;
};

/// The output of an action on its way to another lane.
struct SimulatedTransfer {
  Action producer;
  LaneId from;
  LaneId to;
  double queued = 0;  ///< when it was made
  double start = 0;   ///< when its link was free
  double end = 0;
  bool operator==(const SimulatedTransfer&) const = default;
};

struct SimulatedLane {
  std::vector<SimulatedAction> actions;  ///< by start; updates that cost something among them
  double busy = 0;                       ///< actions' lengths, summed
  double idle = 0;                       ///< the step without `busy`
};

struct Simulation {
  double step_seconds = 0;           ///< from the first action's start to the last one's end: one window for all lanes
  std::vector<SimulatedLane> lanes;  ///< one for each row of the schedule, idle throughout where it has no work
  std::vector<SimulatedTransfer> transfers;  ///< those that take time, by arrival
};

/// Of a schedule that checkSchedule() finds legal for these stages, with costs of exactly their blocks. Asserts both.
/// Takes n log n for n actions.
Simulation simulate(const Schedule& schedule, const std::vector<Stage>& stages, const StepCosts& costs);

}  // namespace lanelab
