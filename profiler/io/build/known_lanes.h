// SPDX-License-Identifier: GPL-3.0-only
// The lanes that tracks and counters of a file name.
#pragma once

#include "profiler/trace/trace.h"

namespace lanelab {

/// Adds lanes that tracks name and that are missing, up to a few thousand. What names a lane beyond belongs to none
/// (-1).
void addMissingLanes(Trace& trace);

}  // namespace lanelab
