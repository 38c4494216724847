// SPDX-License-Identifier: GPL-3.0-only
// The blocks of the model as rows, the active variant's placement in them. Editing a lane goes to the document; what is
// shown comes from it.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "ui/experiment/experiment_document.h"

namespace lanelab {

class LayerTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Block, Lane, StageNumber, Output, Parameters, Macs, MacsShare, Activations, ColumnCount };

  explicit LayerTableModel(ExperimentDocument* document, QObject* parent);
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  /// Qt::EditRole of the lane column: the lane's number.
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

  /// One undo step for all these rows.
  bool assign(const std::vector<int>& rows, int lane);
  void setReadOnly(bool read_only) { m_read_only = read_only; }
  /// "0: cpu:0", a lane each.
  QStringList laneNames() const;

 private:
  void take();
  QString text(int row, int column) const;
  QString laneName(int lane) const;

  ExperimentDocument* m_document;
  bool m_read_only = false;
  std::vector<BlockSpec> m_blocks;  ///< as the views know them; changes only in a reset
  std::vector<int> m_lanes;
  std::vector<int> m_stages;
  std::int64_t m_macs = 1;
};

}  // namespace lanelab
