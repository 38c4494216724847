// SPDX-License-Identifier: GPL-3.0-only
// The states of a run, as written in run.json.
#pragma once

#include <optional>
#include <string_view>

namespace lanelab {

/// `Running` without its process reads as `Interrupted`.
enum class RunStatus { Running, Done, Failed, Cancelled, Interrupted };

std::string_view toString(RunStatus status);  ///< "running", "done", ...
std::optional<RunStatus> runStatusOf(std::string_view text);

}  // namespace lanelab
