// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/rows_layout.h"

#include <QWidget>
#include <algorithm>

#include "ui/look/theme.h"

namespace lanelab {

RowsLayout::RowsLayout() {
  setSpacing(look::kGrid);
  setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
  setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
}

void RowsLayout::setRowShown(QWidget* field, bool shown) {
  if (m_rows.empty()) rememberRows();
  const auto row = std::find_if(m_rows.begin(), m_rows.end(), [field](const Row& one) { return one.field == field; });
  if (row == m_rows.end() || row->shown == shown) return;
  row->shown = shown;
  if (!shown) return takeOut(*row);
  const auto above = static_cast<int>(std::count_if(m_rows.begin(), row, [](const Row& one) { return one.shown; }));
  if (row->label)
    insertRow(above, row->label, field);
  else
    insertRow(above, field);
  if (row->label) row->label->show();
  field->show();
}

bool RowsLayout::isRowShown(const QWidget* field) const {
  return std::ranges::none_of(m_rows, [field](const Row& one) { return one.field == field && !one.shown; });
}

void RowsLayout::rememberRows() {
  for (int row = 0; row < rowCount(); ++row) {
    const auto widgetOf = [this, row](ItemRole role) {
      return itemAt(row, role) ? itemAt(row, role)->widget() : nullptr;
    };
    QWidget* const wide = widgetOf(SpanningRole);
    m_rows.push_back({wide ? nullptr : widgetOf(LabelRole), wide ? wide : widgetOf(FieldRole), true});
  }
}

/// The widgets stay whose they are.
void RowsLayout::takeOut(const Row& row) {
  const TakeRowResult taken = takeRow(row.field);
  delete taken.labelItem;
  delete taken.fieldItem;
  if (row.label) row.label->hide();
  row.field->hide();
}

}  // namespace lanelab
