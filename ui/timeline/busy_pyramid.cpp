#include "ui/timeline/busy_pyramid.h"

namespace lanelab {
namespace {

constexpr std::size_t kFewest = 1024;  ///< spans that are as quickly read one by one

void include(BusyGroup& group, const BusyGroup& part) {
  group.end = std::max(group.end, part.end);
  group.busy += part.busy;
  if (part.longest <= group.longest) return;
  group.longest = part.longest;
  group.position = part.position;
  group.category = part.category;
  group.phase = part.phase;
}

}  // namespace

BusyPyramid::BusyPyramid(const std::vector<std::uint32_t>& spans, const Track& track) : m_spans(spans.size()) {
  if (spans.size() < kFewest) return;
  std::vector<BusyGroup> level;
  level.reserve(spans.size() / kSpans + 1);
  for (std::size_t position = 0; position < spans.size(); ++position) {
    const Span span = track.spans[spans[position]];
    const Nanoseconds length = span.end - span.start;
    const BusyGroup one{span.start, span.end, length, length, static_cast<std::uint32_t>(position), span.category, span.phase};
    if (position % kSpans == 0)
      level.push_back(one);
    else
      include(level.back(), one);
  }
  m_levels.push_back(std::move(level));
  while (m_levels.back().size() > kBranch) {
    std::vector<BusyGroup> above;
    above.reserve(m_levels.back().size() / kBranch + 1);
    for (std::size_t i = 0; i < m_levels.back().size(); ++i) {
      if (i % kBranch == 0)
        above.push_back(m_levels.back()[i]);
      else
        include(above.back(), m_levels.back()[i]);
    }
    m_levels.push_back(std::move(above));
  }
}

}  // namespace lanelab
