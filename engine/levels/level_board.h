// SPDX-License-Identifier: GPL-3.0-only
// An order in the making: which actions of a level are placed, when each starts, and what could follow. Only what can
// run is placed: each action behind what it waits for, and behind what its lane did before. A value; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/levels/level.h"
#include "engine/schedule/dependencies.h"
#include "engine/schedule/schedule.h"

namespace lanelab {

struct PlacedAction {
  LaneId lane;
  Action action;
  std::int64_t start = 0;
  std::int64_t end = 0;
};

class LevelBoard {
 public:
  explicit LevelBoard(const Level& level);

  const Level& level() const { return m_level; }
  const std::vector<LaneId>& laneOfStage() const { return m_lane_of_stage; }
  LaneId laneOf(const Action& action) const { return m_lane_of_stage[action.stage.index()]; }
  /// All of a lane, placed or not: by stage, then F, B or I, W, then micro-batch.
  const std::vector<Action>& actionsOf(LaneId lane) const { return m_actions[lane.index()]; }
  bool isPlaced(const Action& action) const { return m_ends.done(action); }

  /// Why the action cannot be the next of that lane, in a sentence; none: it can.
  std::optional<Message> whyNot(const Action& action, LaneId lane) const;
  std::optional<Message> whyNot(const Action& action) const { return whyNot(action, laneOf(action)); }
  /// Where it would be. Of an action that can be placed.
  PlacedAction preview(const Action& action) const;
  /// Puts it behind the last action of its lane. False, and nothing changes, if it cannot be.
  bool place(const Action& action);

  /// The last placed one; false if there is none. redo() puts it back, unless another was placed since.
  bool undo();
  bool redo();
  void clear();  ///< undoes all of it
  bool canUndo() const { return !m_placed.empty(); }
  bool canRedo() const { return !m_undone.empty(); }

  const std::vector<PlacedAction>& placed() const { return m_placed; }  ///< in the order of placing
  /// What is placed, a row a lane.
  Schedule schedule() const;
  std::int64_t step() const;  ///< until the last end
  /// No order that begins so is shorter: a lane cannot continue before one of its actions is ready, has to do the rest
  /// of its work, and each backward is followed by those of the stages in front.
  std::int64_t leastStep() const;
  double idleShare() const;         ///< of all lanes until the last end
  int storedOn(LaneId lane) const;  ///< activations, after the last placed action
  int mostStoredOn(LaneId lane) const;
  bool isComplete() const;

 private:
  std::int64_t freeAt(LaneId lane) const;
  std::int64_t durationOf(ActionKind kind) const { return lanelab::durationOf(m_level.times, kind); }
  std::int64_t earliestStart(const Action& action) const;
  std::int64_t leastEndOf(LaneId lane) const;
  Action asWritten(const Action& wanted) const;
  void put(const Action& action);

  Level m_level;
  std::vector<LaneId> m_lane_of_stage;
  ActionRows m_actions;
  std::vector<PlacedAction> m_placed;
  std::vector<Action> m_undone;  ///< the last one first to come back
  ActionTimes m_ends;
};

/// The least step of the level before anything is placed: what the busiest lane computes, with what must be done before
/// its first action and after its last backward, or what one micro-batch needs in all stages if that is more.
std::int64_t parOf(const Level& level);

}  // namespace lanelab
