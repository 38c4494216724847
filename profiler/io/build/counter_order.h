// SPDX-License-Identifier: GPL-3.0-only
// The values of a counter by time.
#pragma once

#include "profiler/trace/trace.h"

namespace lanelab {

/// Values of the same time keep their order.
void sortByTime(Counter& counter);

}  // namespace lanelab
