// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/causes_within.h"

#include <algorithm>

namespace lanelab {
namespace {

TimeRange cutTo(TimeRange one, TimeRange range) {
  return {std::max(one.start, range.start), std::min(one.end, range.end)};
}

void addGap(const LaneCauses& from, const ExplainedGap& gap, TimeRange range, LaneCauses& to) {
  ExplainedGap cut = gap;
  cut.range = cutTo(gap.range, range);
  if (cut.range.empty()) return;
  cut.first_piece = static_cast<std::uint32_t>(to.pieces.size());
  for (std::uint32_t i = gap.first_piece; i < gap.first_piece + gap.piece_count; ++i) {
    const CausePiece piece{cutTo(from.pieces[i].range, range), from.pieces[i].cause};
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
    const TimeRange cut = cutTo(window, range);
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
  for (const LaneCauses& lane : causes.lanes) part.lanes.push_back(laneWithin(lane, range));
  return part;
}

}  // namespace lanelab
