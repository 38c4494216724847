// SPDX-License-Identifier: GPL-3.0-only
#include "engine/schedule/in_flight.h"

#include <algorithm>

namespace lanelab {

std::vector<int> mostInFlight(const Schedule& schedule) {
  std::vector<int> held(static_cast<std::size_t>(schedule.stages), 0), most = held;
  for (const auto& row : schedule.lanes) {
    for (const Action& action : row) {
      const std::size_t stage = action.stage.index();
      held[stage] += action.kind == ActionKind::Forward ? 1 : endsBackward(action.kind) ? -1 : 0;
      most[stage] = std::max(most[stage], held[stage]);
    }
  }
  return most;
}

}  // namespace lanelab
