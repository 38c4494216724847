// SPDX-License-Identifier: GPL-3.0-only
// The entries of the command palette that were found, a row each. Thread: GUI.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "ui/palette/palette_search.h"

namespace lanelab {

class PaletteModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Title, Detail, Kind, Key, ColumnCount };

  PaletteModel(QList<PaletteEntry> entries, QObject* parent);
  void find(const QString& typed);
  const PaletteEntry& entry(int row) const { return m_entries[m_rows[static_cast<std::size_t>(row)]]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QList<PaletteEntry> m_entries;
  PaletteSearch m_search;
  std::vector<int> m_rows;  ///< indices of m_entries
};

}  // namespace lanelab
