// SPDX-License-Identifier: GPL-3.0-only
// The entries of a device map as rows: module, class, device, memory.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "engine/placement/map_table.h"

namespace lanelab {

class MapRows : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Module, Class, Device, Memory, ColumnCount };
  using QAbstractTableModel::QAbstractTableModel;

  void setEntries(std::vector<MapEntry> entries);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<MapEntry> m_entries;
};

}  // namespace lanelab
