// SPDX-License-Identifier: GPL-3.0-only
// Tables of the window as text: what an item view displays as CSV, and CSV as cells that spreadsheets paste. Pure.
#pragma once

#include <QString>
#include <string>
#include <string_view>

class QAbstractItemModel;

namespace lanelab {

/// Displayed texts of all rows and columns below the header line, as base/csv.h writes them.
std::string tableCsv(const QAbstractItemModel& model);

/// Tabs between cells and a newline after each row; tabs and newlines within a cell become spaces.
QString tabSeparated(std::string_view csv);

}  // namespace lanelab
