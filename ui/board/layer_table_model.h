// SPDX-License-Identifier: GPL-3.0-only
// The modules of the model as rows, the active variant's placement in them. Editing a lane goes to the document; what
// is shown comes from it.
#pragma once

#include <QAbstractTableModel>
#include <set>
#include <vector>

#include "ui/board/layer_rows.h"
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

  const LayerRow& rowAt(int row) const {
    return m_rows[static_cast<std::size_t>(m_shown[static_cast<std::size_t>(row)])];
  }
  /// -1 where it is not shown.
  int placeOf(int of_all) const;
  bool isOpen(int row) const;
  /// Shows or hides what the row holds; nothing happens while rows are filtered.
  void setOpen(int row, bool open);
  /// Only rows whose path has all words of the text, and what they are in.
  void setFilter(const QString& text);

  /// One undo step for all blocks of these rows.
  bool assign(const std::vector<int>& rows, int lane);
  void setReadOnly(bool read_only) { m_read_only = read_only; }
  /// "0: cpu:0", a lane each.
  QStringList laneNames() const;

 private:
  void take();
  void close(const std::vector<LayerRow>& rows);
  QString text(int row, int column) const;
  QString lanesText(const LayerRow& row) const;
  QString stagesText(const LayerRow& row) const;
  QString laneName(int lane) const;

  ExperimentDocument* m_document;
  bool m_read_only = false;
  std::vector<LayerRow> m_rows;  ///< all
  std::vector<int> m_shown;      ///< as the views know them, in m_rows; changes as they are notified
  std::set<QString> m_closed;    ///< by key
  QString m_filter;
  std::vector<int> m_lanes;   ///< block by block
  std::vector<int> m_stages;  ///< block by block
  std::int64_t m_macs = 1;
};

}  // namespace lanelab
