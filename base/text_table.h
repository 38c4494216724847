// SPDX-License-Identifier: GPL-3.0-only
// The one writer of tables for a terminal: columns as wide as their longest cell, two spaces apart. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lanelab {

using TextRow = std::vector<std::string>;

/// What the last column holds: numbers as the ones before it, or words such as a remark.
enum class LastColumn { Number, Words };

/// The first row holds the headers; all have as many cells. The first `words` columns are words, aligned left; the
/// others are numbers, aligned right. Widths count the columns of a terminal, not bytes. Lines end without spaces;
/// control characters in a cell are shown escaped.
std::string textTable(std::vector<TextRow> rows, std::size_t words, LastColumn last = LastColumn::Number);

}  // namespace lanelab
