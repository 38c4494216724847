// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/aligned_table.h"

#include <algorithm>

#include "base/terminal_text.h"

namespace lanelab {
namespace {

/// How many columns a UTF-8 text takes on a terminal, near enough for Latin names.
std::size_t widthOf(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string alignedTable(std::vector<std::vector<std::string>> rows) {
  for (std::vector<std::string>& row : rows)
    for (std::string& cell : row) cell = onOneTerminalLine(cell);
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], widthOf(row[c]));
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string blanks(widths[c] - widthOf(row[c]), ' ');
      const bool left = c == 0 || c + 1 == row.size();
      if (c > 0) text += "  ";
      text += left ? row[c] + (c + 1 == row.size() ? "" : blanks) : blanks + row[c];
    }
    text += "\n";
  }
  return text;
}

}  // namespace lanelab
