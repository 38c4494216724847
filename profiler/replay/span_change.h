// SPDX-License-Identifier: GPL-3.0-only
// One change of a measured step, as a hand or a key makes it, and several of them together.
//
// Pure; any thread.
#pragma once

#include <optional>
#include <variant>

#include "profiler/analysis/what_if.h"

namespace lanelab {

/// All actions of a stage go to another lane.
struct StageMove {
  int stage = 0;
  int from = 0;  ///< the lane that was measured
  int to = 0;
  bool operator==(const StageMove&) const = default;
};

using SpanChange = std::variant<ScaledSpans, StageMove>;

/// How much longer or shorter one change may make a span, all changes of it together.
inline constexpr double kLeastLength = 0.01;
inline constexpr double kMostLength = 100;

/// With one change more: factors of the same spans multiply, the last lane of a stage counts. What is as it was
/// measured again counts no more. The order of actions on the lanes is left out.
WhatIf withChange(WhatIf changes, const SpanChange& change);

bool changesNothing(const WhatIf& changes);
/// How many: a stage on another lane, spans of one kind, or one span each count one.
int countOf(const WhatIf& changes);

/// What all changes together make of the length of this action, or of the transfer of its result.
double factorOf(const WhatIf& changes, const TracedAction& action, bool transfer);

/// The step that all changes are in, if each is of one span; nothing if any is of all steps.
std::optional<int> onlyStepOf(const WhatIf& changes);

}  // namespace lanelab
