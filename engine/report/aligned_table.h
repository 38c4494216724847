// SPDX-License-Identifier: GPL-3.0-only
// Tables for a terminal.
#pragma once

#include <string>
#include <vector>

namespace lanelab {

/// Rows of equally many cells, titles first. First and last column stand left, figures right.
std::string alignedTable(std::vector<std::vector<std::string>> rows);

}  // namespace lanelab
