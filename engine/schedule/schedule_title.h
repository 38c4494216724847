// SPDX-License-Identifier: GPL-3.0-only
// What the schedules are called in sentences; files and commands have their words.
#pragma once

#include "engine/schedule/schedule_kind.h"

namespace lanelab {

constexpr std::string_view titleOf(ScheduleKind kind) {
  switch (kind) {
    case ScheduleKind::Gpipe: return "GPipe";
    case ScheduleKind::OneFOneB: return "1F1B";
    case ScheduleKind::InterleavedOneFOneB: return "Interleaved 1F1B";
    case ScheduleKind::LoopedBfs: return "Looped BFS";
    case ScheduleKind::ZbH1: return "ZB-H1";
    case ScheduleKind::InterleavedZb: return "Interleaved ZB";
    case ScheduleKind::ZbV: return "ZB-V";
    case ScheduleKind::VHalf: return "V-Half";
    case ScheduleKind::VMin: return "V-Min";
    case ScheduleKind::DualPipeV: return "DualPipeV";
    case ScheduleKind::Hanayo: return "Hanayo";
    case ScheduleKind::List: return "By stage times";
    case ScheduleKind::Custom: return "Edited";
  }
  return {};
}

}  // namespace lanelab
