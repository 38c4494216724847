// SPDX-License-Identifier: GPL-3.0-only
#include "engine/lanes/run_status.h"

#include <array>

namespace lanelab {

std::string_view toString(RunStatus status) {
  switch (status) {
    case RunStatus::Running: return "running";
    case RunStatus::Done: return "done";
    case RunStatus::Failed: return "failed";
    case RunStatus::Cancelled: return "cancelled";
    case RunStatus::Interrupted: return "interrupted";
  }
  return "interrupted";
}

std::optional<RunStatus> runStatusOf(std::string_view text) {
  constexpr std::array kAll = {RunStatus::Running, RunStatus::Done, RunStatus::Failed, RunStatus::Cancelled,
                               RunStatus::Interrupted};
  for (const RunStatus status : kAll) {
    if (toString(status) == text) return status;
  }
  return std::nullopt;
}

}  // namespace lanelab
