// SPDX-License-Identifier: GPL-3.0-only
#include "tests/unit/injection/csv_cells.h"

#include "tests/unit/injection/strict_reader.h"

namespace lanelab {
namespace {

class CellReader : StrictReader {
 public:
  explicit CellReader(std::string_view csv) : StrictReader(csv) {}

  CsvCells read() {
    while (!m_rest.empty() && m_fault.empty()) row();
    for (const auto& row : m_found.rows)
      if (row.size() != m_found.rows.front().size()) fail("a row with another number of cells");
    m_found.fault = m_fault;
    return std::move(m_found);
  }

 private:
  std::string quotedCell() {
    std::string cell;
    while (true) {
      const std::size_t quote = m_rest.find('"');
      if (quote == std::string_view::npos) return fail("a quote without an end"), cell;
      cell += m_rest.substr(0, quote);
      m_rest.remove_prefix(quote + 1);
      if (!skip("\"")) return cell;
      cell += '"';
    }
  }

  std::string plainCell() {
    const std::size_t length = m_rest.find_first_of(",\r\n\"");
    const std::string cell(m_rest.substr(0, length));
    m_rest.remove_prefix(cell.size());
    return cell;
  }

  void row() {
    std::vector<std::string>& cells = m_found.rows.emplace_back();
    do cells.push_back(skip("\"") ? quotedCell() : plainCell());
    while (skip(","));
    if (!skip("\r\n")) fail("a row that does not end in CRLF");
  }

  CsvCells m_found;
};

}  // namespace

CsvCells cellsOf(std::string_view csv) { return CellReader(csv).read(); }

}  // namespace lanelab
