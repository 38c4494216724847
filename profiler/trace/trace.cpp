#include "profiler/trace/trace.h"

#include <algorithm>
#include <array>
#include <map>

namespace lanelab {

namespace {

constexpr std::array<std::string_view, 16> categoryTexts = {"lanelab",    "transfer",   "step",         "wait",      "block",    "cpu_op",
                                                            "host",       "data",       "sync",         "allocator", "profiler", "kernel",
                                                            "gpu_memcpy", "gpu_memset", "cuda_runtime", "other"};
constexpr std::string_view phaseLetters = "-FBIWU";

void extend(TimeRange& hull, bool& any, const Span& span) {
  hull.start = any ? std::min(hull.start, span.start) : span.start;
  hull.end = any ? std::max(hull.end, span.end) : span.end;
  any = true;
}

/// Hulls of the spans of one category, by step number; spans without a step belong to no window.
std::map<int, TimeRange> hullsByStep(const Trace& trace, Category category) {
  std::map<int, TimeRange> hulls;
  for (const Track& track : trace.tracks) {
    auto place = hulls.end();  // spans of a step follow each other, so most find theirs at once
    for (const Span& span : track.spans) {
      if (span.category != category || span.step < 0) continue;
      if (place == hulls.end() || place->first != span.step) place = hulls.try_emplace(span.step, span.range()).first;
      place->second = {std::min(place->second.start, span.start), std::max(place->second.end, span.end)};
    }
  }
  return hulls;
}

}  // namespace

std::string_view toString(Category category) {
  const auto index = static_cast<std::size_t>(category);
  return index < categoryTexts.size() ? categoryTexts[index] : categoryTexts.back();
}

Category categoryOf(std::string_view text) {
  const auto found = std::find(categoryTexts.begin(), categoryTexts.end(), text);
  return found == categoryTexts.end() ? Category::Other : static_cast<Category>(found - categoryTexts.begin());
}

char letterOf(Phase phase) {
  const auto index = static_cast<std::size_t>(phase);
  return index < phaseLetters.size() ? phaseLetters[index] : '-';
}

Phase phaseOfLetter(char letter) {
  const auto found = phaseLetters.find(letter);
  return found == std::string_view::npos ? Phase::None : static_cast<Phase>(found);
}

bool Trace::failed(const Span& span) const {
  return span.category == Category::Other && span.phase != Phase::None && nameOf(span).ends_with(failed_suffix);
}

TimeRange Trace::range() const {
  TimeRange hull;
  bool any = false;
  for (const Track& track : tracks)
    for (const Span& span : track.spans) extend(hull, any, span);
  return hull;
}

std::size_t Trace::spanCount() const {
  std::size_t count = 0;
  for (const Track& track : tracks) count += track.spans.size();
  return count;
}

std::vector<StepWindow> stepWindows(const Trace& trace) {
  std::map<int, TimeRange> ranges = hullsByStep(trace, Category::Step);
  ranges.merge(hullsByStep(trace, Category::Action));  // keeps the Step span where a step has one
  std::vector<StepWindow> windows;
  windows.reserve(ranges.size());
  for (const auto& [step, range] : ranges) windows.push_back({step, range});
  return windows;
}

}  // namespace lanelab
