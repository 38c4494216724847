// A row's spans in groups of groups, each with the time that it was busy: what a zoomed-out view reads instead of every span, without losing idle
// time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

/// Neighbouring spans of a row.
struct BusyGroup {
  Nanoseconds start = 0;       ///< of the first span
  Nanoseconds end = 0;         ///< of the last span
  Nanoseconds busy = 0;        ///< all their lengths
  Nanoseconds longest = 0;     ///< the longest one's length
  std::uint32_t position = 0;  ///< the longest one's position in the row
  Category category = Category::Other;  ///< the longest one's, and its phase: the colour
  Phase phase = Phase::None;
};

/// Levels of a tree with wide branches: 16 spans to a group, 4 groups to a group of the next level; about 3 bytes a span. Immutable.
/// The levels are those of gigatrace and Perfetto's mipmap; that groups keep their busy time is ours.
class BusyPyramid {
 public:
  static constexpr std::size_t kSpans = 16;
  static constexpr std::size_t kBranch = 4;

  BusyPyramid() = default;
  /// Of `spans` (indices into the track's spans; disjoint, by start).
  BusyPyramid(const std::vector<std::uint32_t>& spans, const Track& track);

  bool empty() const { return m_levels.empty(); }
  /// Visits what touches `range`, in order of time: `on_group(group)` where `whole(group)`, else `on_span(position)` for each of its spans.
  template <class Whole, class OnGroup, class OnSpan>
  void visit(TimeRange range, const Whole& whole, const OnGroup& on_group, const OnSpan& on_span) const {
    if (!m_levels.empty()) visitLevel(m_levels.size() - 1, 0, m_levels.back().size(), range, whole, on_group, on_span);
  }

 private:
  template <class Whole, class OnGroup, class OnSpan>
  void visitLevel(std::size_t level, std::size_t from, std::size_t to, TimeRange range, const Whole& whole, const OnGroup& on_group,
                  const OnSpan& on_span) const {
    for (std::size_t i = from; i < to; ++i) {
      const BusyGroup& group = m_levels[level][i];
      if (group.end <= range.start) continue;
      if (group.start >= range.end) return;
      if (whole(group)) {
        on_group(group);
      } else if (level > 0) {
        const std::size_t first = i * kBranch;
        visitLevel(level - 1, first, std::min(first + kBranch, m_levels[level - 1].size()), range, whole, on_group, on_span);
      } else {
        for (std::size_t position = i * kSpans; position < std::min((i + 1) * kSpans, m_spans); ++position) on_span(position);
      }
    }
  }

  std::size_t m_spans = 0;
  std::vector<std::vector<BusyGroup>> m_levels;  ///< the finest first
};

}  // namespace lanelab
