// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/idle_causes.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lanelab {

namespace {

void sortGroups(std::vector<GroupTime>& times) {
  std::ranges::stable_sort(times, [](const GroupTime& a, const GroupTime& b) { return a.time > b.time; });
}

}  // namespace

std::vector<GroupTime> groupTimesOf(const LaneCauses& lane, const ImportedTrace& imported,
                                    const std::vector<std::uint32_t>& tracks) {
  if (imported.groups.empty() || lane.causes[Cause::Communication] == 0) return {};
  std::map<std::string, std::pair<GroupKind, std::vector<TimeRange>>> ranges;
  for (const std::uint32_t track : tracks) {
    const SpanColumns& spans = imported.trace->tracks[track].spans;
    for (std::size_t i = 0; i < std::min(spans.size(), imported.rows[track].groups.size()); ++i) {
      const ProcessGroup* const group = imported.groupAt(track, i);
      const Span span = spans[i];
      if (group == nullptr || span.category != Category::Communication) continue;
      auto& [kind, all] = ranges[group->title()];
      kind = group->kind;
      all.push_back(span.range());
    }
  }
  std::vector<GroupTime> times;
  for (auto& [title, of_group] : ranges) {
    const std::vector<TimeRange> joined = unionOf(std::move(of_group.second));
    Nanoseconds time = 0;
    for (const CausePiece& piece : lane.pieces)
      if (piece.cause == Cause::Communication) time += coveredTime(joined, piece.range);
    if (time > 0) times.push_back({of_group.first, title, time});
  }
  sortGroups(times);
  return times;
}

void addGroupTimes(std::vector<GroupTime>& sum, const std::vector<GroupTime>& more) {
  for (const GroupTime& one : more) {
    const auto same = std::ranges::find(sum, one.title, &GroupTime::title);
    if (same == sum.end()) {
      sum.push_back(one);
    } else {
      same->time += one.time;
    }
  }
  sortGroups(sum);
}

}  // namespace lanelab
