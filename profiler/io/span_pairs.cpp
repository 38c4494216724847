#include "profiler/io/span_pairs.h"

#include <algorithm>

namespace lanelab {

namespace {

/// The place of the span that `end` closes; open.size() when there is none. Deeper than any program nests nothing is looked for.
std::size_t placeClosedBy(const HalfSpan& end, bool any_name, const std::vector<const HalfSpan*>& open) {
  constexpr std::size_t deepest = 4096;
  const std::size_t innermost = open.empty() ? 0 : open.size() - 1;
  if (!end.named) return innermost;
  for (std::size_t depth = 1; depth <= std::min(deepest, open.size()); ++depth)
    if (open[open.size() - depth]->name == end.name) return open.size() - depth;
  return any_name ? innermost : open.size();
}

}  // namespace

UnmatchedEnds pairHalves(std::vector<HalfSpan>& halves, bool any_name, const std::function<void(const HalfSpan& begin, Nanoseconds end)>& paired) {
  const auto earlier = [](const HalfSpan& a, const HalfSpan& b) { return a.time < b.time; };
  if (!std::is_sorted(halves.begin(), halves.end(), earlier)) std::stable_sort(halves.begin(), halves.end(), earlier);
  UnmatchedEnds unmatched;
  std::vector<const HalfSpan*> open;
  for (const HalfSpan& half : halves) {
    if (half.begins) {
      open.push_back(&half);
      continue;
    }
    const std::size_t place = placeClosedBy(half, any_name, open);
    if (place == open.size()) {
      ++unmatched.ends;
      continue;
    }
    paired(*open[place], half.time);
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(place));
  }
  unmatched.begins = static_cast<std::int64_t>(open.size());
  return unmatched;
}

}  // namespace lanelab
