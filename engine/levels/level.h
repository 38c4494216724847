// SPDX-License-Identifier: GPL-3.0-only
// The levels of Build a Schedule: each a pipeline whose actions a user puts in order. A level is a row of level.cpp.
//
// Times are in units that all stages share. Pure values; any thread.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/ids.h"
#include "base/message.h"
#include "engine/schedule/list_simulation.h"
#include "engine/schedule/schedule_kind.h"

namespace lanelab {

struct Level {
  const char* key;  ///< in settings
  MessageCode<> title;
  MessageCode<> lesson;  ///< what is new, in two sentences
  std::array<MessageCode<>, 2> hints;
  ScheduleKind target;              ///< reaches par within the limit
  std::optional<int> warm_up = {};  ///< of the target; none: its own
  ScheduleKind beside;              ///< what an order is compared with
  int lanes = 0;
  int stages_per_lane = 1;
  int micro_batches = 0;
  StageTimes times = {1, 2, 1};          ///< of every stage
  bool splits_backward = false;          ///< the actions are F, I and W, else F and B
  std::optional<int> memory_limit = {};  ///< most activations that a lane stores, each from F to B or W

  int stages() const { return lanes * stages_per_lane; }
};

/// From the easiest on.
std::span<const Level> levels();

/// The lane of each stage, as the target places them.
std::vector<LaneId> lanesOfStages(const Level& level);

}  // namespace lanelab
