// SPDX-License-Identifier: GPL-3.0-only
// Runs training steps in thought: when each lane computes what, when each message travels, and how long a step takes.
//
// A discrete-event simulation of the schedule as given: a lane does its row in order, each action as soon as its lane
// is free and its input is there. Between two lanes a message waits for its link (one for each boundary and direction,
// first come first served) and then takes its time; between two stages of one lane nothing travels. Each stage's
// optimizer update follows its last backward, as in a run. Lanes that compute at once slow each other down equally
// (CostModel::contention). Replicas are simulated side by side, without the exchange of their gradients.
//
// Without a step barrier a lane continues with its row of the next step as soon as it has done that of the last,
// updates included. Then a step costs its period, which the lanes settle into after a few steps (max-plus linear
// systems are periodic in the end: Baccelli et al. 1992, Synchronization and Linearity). Pure functions; seconds from
// the first action.
#pragma once

#include <optional>
#include <vector>

#include "base/window_kind.h"
#include "engine/experiment/variant_plan.h"
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
  int step = 0;  ///< from 0, of those that are simulated
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
  int step = 0;
  bool operator==(const SimulatedTransfer&) const = default;
};

struct SimulatedLane {
  std::vector<SimulatedAction> actions;  ///< by start; updates that cost something among them
  double busy = 0;                       ///< actions' lengths, summed; in a period their mean over the last steps
  double idle = 0;                       ///< the window without `busy`
};

struct Simulation {
  WindowKind window = WindowKind::Step;
  /// Of a step: from the first action's start to the last one's end, one window for all lanes. Of a period: from a
  /// lane's first action of a step to that of the next, alike on all lanes.
  double step_seconds = 0;
  std::vector<SimulatedLane> lanes;          ///< one for each row of the schedule, idle throughout where it has no work
  std::vector<SimulatedTransfer> transfers;  ///< those that take time, by arrival
};

/// How many steps a simulation of the period shows.
inline constexpr int kShownSteps = 3;

/// One step, or so many in a row without a barrier, begun with all lanes idle; the window is that of all of them
/// together. Of a schedule that checkSchedule() finds legal for these stages, with costs of exactly their blocks.
/// Asserts both. Takes n log n for n actions of a step.
Simulation simulate(const Schedule& schedule, const std::vector<Stage>& stages, const StepCosts& costs, int steps = 1);
/// The period that steps without a barrier settle into: simulated until the lanes' state repeats, or else for a few
/// steps more, whose mean it is. Actions and transfers are those of the last kShownSteps steps, from their first start
/// on. Schedule and costs as of simulate().
Simulation simulateSteady(const Schedule& schedule, const std::vector<Stage>& stages, const StepCosts& costs);

/// What a step of the plan costs in the window that it runs with: one step, or the period where steps overlap.
Simulation simulate(const VariantPlan& plan, const StepCosts& costs);

/// What a step costs with and without a barrier, whatever the plan runs with.
struct StepForecast {
  double step_seconds = 0;    ///< of one step, all lanes beginning together
  double period_seconds = 0;  ///< of steps that overlap
};

}  // namespace lanelab
