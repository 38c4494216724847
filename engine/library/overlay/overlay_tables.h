// SPDX-License-Identifier: GPL-3.0-only
// An overlay for spreadsheets and scripts. Steps and epochs count from 0. Pure; any thread.
#pragma once

#include <string>

#include "engine/library/overlay/run_overlay.h"

namespace lanelab {

/// curve,run,id,variant,repeats,<axis>,<metric>,smoothed,differs: a row per point. Columns are named by keyOf();
/// smoothed is there with smoothing only.
std::string overlayCsv(const Overlay& overlay);

/// {"metric", "x", "smoothing", "curves": [{"name", "differs", "unfinished", "sources": [{"run", "id", "variant",
/// "repeats"}], "points": [{"x", "value", "smoothed", "source"}]}], "notes"}; null for what is not finite, "source" is
/// an index of "sources".
std::string overlayJson(const Overlay& overlay);

}  // namespace lanelab
