// SPDX-License-Identifier: GPL-3.0-only
#include "engine/schedule/dependencies.h"

#include <algorithm>
#include <array>

namespace lanelab {
namespace {

/// Up to two actions; `backward` of the stage after may appear there as B or as I, so it is given as BackwardInput.
struct Dependencies {
  std::array<Action, 2> actions;
  int count = 0;

  const Action* begin() const { return actions.data(); }
  const Action* end() const { return actions.data() + count; }
};

Dependencies dependenciesOf(const Action& action, int stages) {
  Dependencies waits;
  const auto add = [&](int stage, ActionKind kind) {
    waits.actions[static_cast<std::size_t>(waits.count++)] = {StageId(stage), kind, action.micro_batch};
  };
  switch (action.kind) {
    case ActionKind::Forward:
      if (action.stage.value > 0) add(action.stage.value - 1, ActionKind::Forward);
      break;
    case ActionKind::Backward:
    case ActionKind::BackwardInput:
      add(action.stage.value, ActionKind::Forward);
      if (action.stage.value + 1 < stages) add(action.stage.value + 1, ActionKind::BackwardInput);
      break;
    case ActionKind::BackwardWeight: add(action.stage.value, ActionKind::BackwardInput); break;
    case ActionKind::Update: break;
  }
  return waits;
}

}  // namespace

std::optional<Action> missingFor(const Action& action, int stages, const ActionTimes& done) {
  for (const Action& wanted : dependenciesOf(action, stages))
    if (!done.done(wanted)) return wanted;
  return std::nullopt;
}

std::int64_t readyTime(const Action& action, int stages, const ActionTimes& ends) {
  std::int64_t ready = 0;
  for (const Action& wanted : dependenciesOf(action, stages)) {
    const std::int64_t end = ends.of(wanted);
    if (end < 0) return -1;
    ready = std::max(ready, end);
  }
  return ready;
}

}  // namespace lanelab
