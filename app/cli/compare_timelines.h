// SPDX-License-Identifier: GPL-3.0-only
// The part of `compare` that lays two timelines on one axis.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace lanelab {

/// Prints the mean length of each stage's phases in both timelines; `variants` are two, of the first folder and of the
/// last. The table of all cells goes to `csv` where that is no empty name.
Status compareTimelines(const std::vector<std::string>& folders, const std::vector<std::string>& variants,
                        const std::string& csv);

}  // namespace lanelab
