// SPDX-License-Identifier: GPL-3.0-only
// Medians and other quantiles, by linear interpolation between the values (type 7 of Hyndman and Fan, the default of R
// and NumPy). Pure; any thread.
#pragma once

#include <span>
#include <vector>

namespace lanelab {

/// `sorted` holds one value or more; `share` from 0 to 1.
double quantileOfSorted(std::span<const double> sorted, double share);

/// 0 for none.
double medianOf(std::vector<double> values);

}  // namespace lanelab
