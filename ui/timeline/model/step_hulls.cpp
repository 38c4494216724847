// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/step_hulls.h"

#include <algorithm>
#include <iterator>

namespace lanelab {

void StepHulls::Hulls::add(int step, TimeRange range) {
  if (last >= by_step.size() || by_step[last].step != step) {
    const auto place = std::lower_bound(by_step.begin(), by_step.end(), step,
                                        [](const StepWindow& one, int number) { return one.step < number; });
    last = static_cast<std::size_t>(place - by_step.begin());
    if (place == by_step.end() || place->step != step) by_step.insert(place, {step, range});
  }
  TimeRange& hull = by_step[last].range;
  hull = {std::min(hull.start, range.start), std::max(hull.end, range.end)};
}

void StepHulls::add(const Span& span) {
  if (span.step < 0) return;
  if (span.category == Category::Step) m_steps.add(span.step, span.range());
  if (span.category == Category::Action) m_actions.add(span.step, span.range());
}

std::vector<StepWindow> StepHulls::windows() const {
  std::vector<StepWindow> all;
  all.reserve(std::max(m_steps.by_step.size(), m_actions.by_step.size()));
  const auto before = [](const StepWindow& a, const StepWindow& b) { return a.step < b.step; };
  std::set_union(m_steps.by_step.begin(), m_steps.by_step.end(), m_actions.by_step.begin(), m_actions.by_step.end(),
                 std::back_inserter(all), before);
  return all;
}

}  // namespace lanelab
