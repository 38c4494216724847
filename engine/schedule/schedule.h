// SPDX-License-Identifier: GPL-3.0-only
// A schedule is a value: the compute actions of each lane, in order. It prints and parses, and is checked before it is
// executed.
//
// The text of an action is stage, phase, micro-batch: 0F1 is stage 0, forward, micro-batch 1, the notation of PyTorch's
// torch/distributed/pipelining/schedules.py. The optimizer's update (0U) is not part of a schedule: it follows each
// stage's last backward.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"

namespace lanelab {

/// What a span can number with 16 bits; of micro-batches as many (kMostMicroBatches).
inline constexpr int kMostStages = 32767;

/// Forward, whole backward, backward split into its input (I) and weight (W) part, optimizer update.
enum class ActionKind : unsigned char { Forward, Backward, BackwardInput, BackwardWeight, Update };

char letterOf(ActionKind kind);  ///< F B I W U

struct Action {
  StageId stage;
  ActionKind kind = ActionKind::Forward;
  MicroBatchId micro_batch;
  auto operator<=>(const Action&) const = default;
};

/// Whole, or the weight part: after the last of these a stage has its gradients.
constexpr bool endsBackward(ActionKind kind) {
  return kind == ActionKind::Backward || kind == ActionKind::BackwardWeight;
}

std::string toString(const Action& action);                ///< "0F1"; an update is "0U"
std::optional<Action> parseAction(std::string_view text);  ///< nothing when it is no action

/// Actions in the order of execution, a row a lane or a stage.
using ActionRows = std::vector<std::vector<Action>>;

/// Actions a lane. `lanes[i]` is what lane i of the *experiment* computes; a lane without work has an empty list.
struct Schedule {
  int stages = 0;
  int micro_batches = 0;
  ActionRows lanes;
  int replicas = 1;            ///< copies of all stages, each with as many of the micro-batches (replicas.h)
  bool updates_last = false;   ///< each lane updates when all of its backwards are done
  bool first_updates = false;  ///< only replica 0 has weights to update; the others copy them each step
  bool operator==(const Schedule&) const = default;
};

/// The rows with each stage's update behind its last backward, whole or weight part, or at the row's end.
ActionRows rowsWithUpdates(const Schedule& schedule);

/// Whether some backwards are done as input and weight part.
bool splitsBackward(const Schedule& schedule);

/// The row with each whole backward as its input part and, right behind it, its weight part.
std::vector<Action> withSplitBackwards(const std::vector<Action>& row);

/// How many micro-batches it holds at once, which decides the activations that a stage stores: by stage, the most from
/// their forward to the end of their backward, B or W.
std::vector<int> mostInFlight(const Schedule& schedule);

/// One row a lane, actions in order of execution separated by commas: PyTorch's compute-only CSV without its idle
/// slots.
std::string toCsv(const Schedule& schedule);
/// The grid a user reads: one column a unit of time (F, B, I and W 1 each), idle as dots. Only for schedules without
/// unknown actions.
std::string toGrid(const Schedule& schedule);
/// The lane whose row holds each stage's first action; lane 0 for a stage without any.
std::vector<LaneId> lanesOfRows(const Schedule& schedule);
/// Reads toCsv's text and PyTorch's (empty cells are idle and are skipped). Errors name row and cell.
Result<Schedule> parseScheduleCsv(std::string_view text);

}  // namespace lanelab
