// SPDX-License-Identifier: GPL-3.0-only
#include "ui/palette/palette_model.h"

#include <utility>

#include "ui/look/theme.h"

namespace lanelab {

PaletteModel::PaletteModel(QList<PaletteEntry> entries, QObject* parent)
    : QAbstractTableModel(parent), m_entries(std::move(entries)), m_search(m_entries) {
  find({});
}

void PaletteModel::find(const QString& typed) {
  beginResetModel();
  m_rows = m_search.matches(typed);
  endResetModel();
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int PaletteModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
  const PaletteEntry& shown = entry(index.row());
  if (role == Qt::DisplayRole) {
    switch (index.column()) {
      case Title: return shown.title;
      case Detail: return shown.detail;
      case Kind: return shown.kind;
      default: return shown.key;
    }
  }
  if (role == Qt::ToolTipRole) return shown.why_not;
  if (role == Qt::ForegroundRole && (index.column() != Title || !shown.why_not.isEmpty()))
    return look::current().muted_text;
  if (role == Qt::AccessibleTextRole && index.column() == Title) {
    QStringList words{shown.title, shown.detail, shown.kind, shown.key, shown.why_not};
    words.removeAll(QString());
    return words.join(", ");
  }
  return {};
}

QVariant PaletteModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return QStringList{tr("Name"), tr("Where"), tr("Kind"), tr("Key")}.value(section);
}

}  // namespace lanelab
