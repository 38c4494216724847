// SPDX-License-Identifier: GPL-3.0-only
// What the schedules of the literature make of a level, and which of them a finished order is. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/levels/level_board.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/schedule_kind.h"

namespace lanelab {

struct KnownOrder {
  ScheduleKind kind = ScheduleKind::Custom;
  std::optional<int> warm_up = {};
  std::string_view title;
  Schedule schedule;      ///< in the actions of the level
  bool is_split = false;  ///< its whole backwards became an I with the W right behind it
  std::int64_t step = 0;  ///< with whole backwards if it has them
};

/// Of every known schedule that takes the level's stages, and ZB-H2; of those that make the same order the first. Never
/// without the level's `beside` and target.
std::vector<KnownOrder> knownOrders(const Level& level);

/// The one with the same order on each lane; null if there is none.
const KnownOrder* recognised(const Schedule& schedule, const std::vector<KnownOrder>& known);

/// With which a finished order is compared: the level's `beside`, or its target if the order is `beside` itself.
const KnownOrder& comparedWith(const LevelBoard& board, const std::vector<KnownOrder>& known);

/// "par reached", "2 above par".
Message standing(std::int64_t step, std::int64_t par);

/// What became of a finished order: "You built ZB-H1: 14 units, par reached."
Message verdict(const LevelBoard& board, const std::vector<KnownOrder>& known);

}  // namespace lanelab
