// SPDX-License-Identifier: GPL-3.0-only
// Reads CSV strictly by RFC 4180: CRLF at the end of each row, quotes only around whole cells, as many cells in each
// row as there are titles.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lanelab {

struct CsvCells {
  std::vector<std::vector<std::string>> rows;
  std::string fault;  ///< empty: the text keeps the rules
};

CsvCells cellsOf(std::string_view csv);

}  // namespace lanelab
