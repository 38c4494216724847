// SPDX-License-Identifier: GPL-3.0-only
// Times of GPU work that cannot be: none at all, and times that last over later work of their own stream.
//
// Times are int64 nanoseconds. Linear in the spans; n log n in what is left out.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/io/build/import_builder.h"

namespace lanelab {

/// Leaves out kernels, copies and memsets whose time a profiler did not collect: it writes 0, far from all other times
/// of the file. Cuts those that last over the whole of later work of their stream at the begin of the next, since a
/// stream does one after another (AMD-AGI/TraceLens#669); work of one launch, as of a CUDA graph, may run side by side,
/// and so may what is of no stream by number or of the category `mtia` (a label; 0: the file has none). Both are
/// counted in `imported` (no_time, overlap_of_later_work), which gets a remark; arrows to what is left out go, too
/// (LeftOutWork). Rows are sorted, their times and those of the arrows count from the clock's zero, and the arrows name
/// these rows.
void correctImpossibleTimes(std::vector<DraftRow>& rows, const NameTable& names, std::uint16_t mtia,
                            ImportedTrace& imported);

}  // namespace lanelab
