// SPDX-License-Identifier: GPL-3.0-only
// Arrows of several processes that have one id, since each rank of a merged file numbers its own.
#pragma once

#include <functional>

#include "profiler/trace/imported_trace.h"

namespace lanelab {

/// Makes an arrow for each process of those that begin at several processes, if each of their other ends belongs to one
/// of these (ProcessFamilies); the first keeps the id. Of launches (`launches` of the label) that nothing tells apart
/// no arrow is left, which is noted as ambiguous_flow; others stay as they are. Linear in the ends.
void separateFlows(ImportedTrace& imported, const std::function<bool(std::uint16_t)>& launches);

}  // namespace lanelab
