// SPDX-License-Identifier: GPL-3.0-only
// The schedules by name: those that generate.h makes, and the one that is given action by action.
#pragma once

#include "base/words.h"

namespace lanelab {

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

constexpr std::array<Word<ScheduleKind>, 13> wordTable(ScheduleKind) {
  return {{{ScheduleKind::Gpipe, "gpipe"},
           {ScheduleKind::OneFOneB, "1f1b"},
           {ScheduleKind::InterleavedOneFOneB, "interleaved-1f1b"},
           {ScheduleKind::LoopedBfs, "looped-bfs"},
           {ScheduleKind::ZbH1, "zb-h1"},
           {ScheduleKind::InterleavedZb, "interleaved-zb"},
           {ScheduleKind::ZbV, "zb-v"},
           {ScheduleKind::VHalf, "v-half"},
           {ScheduleKind::VMin, "v-min"},
           {ScheduleKind::DualPipeV, "dualpipe-v"},
           {ScheduleKind::Hanayo, "hanayo"},
           {ScheduleKind::List, "list"},
           {ScheduleKind::Custom, "custom"}}};
}

/// How a schedule wants its stages placed on p lanes.
enum class StageLayout {
  Any,
  RoundRobin,  ///< stage s on lane s mod p, a multiple of p stages
  V,           ///< 2p stages: down the lanes and back, stage s and stage 2p-1-s on one lane
  Waves        ///< one V after the other, a multiple of 2p stages
};

constexpr StageLayout layoutOf(ScheduleKind kind) {
  switch (kind) {
    case ScheduleKind::InterleavedOneFOneB:
    case ScheduleKind::InterleavedZb:
    case ScheduleKind::LoopedBfs: return StageLayout::RoundRobin;
    case ScheduleKind::ZbV:
    case ScheduleKind::VHalf:
    case ScheduleKind::VMin:
    case ScheduleKind::DualPipeV: return StageLayout::V;
    case ScheduleKind::Hanayo: return StageLayout::Waves;
    case ScheduleKind::Gpipe:
    case ScheduleKind::OneFOneB:
    case ScheduleKind::ZbH1:
    case ScheduleKind::List:
    case ScheduleKind::Custom: break;
  }
  return StageLayout::Any;
}

/// Whether stages go down the lanes and back, so that two neighbours share the last lane.
constexpr bool turnsAtTheLastLane(ScheduleKind kind) {
  return layoutOf(kind) == StageLayout::V || layoutOf(kind) == StageLayout::Waves;
}

/// Whether backwards are done in two parts, I and W; a custom one may do so, too.
constexpr bool splitsBackward(ScheduleKind kind) {
  return kind == ScheduleKind::ZbH1 || kind == ScheduleKind::InterleavedZb || kind == ScheduleKind::ZbV ||
         kind == ScheduleKind::VHalf || kind == ScheduleKind::VMin || kind == ScheduleKind::DualPipeV ||
         kind == ScheduleKind::List;
}

/// Whether its warm-up can be given a depth (ScheduleLimits::warm_up).
constexpr bool takesWarmUp(ScheduleKind kind) {
  return kind == ScheduleKind::OneFOneB || kind == ScheduleKind::InterleavedOneFOneB || kind == ScheduleKind::ZbH1 ||
         kind == ScheduleKind::Hanayo || kind == ScheduleKind::List;
}

}  // namespace lanelab
