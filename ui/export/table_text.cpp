// SPDX-License-Identifier: GPL-3.0-only
#include "ui/export/table_text.h"

#include <QAbstractItemModel>

#include "base/csv.h"

namespace lanelab {

namespace {

/// In words where the header is a sign.
QString titleOf(const QAbstractItemModel& model, int column) {
  const QVariant words = model.headerData(column, Qt::Horizontal, Qt::AccessibleTextRole);
  return (words.isValid() ? words : model.headerData(column, Qt::Horizontal)).toString();
}

}  // namespace

std::string tableCsv(const QAbstractItemModel& model) {
  const int columns = model.columnCount();
  std::string titles, text;
  for (int column = 0; column < columns; ++column) {
    if (column > 0) titles += ',';
    appendCsvText(titles, titleOf(model, column).toStdString());
  }
  CsvTable table(text, titles);
  for (int row = 0; row < model.rowCount(); ++row) {
    for (int column = 0; column < columns; ++column)
      table.text(model.index(row, column).data(Qt::DisplayRole).toString().toStdString());
    table.endRow();
  }
  return text;
}

QString tabSeparated(std::string_view csv) {
  std::string text;
  bool quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    const char c = csv[i];
    if (c == '"') {
      if (quoted && i + 1 < csv.size() && csv[i + 1] == '"')
        text += csv[++i];
      else
        quoted = !quoted;
    } else if (quoted) {
      text += c == '\t' || c == '\n' || c == '\r' ? ' ' : c;
    } else if (c != '\r') {
      text += c == ',' ? '\t' : c;
    }
  }
  return QString::fromStdString(text);
}

}  // namespace lanelab
