// SPDX-License-Identifier: GPL-3.0-only
// A table for a terminal: columns as wide as their longest cell, two blanks apart.
#pragma once

#include <string>
#include <vector>

namespace lanelab {

using TextRow = std::vector<std::string>;

/// The first row holds the headers; all have as many cells. The first `words` columns are words, aligned left; the
/// others are numbers, aligned right. Lines end without blanks; control characters in a cell are shown escaped.
std::string textTable(std::vector<TextRow> rows, std::size_t words);

}  // namespace lanelab
