// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/busy_pyramid.h"

namespace lanelab {
namespace {

constexpr std::size_t kFewest = 1024;  ///< spans that are as quickly read one by one
constexpr std::size_t kTop = 4;        ///< groups that need none above them

/// Gathers a group; sums in double, so that it is rounded once.
class Gathered {
 public:
  void add(const Span& span) {
    const auto length = static_cast<double>(span.end - span.start);
    add(ColorKind::of(span), span.range(), length, length);
  }
  void add(const BusyGroup& group) { add(group.kind, {group.start, group.end()}, group.busy, group.longest); }
  BusyGroup group() const {
    return {m_range.start, static_cast<float>(m_range.length()), static_cast<float>(m_busy),
            static_cast<float>(m_longest), m_kind};
  }

 private:
  void add(ColorKind kind, TimeRange range, double busy, double longest) {
    if (m_longest < 0) m_range.start = range.start;
    m_range.end = range.end;
    m_busy += busy;
    if (longest <= m_longest) return;
    m_longest = longest;
    m_kind = kind;
  }

  TimeRange m_range;
  double m_busy = 0;
  double m_longest = -1;
  ColorKind m_kind;  ///< of the longest
};

}  // namespace

void BusyPyramid::update(const SpanIndices& spans, const Track& track, std::size_t known) {
  m_spans = spans.size();
  if (m_spans < kFewest) {
    m_levels.clear();
    return;
  }
  std::size_t from_group = m_levels.empty() ? 0 : known / kSpans;
  if (m_levels.empty()) m_levels.emplace_back();
  updateFinest(spans, track, from_group);
  std::size_t level = 1;
  for (; m_levels[level - 1].size() > kTop; ++level) {
    if (level == m_levels.size()) m_levels.emplace_back();
    from_group = std::min(from_group / kBranch, m_levels[level].size());
    updateAbove(level, from_group);
  }
  m_levels.resize(level);
}

void BusyPyramid::updateFinest(const SpanIndices& spans, const Track& track, std::size_t from_group) {
  Level& level = m_levels.front();
  level.truncate(from_group);
  for (std::size_t position = from_group * kSpans; position < m_spans;) {
    Gathered gathered;
    for (const std::size_t end = std::min(position + kSpans, m_spans); position < end; ++position)
      gathered.add(track.spans[spans[position]]);
    level.push_back(gathered.group());
  }
}

void BusyPyramid::updateAbove(std::size_t level, std::size_t from_group) {
  const Level& below = m_levels[level - 1];
  Level& above = m_levels[level];
  above.truncate(from_group);
  for (std::size_t i = from_group * kBranch; i < below.size();) {
    Gathered gathered;
    for (const std::size_t end = std::min(i + kBranch, below.size()); i < end; ++i) gathered.add(below[i]);
    above.push_back(gathered.group());
  }
}

}  // namespace lanelab
