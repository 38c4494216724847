// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/idle_causes.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/parse_number.h"
#include "profiler/analysis/cause_shares.h"

namespace lanelab {

namespace {

/// In files of our dialect that others wrote, a lane's number is its process id. Nothing where a lane has no row that
/// tells it.
std::optional<std::vector<int>> laneNumbers(const ImportedTrace& imported) {
  std::vector<int> numbers(imported.trace->lanes.size(), -1);
  for (std::size_t track = 0; track < imported.trace->tracks.size() && track < imported.rows.size(); ++track) {
    const auto lane = static_cast<std::size_t>(imported.trace->tracks[track].lane);
    const std::uint32_t process = imported.rows[track].process;
    if (imported.trace->tracks[track].kind == Track::Kind::Step || lane >= numbers.size() ||
        process >= imported.processes.size())
      continue;
    const auto number = parseNumber<int>(imported.processes[process].pid.text);
    if (!number) return std::nullopt;
    numbers[lane] = *number;
  }
  const bool all = std::all_of(numbers.begin(), numbers.end(), [](int number) { return number >= 0; });
  return all ? std::optional(numbers) : std::nullopt;
}

void nameGroups(IdleCauses& causes, const ImportedTrace& imported) {
  const std::vector<Track>& tracks = imported.trace->tracks;
  std::vector<std::vector<std::uint32_t>> of_lane(imported.trace->lanes.size());
  for (std::uint32_t track = 0; track < tracks.size(); ++track)
    if (imported.trace->laneAt(tracks[track].lane))
      of_lane[static_cast<std::size_t>(tracks[track].lane)].push_back(track);
  for (LaneCauses& lane : causes.lanes)
    lane.groups = groupTimesOf(lane, imported, of_lane[static_cast<std::size_t>(lane.lane)]);
}

}  // namespace

bool hasActions(const Trace& trace) {
  const auto isAction = [](const Span& span) { return span.category == Category::Action; };
  return std::any_of(trace.tracks.begin(), trace.tracks.end(),
                     [&](const Track& track) { return std::any_of(track.spans.begin(), track.spans.end(), isAction); });
}

CauseTimes LaneCauses::causesOf(const ExplainedGap& gap) const {
  CauseTimes times;
  for (std::uint32_t i = gap.first_piece; i < gap.first_piece + gap.piece_count; ++i)
    times[pieces[i].cause] += pieces[i].range.length();
  return times;
}

IdleCauses explainIdle(const Trace& trace, std::optional<WindowKind> windows) {
  return hasActions(trace) ? explainActions(trace, windows) : explainImported(trace, nullptr);
}

IdleCauses explainIdle(const ImportedTrace& imported, std::optional<WindowKind> windows) {
  if (!hasActions(*imported.trace)) return explainImported(*imported.trace, &imported);
  return explainIdle(imported, prepareActions(*imported.trace), windows);
}

IdleCauses explainIdle(const ImportedTrace& imported, const PreparedActions& actions,
                       std::optional<WindowKind> windows) {
  const Trace& trace = *imported.trace;
  if (!hasActions(trace)) return explainImported(trace, &imported);
  IdleCauses causes = explainActions(trace, actions, windows);
  if (!imported.groups.empty()) nameGroups(causes, imported);
  const auto numbers = imported.declared ? std::nullopt : laneNumbers(imported);
  if (numbers)
    for (LaneCauses& lane : causes.lanes) lane.lane = (*numbers)[static_cast<std::size_t>(lane.lane)];
  return causes;
}

std::vector<GapPlace> longestGaps(const IdleCauses& causes) {
  std::vector<GapPlace> places;
  for (const LaneCauses& lane : causes.lanes)
    for (const ExplainedGap& gap : lane.gaps) places.push_back({&lane, &gap});
  const auto lengthOf = [](const GapPlace& place) { return place.gap->range.length(); };
  std::ranges::stable_sort(places, std::greater(), lengthOf);
  return places;
}

std::string_view beforeText(const Trace& trace, const ExplainedGap& gap) {
  return gap.before == kNoItem ? std::string_view("end") : std::string_view(trace.names[gap.before]);
}

WorkTimes workTimes(const IdleCauses& causes) {
  WorkTimes times;
  for (const LaneCauses& lane : causes.lanes) {
    if (!lane.hasWork()) continue;
    times.window += lane.window;
    times.busy += lane.busy;
  }
  return times;
}

BubbleShares bubbleShares(const IdleCauses& causes) {
  Nanoseconds bubble = 0;
  for (const LaneCauses& lane : causes.lanes)
    if (lane.hasWork()) bubble += lane.causes[Cause::Fill] + lane.causes[Cause::Drain];
  const WorkTimes times = workTimes(causes);
  return {shareOf(bubble, times.window), shareOf(bubble, times.busy)};
}

double utilisation(const LaneCauses& lane) { return shareOf(lane.busy, lane.window); }

double utilisation(const IdleCauses& causes) {
  const WorkTimes times = workTimes(causes);
  return shareOf(times.busy, times.window);
}

}  // namespace lanelab
