// SPDX-License-Identifier: GPL-3.0-only
// A row's spans in groups of groups, each with the time that it was busy: what a zoomed-out view reads instead of every
// span, without losing idle time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "profiler/trace/trace.h"
#include "ui/timeline/model/shared_list.h"
#include "ui/timeline/model/span_indices.h"

namespace lanelab {

/// Whether a span of another program's trace has a colour by its name, and not by what it is.
constexpr bool hasNameColor(Category category) {
  return category != Category::Action && category != Category::Communication && category != Category::Memcpy;
}
inline constexpr std::uint16_t kAnyName = 0xffff;

/// What of a span gives its colour.
struct ColorKind {
  Category category = Category::Other;
  Phase phase = Phase::None;
  /// The place in Trace::names, in two bytes: what has no colour by its name, and names beyond the first 65 thousand,
  /// have none.
  std::uint16_t name = kAnyName;

  static ColorKind of(const Span& span) {
    const bool named = hasNameColor(span.category) && span.name < kAnyName;
    return {span.category, span.phase, named ? static_cast<std::uint16_t>(span.name) : kAnyName};
  }
  bool operator==(const ColorKind&) const = default;
};

/// Neighbouring spans of a row. All but the start to seven figures, which is far less than a pixel.
struct BusyGroup {
  Nanoseconds start = 0;  ///< of the first span
  float length = 0;       ///< to the end of the last span
  float busy = 0;         ///< all their lengths
  float longest = 0;      ///< the longest one's length
  ColorKind kind;         ///< the longest one's

  Nanoseconds end() const { return start + static_cast<Nanoseconds>(length); }
};
static_assert(sizeof(BusyGroup) == 24);

/// Levels of a tree with wide branches: 4 spans to a group, 4 groups to a group of the next level; 8 bytes a span.
/// Copies share what they have in common. The levels are those of gigatrace and Perfetto's mipmap; that groups keep
/// their busy time is ours.
class BusyPyramid {
 public:
  static constexpr std::size_t kSpans = 4;
  static constexpr std::size_t kBranch = 4;

  /// Brings it up to date with `spans` (disjoint, by start), of which the first `known` are those of the last time.
  void update(const SpanIndices& spans, const Track& track, std::size_t known);

  bool empty() const { return m_levels.empty(); }
  /// Visits what touches `range`, in order of time: `on_group(group)` where `whole(group)`, else `on_span(position)`
  /// for each of its spans.
  template <class Whole, class OnGroup, class OnSpan>
  void visit(TimeRange range, const Whole& whole, const OnGroup& on_group, const OnSpan& on_span) const {
    if (!m_levels.empty()) visitLevel(m_levels.size() - 1, 0, m_levels.back().size(), range, whole, on_group, on_span);
  }

 private:
  using Level = SharedList<BusyGroup>;

  void updateFinest(const SpanIndices& spans, const Track& track, std::size_t from_group);
  void updateAbove(std::size_t level, std::size_t from_group);

  template <class Whole, class OnGroup, class OnSpan>
  void visitLevel(std::size_t level, std::size_t from, std::size_t to, TimeRange range, const Whole& whole,
                  const OnGroup& on_group, const OnSpan& on_span) const {
    for (std::size_t i = from; i < to; ++i) {
      const BusyGroup& group = m_levels[level][i];
      if (group.start >= range.end) return;
      if (group.end() <= range.start) continue;
      if (whole(group)) {
        on_group(group);
      } else if (level > 0) {
        const std::size_t first = i * kBranch;
        visitLevel(level - 1, first, std::min(first + kBranch, m_levels[level - 1].size()), range, whole, on_group,
                   on_span);
      } else {
        for (std::size_t position = i * kSpans; position < std::min((i + 1) * kSpans, m_spans); ++position)
          on_span(position);
      }
    }
  }

  std::size_t m_spans = 0;
  std::vector<Level> m_levels;  ///< the finest first
};

}  // namespace lanelab
