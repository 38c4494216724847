// SPDX-License-Identifier: GPL-3.0-only
// The same placement as a table: block, lane (a choice in the cell), output, parameters, MACs, memory. The way by
// keyboard and screen reader.
#pragma once

#include <QTableView>
#include <optional>
#include <vector>

#include "ui/experiment/experiment_document.h"

class QLabel;
class QTableWidget;

namespace lanelab {

class LayerTableModel;

/// Choose rows, then pick a lane in one of their cells or type its digit: all chosen rows go there.
class LayerTable : public QTableView {
  Q_OBJECT

 public:
  explicit LayerTable(ExperimentDocument* document, QWidget* parent = nullptr);
  void setReadOnly(bool read_only);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  std::vector<int> chosenRows() const;

  LayerTableModel* m_layers;
};

/// Per stage: lane, blocks, parameters, MACs share, memory, boundary bytes a micro-batch; follows the board's preview
/// while dragging.
class StageSummary : public QWidget {
  Q_OBJECT

 public:
  explicit StageSummary(ExperimentDocument* document, QWidget* parent = nullptr);

 public Q_SLOTS:
  void showPreview(const lanelab::Placement& placement);
  void endPreview();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refresh();
  void spreadColumns();
  QString lanesText(LaneId lane) const;
  void fillRow(int row, const Stage& stage, int samples);

  ExperimentDocument* m_document;
  std::optional<Placement> m_preview;
  QLabel* m_title;
  QTableWidget* m_table;
};

}  // namespace lanelab
