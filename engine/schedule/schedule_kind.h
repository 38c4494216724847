// SPDX-License-Identifier: GPL-3.0-only
// The schedules by name: those that generate.h makes, and the one that is given action by action. What tells one from
// the others is its row of schedule_kind.cpp, so a new schedule is a new row.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/words.h"

namespace lanelab {

struct Action;
struct ScheduleRequest;

enum class ScheduleKind {
  Gpipe,
  OneFOneB,
  InterleavedOneFOneB,
  LoopedBfs,
  ZbH1,
  InterleavedZb,
  ZbV,
  VHalf,
  VMin,
  DualPipeV,
  Hanayo,
  List,
  Custom
};

/// How a schedule wants its stages placed on p lanes.
enum class StageLayout {
  Any,
  RoundRobin,  ///< stage s on lane s mod p, a multiple of p stages
  V,           ///< 2p stages: down the lanes and back, stage s and stage 2p-1-s on one lane
  Waves        ///< one V after the other, a multiple of 2p stages
};

enum class WarmUp {
  None,  ///< all forwards come first
  Own,   ///< what it is belongs to the order
  Given  ///< it can be given a depth (ScheduleLimits::warm_up)
};

struct ScheduleRow {
  ScheduleKind kind;
  std::string_view word;   ///< in files and on the command line
  std::string_view title;  ///< in sentences
  std::string_view tip;    ///< what it does and needs
  StageLayout layout = StageLayout::Any;
  WarmUp warm_up = WarmUp::Own;
  bool splits_backward = false;  ///< in two parts, I and W; a custom one may do so, too
  int most_lanes = 0;            ///< 0: no limit of its own
  std::vector<std::vector<Action>> (*rows)(const ScheduleRequest&) = nullptr;  ///< none: not generated
};

/// In the order of the enum.
std::span<const ScheduleRow> scheduleRows();
const ScheduleRow& rowOf(ScheduleKind kind);

std::span<const Word<ScheduleKind>> wordTable(ScheduleKind);

inline std::string_view titleOf(ScheduleKind kind) { return rowOf(kind).title; }
inline StageLayout layoutOf(ScheduleKind kind) { return rowOf(kind).layout; }
inline bool splitsBackward(ScheduleKind kind) { return rowOf(kind).splits_backward; }
inline bool takesWarmUp(ScheduleKind kind) { return rowOf(kind).warm_up == WarmUp::Given; }

/// Whether stages go down the lanes and back, so that two neighbours share the last lane.
inline bool turnsAtTheLastLane(ScheduleKind kind) {
  return layoutOf(kind) == StageLayout::V || layoutOf(kind) == StageLayout::Waves;
}

}  // namespace lanelab
