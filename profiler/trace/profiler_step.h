// SPDX-License-Identifier: GPL-3.0-only
// The marks of steps that PyTorch's profiler writes. Pure; any thread.
#pragma once

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "base/parse_number.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// N of "ProfilerStep#N"; nothing for other names.
inline std::optional<int> profilerStepOf(std::string_view name) {
  constexpr std::string_view kPrefix = "ProfilerStep#";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  const auto step = parseNumber<int>(name);
  return step && *step >= 0 ? step : std::nullopt;
}

/// The step that holds a time, of steps that are in order of their starts; -1 outside of all.
inline int markedStepAt(const std::vector<StepWindow>& steps, Nanoseconds time) {
  const auto later = std::ranges::upper_bound(steps, time, {}, [](const StepWindow& step) { return step.range.start; });
  if (later == steps.begin() || std::prev(later)->range.end < time) return -1;
  return std::prev(later)->step;
}

}  // namespace lanelab
