#include "profiler/analysis/idle_causes.h"

#include <algorithm>

#include "profiler/analysis/action_causes.h"
#include "profiler/analysis/foreign_causes.h"
#include "profiler/analysis/lane_causes.h"

namespace lanelab {

namespace {

bool hasActions(const Trace& trace) {
  const auto isAction = [](const Span& span) { return span.category == Category::Action; };
  return std::any_of(trace.tracks.begin(), trace.tracks.end(),
                     [&](const Track& track) { return std::any_of(track.spans.begin(), track.spans.end(), isAction); });
}

}  // namespace

CauseTimes LaneCauses::causesOf(const ExplainedGap& gap) const {
  CauseTimes times;
  for (std::uint32_t i = gap.first_piece; i < gap.first_piece + gap.piece_count; ++i) times[pieces[i].cause] += pieces[i].range.length();
  return times;
}

CauseTimes IdleCauses::total() const {
  CauseTimes sum;
  for (const LaneCauses& lane : lanes) sum += lane.causes;
  return sum;
}

void addGap(LaneCauses& lane, TimeRange gap, int step, std::uint32_t before, const std::vector<CausePiece>& pieces) {
  const auto first = static_cast<std::uint32_t>(lane.pieces.size());
  lane.gaps.push_back({gap, step, before, first, static_cast<std::uint32_t>(pieces.size())});
  lane.pieces.insert(lane.pieces.end(), pieces.begin(), pieces.end());
  lane.idle += gap.length();
  for (const CausePiece& piece : pieces) lane.causes[piece.cause] += piece.range.length();
}

void sortGaps(LaneCauses& lane) {
  const auto startsFirst = [](const ExplainedGap& a, const ExplainedGap& b) { return a.range.start < b.range.start; };
  if (!std::is_sorted(lane.gaps.begin(), lane.gaps.end(), startsFirst)) std::stable_sort(lane.gaps.begin(), lane.gaps.end(), startsFirst);
}

IdleCauses explainIdle(const Trace& trace) { return hasActions(trace) ? explainActions(trace) : explainForeign(trace, foreignLanesOf(trace)); }

IdleCauses explainIdle(const ImportedTrace& imported) {
  const Trace& trace = *imported.trace;
  return hasActions(trace) ? explainActions(trace) : explainForeign(trace, foreignLanesOf(imported));
}

std::vector<GapPlace> longestGaps(const IdleCauses& causes) {
  std::vector<GapPlace> places;
  for (const LaneCauses& lane : causes.lanes)
    for (const ExplainedGap& gap : lane.gaps) places.push_back({&lane, &gap});
  const auto longer = [](const GapPlace& a, const GapPlace& b) { return a.gap->range.length() > b.gap->range.length(); };
  std::stable_sort(places.begin(), places.end(), longer);
  return places;
}

std::string_view beforeText(const Trace& trace, const ExplainedGap& gap) {
  return gap.before == no_item ? std::string_view("end") : std::string_view(trace.names[gap.before]);
}

}  // namespace lanelab
