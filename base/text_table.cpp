// SPDX-License-Identifier: GPL-3.0-only
#include "base/text_table.h"

#include <algorithm>

#include "base/terminal_text.h"

namespace lanelab {
namespace {

std::vector<std::size_t> columnWidths(const std::vector<TextRow>& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const TextRow& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], terminalWidth(row[c]));
  }
  return widths;
}

}  // namespace

std::string textTable(std::vector<TextRow> rows, std::size_t words, LastColumn last) {
  for (TextRow& row : rows)
    for (std::string& cell : row) cell = onOneTerminalLine(cell);
  const std::vector<std::size_t> widths = columnWidths(rows);
  const auto isWords = [&](std::size_t c) {
    return c < words || (last == LastColumn::Words && c + 1 == widths.size());
  };
  std::string text;
  for (const TextRow& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string gap(widths[c] - terminalWidth(row[c]), ' ');
      line += (c == 0 ? "" : "  ") + (isWords(c) ? row[c] + gap : gap + row[c]);
    }
    text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace lanelab
