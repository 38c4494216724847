// SPDX-License-Identifier: GPL-3.0-only
// The schedules by name: those that generate.h makes, and the one that is given action by action.
#pragma once

#include "base/words.h"

namespace lanelab {

enum class ScheduleKind { Gpipe, OneFOneB, InterleavedOneFOneB, LoopedBfs, ZbH1, ZbV, List, Custom };

constexpr std::array<Word<ScheduleKind>, 8> wordTable(ScheduleKind) {
  return {{{ScheduleKind::Gpipe, "gpipe"},
           {ScheduleKind::OneFOneB, "1f1b"},
           {ScheduleKind::InterleavedOneFOneB, "interleaved-1f1b"},
           {ScheduleKind::LoopedBfs, "looped-bfs"},
           {ScheduleKind::ZbH1, "zb-h1"},
           {ScheduleKind::ZbV, "zb-v"},
           {ScheduleKind::List, "list"},
           {ScheduleKind::Custom, "custom"}}};
}

}  // namespace lanelab
