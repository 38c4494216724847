// SPDX-License-Identifier: GPL-3.0-only
// Lists of numbers as curves: smoothed, and with no more points than can be seen. Pure; linear in time.
#pragma once

#include <cstddef>
#include <vector>

namespace lanelab {

/// The exponential moving average with this weight of the past, 0 (none) to below 1, without the bias of its start:
/// the first value remains, and a constant remains itself. Numbers that are not finite remain, and count for nothing.
std::vector<double> smoothed(const std::vector<double>& values, double weight);

/// Indices of at most about `most` values, ascending, so that a line through them covers what one through all does:
/// the first, the last, and of equal parts the lowest and the highest. All if they are no more, and with them the first
/// that is not finite of each part, where the line has a gap.
std::vector<std::size_t> seenPoints(const std::vector<double>& values, std::size_t most);

}  // namespace lanelab
