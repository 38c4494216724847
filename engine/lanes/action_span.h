// SPDX-License-Identifier: GPL-3.0-only
// The span of an action, or of what it sends, but for its times and name.
#pragma once

#include "engine/schedule/schedule.h"
#include "profiler/trace/span.h"

namespace lanelab {

/// The phase of an action as traces name it.
inline Phase phaseOf(ActionKind kind) { return phaseOfLetter(letterOf(kind)); }

inline Span actionSpan(const Action& action, Category category, int step) {
  Span span;
  span.step = step;
  span.stage = static_cast<std::int16_t>(action.stage.value);
  span.micro_batch = static_cast<std::int16_t>(action.micro_batch.value);
  span.category = category;
  span.phase = phaseOf(action.kind);
  return span;
}

}  // namespace lanelab
