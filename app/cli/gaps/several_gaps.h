// SPDX-License-Identifier: GPL-3.0-only
// gaps of several traces: two side by side, more one after the other.
#pragma once

#include <stop_token>

#include "app/cli/gaps/gap_source.h"
#include "base/result.h"

namespace lanelab {

/// Prints the tables of all places of the options, which are at least two. Nothing is printed before all are read.
/// BadInput for options of one trace, and for traces that do not compare.
Status explainSeveral(const GapsArguments& options, const std::stop_token& stop);

}  // namespace lanelab
