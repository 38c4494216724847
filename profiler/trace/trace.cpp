// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/trace.h"

#include <algorithm>
#include <array>
#include <map>

#include "profiler/trace/step_hulls.h"

namespace lanelab {

namespace {

constexpr std::array<std::string_view, 18> kCategoryTexts = {
    "lanelab", "transfer",  "step",     "wait",   "block",  "cpu_op",     "evaluation", "host",         "data",
    "sync",    "allocator", "profiler", "kernel", "kernel", "gpu_memcpy", "gpu_memset", "cuda_runtime", "other"};
constexpr std::string_view kPhaseLetters = "-FBIWU";

}  // namespace

std::string_view toString(Category category) {
  const auto index = static_cast<std::size_t>(category);
  return index < kCategoryTexts.size() ? kCategoryTexts[index] : kCategoryTexts.back();
}

Category categoryOf(std::string_view text) {
  const auto found = std::find(kCategoryTexts.begin(), kCategoryTexts.end(), text);
  return found == kCategoryTexts.end() ? Category::Other : static_cast<Category>(found - kCategoryTexts.begin());
}

char letterOf(Phase phase) {
  const auto index = static_cast<std::size_t>(phase);
  return index < kPhaseLetters.size() ? kPhaseLetters[index] : '-';
}

Phase phaseOfLetter(char letter) {
  const auto found = kPhaseLetters.find(letter);
  return found == std::string_view::npos ? Phase::None : static_cast<Phase>(found);
}

bool Trace::failed(const Span& span) const {
  return span.category == Category::Other && span.phase != Phase::None && nameOf(span).ends_with(kFailedSuffix);
}

const LiveLane* Trace::liveLane(int lane) const {
  const auto found = std::ranges::find(live, lane, &LiveLane::lane);
  return found == live.end() ? nullptr : &*found;
}

bool Trace::running(int lane, const Span& span) const {
  const LiveLane* const now = live.empty() ? nullptr : liveLane(lane);
  return now != nullptr && now->running == span.start && span.category == Category::Action;
}

std::vector<bool> lanesInUse(const Trace& trace) {
  std::vector<bool> used(trace.lanes.size(), false);
  for (const Track& track : trace.tracks)
    if (track.kind != Track::Kind::Step && trace.laneAt(track.lane) != nullptr)
      used[static_cast<std::size_t>(track.lane)] = true;
  if (std::ranges::find(used, true) == used.end()) used.assign(used.size(), true);
  return used;
}

TimeRange Trace::range() const {
  std::optional<TimeRange> hull;
  for (const Track& track : tracks)
    for (const Span& span : track.spans) hull = hull ? hullOf(*hull, span.range()) : span.range();
  return hull.value_or(TimeRange());
}

std::size_t Trace::spanCount() const {
  std::size_t count = 0;
  for (const Track& track : tracks) count += track.spans.size();
  return count;
}

std::vector<StepWindow> stepWindows(const Trace& trace) {
  StepHulls steps;
  StepHulls actions;
  for (const Track& track : trace.tracks) {
    for (std::size_t i = 0; i < track.spans.size();) {
      const Span span = track.spans[i];
      if (span.category == Category::Action) actions.add(span.step, span.range());
      if (span.category == Category::Step) steps.add(span.step, span.range());
      const bool other = span.category != Category::Action && span.category != Category::Step;
      i = other ? track.spans.categoryEnd(i) : i + 1;
    }
  }
  std::map<int, TimeRange>& ranges = steps.hulls();
  ranges.merge(actions.hulls());  // keeps the Step span where a step has one
  std::vector<StepWindow> windows;
  windows.reserve(ranges.size());
  for (const auto& [step, range] : ranges) windows.push_back({step, range});
  return windows;
}

int shownStep(const Trace& trace, int step) {
  const auto is_ours = [](const Track& track) { return track.kind == Track::Kind::Compute; };
  return std::ranges::any_of(trace.tracks, is_ours) ? step + 1 : step;
}

bool mayBeCut(const Trace& trace) { return !trace.live.empty() || trace.extent != Extent::Whole; }

bool inProgress(const Trace& trace, int step) {
  if (!mayBeCut(trace)) return false;
  return std::ranges::none_of(trace.tracks, [step](const Track& track) {
    return track.kind == Track::Kind::Step && !track.spans.empty() && track.spans.back().step >= step;
  });
}

}  // namespace lanelab
