// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/prediction.h"

#include <algorithm>

namespace lanelab {

Prediction::Prediction(const Trace& predicted) {
  const std::vector<StepWindow> steps = stepWindows(predicted);
  if (steps.empty()) return;
  const StepWindow& first = steps.front();
  m_step = first.range.length();
  for (const Track& track : predicted.tracks) {
    for (const Span& span : track.spans) {
      if (span.category != Category::Action || span.step != first.step) continue;
      const TimeRange range{span.start - first.range.start, span.end - first.range.start};
      m_of_lane[track.lane].push_back({range, span.phase});
      m_ranges[{track.lane, span.phase, span.stage, span.micro_batch}] = range;
    }
  }
  for (auto& [lane, expected] : m_of_lane)
    std::ranges::sort(expected, {}, [](const Expected& one) { return one.range.start; });
}

const std::vector<Prediction::Expected>& Prediction::ofLane(int lane) const {
  static const std::vector<Expected> none;
  const auto found = m_of_lane.find(lane);
  return found == m_of_lane.end() ? none : found->second;
}

std::optional<TimeRange> Prediction::find(int lane, const Span& action) const {
  if (action.category != Category::Action) return std::nullopt;
  const auto found = m_ranges.find({lane, action.phase, action.stage, action.micro_batch});
  if (found == m_ranges.end()) return std::nullopt;
  return found->second;
}

}  // namespace lanelab
