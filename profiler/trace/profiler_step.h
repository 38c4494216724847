// SPDX-License-Identifier: GPL-3.0-only
// The marks of steps that PyTorch's profiler writes. Pure; any thread.
#pragma once

#include <optional>
#include <string_view>

#include "base/parse_number.h"

namespace lanelab {

/// N of "ProfilerStep#N"; nothing for other names.
inline std::optional<int> profilerStepOf(std::string_view name) {
  constexpr std::string_view kPrefix = "ProfilerStep#";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  const auto step = parseNumber<int>(name);
  return step && *step >= 0 ? step : std::nullopt;
}

}  // namespace lanelab
