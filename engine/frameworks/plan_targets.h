// SPDX-License-Identifier: GPL-3.0-only
// What the plan of a variant can be written for, by the words of `export --what`. Pure; any thread.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "engine/experiment/resolution.h"
#include "engine/frameworks/written_files.h"

namespace lanelab {

struct PlanTarget {
  std::string_view word;  ///< "pytorch", "torchtitan", ...
  Result<WrittenFiles> (*files)(const ResolvedVariant& variant);
};

/// Of stages as files (stage_files.h), which Python writes.
inline constexpr std::string_view kStagesTarget = "stages";

/// All but kStagesTarget.
std::span<const PlanTarget> planTargets();

/// Null if no target has this word.
const PlanTarget* findPlanTarget(std::string_view word);

}  // namespace lanelab
