// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/text_table.h"

#include <algorithm>

#include "base/terminal_text.h"

namespace lanelab {

std::string textTable(std::vector<TextRow> rows, std::size_t words) {
  for (TextRow& row : rows)
    for (std::string& cell : row) cell = onOneTerminalLine(cell);
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const TextRow& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  }
  std::string text;
  for (const TextRow& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string gap(widths[c] - row[c].size(), ' ');
      line += (c == 0 ? "" : "  ") + (c < words ? row[c] + gap : gap + row[c]);
    }
    text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace lanelab
