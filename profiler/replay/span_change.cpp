// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/replay/span_change.h"

#include <algorithm>
#include <cmath>

namespace lanelab {
namespace {

constexpr double kSame = 1e-6;  ///< of a factor

bool sameSpans(const ScaledSpans& a, const ScaledSpans& b) {
  if (a.transfers != b.transfers || a.all != b.all) return false;
  if (a.all) return a.id.stage == b.id.stage && a.id.phase == b.id.phase;
  return a.id == b.id && a.lane == b.lane;
}

void scale(WhatIf& changes, const ScaledSpans& scaled) {
  const auto known =
      std::ranges::find_if(changes.spans, [&](const ScaledSpans& spans) { return sameSpans(spans, scaled); });
  if (known == changes.spans.end()) {
    changes.spans.push_back(scaled);
  } else {
    known->factor *= scaled.factor;
  }
  for (ScaledSpans& spans : changes.spans) spans.factor = std::clamp(spans.factor, kLeastLength, kMostLength);
  std::erase_if(changes.spans, [](const ScaledSpans& spans) { return std::abs(spans.factor - 1) < kSame; });
}

}  // namespace

WhatIf withChange(WhatIf changes, const SpanChange& change) {
  changes.order.clear();
  if (const auto* const scaled = std::get_if<ScaledSpans>(&change)) {
    scale(changes, *scaled);
    return changes;
  }
  const StageMove& move = std::get<StageMove>(change);
  if (move.to == move.from)
    changes.lanes.erase(move.stage);
  else
    changes.lanes[move.stage] = move.to;
  return changes;
}

bool changesNothing(const WhatIf& changes) { return countOf(changes) == 0; }

int countOf(const WhatIf& changes) {
  return static_cast<int>(changes.spans.size() + changes.lanes.size() + changes.stages.size() + changes.links.size() +
                          changes.blocks.size());
}

double factorOf(const WhatIf& changes, const TracedAction& action, bool transfer) {
  double factor = 1;
  for (const ScaledSpans& spans : changes.spans)
    if (spans.transfers == transfer && means(spans, action)) factor *= spans.factor;
  return factor;
}

std::optional<int> onlyStepOf(const WhatIf& changes) {
  if (changes.spans.empty() || countOf(changes) != static_cast<int>(changes.spans.size())) return std::nullopt;
  const int step = changes.spans.front().id.step;
  const bool all_there = std::ranges::all_of(
      changes.spans, [step](const ScaledSpans& spans) { return !spans.all && spans.id.step == step; });
  return all_there ? std::optional(step) : std::nullopt;
}

}  // namespace lanelab
