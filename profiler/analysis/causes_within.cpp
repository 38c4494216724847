// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/causes_within.h"

#include <algorithm>

#include "profiler/analysis/gap_walk.h"

namespace lanelab {
namespace {

void addGap(const LaneCauses& from, const ExplainedGap& gap, TimeRange range, LaneCauses& to) {
  ExplainedGap cut = gap;
  cut.range = intersection(gap.range, range);
  if (cut.range.empty()) return;
  cut.first_piece = static_cast<std::uint32_t>(to.pieces.size());
  for (std::uint32_t i = gap.first_piece; i < gap.first_piece + gap.piece_count; ++i) {
    const CausePiece piece{intersection(from.pieces[i].range, range), from.pieces[i].cause};
    if (piece.range.empty()) continue;
    to.pieces.push_back(piece);
    to.causes[piece.cause] += piece.range.length();
  }
  cut.piece_count = static_cast<std::uint32_t>(to.pieces.size()) - cut.first_piece;
  to.idle += cut.range.length();
  to.gaps.push_back(cut);
}

LaneCauses laneWithin(const LaneCauses& lane, TimeRange range) {
  LaneCauses part;
  part.lane = lane.lane;
  part.name = lane.name;
  part.works_elsewhere = lane.hasWork();
  for (const TimeRange& window : lane.windows) {
    const TimeRange cut = intersection(window, range);
    if (cut.empty()) continue;
    part.windows.push_back(cut);
    part.window += cut.length();
  }
  for (const ExplainedGap& gap : lane.gaps) addGap(lane, gap, range, part);
  part.busy = part.window - part.idle;
  return part;
}

}  // namespace

IdleCauses causesWithin(const IdleCauses& causes, TimeRange range) {
  IdleCauses part;
  part.work = causes.work;
  part.window_kind = causes.window_kind;
  part.replicas = causes.replicas;
  part.splits_backward = causes.splits_backward;
  part.interleaves = causes.interleaves;
  part.processors = causes.processors;
  for (const LaneCauses& lane : causes.lanes) part.lanes.push_back(laneWithin(lane, range));
  return part;
}

LaneCauses cutToWindows(const LaneCauses& lane, const std::vector<StepWindow>& windows) {
  LaneCauses cut;
  cut.lane = lane.lane;
  cut.name = lane.name;
  for (const StepWindow& window : windows) {
    if (window.range.empty()) continue;
    cut.windows.push_back(window.range);
    cut.window += window.range.length();
    const std::size_t first = cut.gaps.size();
    const auto ends_before = [](Nanoseconds time, const ExplainedGap& gap) { return time < gap.range.end; };
    auto gap = std::upper_bound(lane.gaps.begin(), lane.gaps.end(), window.range.start, ends_before);
    for (; gap != lane.gaps.end() && gap->range.start < window.range.end; ++gap) addGap(lane, *gap, window.range, cut);
    for (std::size_t i = first; i < cut.gaps.size(); ++i) cut.gaps[i].step = window.step;
  }
  cut.busy = cut.window - cut.idle;
  if (!std::ranges::is_sorted(cut.gaps, {}, kStartOf)) std::ranges::stable_sort(cut.gaps, {}, kStartOf);
  return cut;
}

}  // namespace lanelab
