// SPDX-License-Identifier: GPL-3.0-only
// The span of an action, or of what belongs to it.
#pragma once

#include "engine/schedule/schedule.h"
#include "profiler/trace/span.h"

namespace lanelab {

/// The phase of an action as traces name it.
inline Phase phaseOf(ActionKind kind) { return phaseOfLetter(letterOf(kind)); }

inline Span actionSpan(const Action& action, Category category, int step, TimeRange time, std::uint32_t name) {
  return {.start = time.start,
          .end = time.end,
          .name = name,
          .step = step,
          .stage = static_cast<std::int16_t>(action.stage.value),
          .micro_batch = static_cast<std::int16_t>(action.micro_batch.value),
          .category = category,
          .phase = phaseOf(action.kind)};
}

}  // namespace lanelab
