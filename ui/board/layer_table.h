// SPDX-License-Identifier: GPL-3.0-only
// The same placement as a table of modules, blocks and layers: lane (a choice in the cell), output, parameters, MACs,
// memory. The way by keyboard and screen reader.
#pragma once

#include <QTableView>
#include <optional>
#include <vector>

#include "ui/board/stage_rows.h"
#include "ui/experiment/experiment_document.h"

class QLabel;
class QLineEdit;
class QTableWidget;

namespace lanelab {

class LayerTableModel;

/// Choose rows, then pick a lane in one of their cells or type its digit: all chosen rows go there. A click on the mark
/// of a row, Left and Right collapse and expand it.
class LayerTable : public QTableView {
  Q_OBJECT

 public:
  explicit LayerTable(ExperimentDocument* document, QWidget* parent = nullptr);
  void setReadOnly(bool read_only);
  /// Shows only rows whose path has all words of the text, and what they are in.
  void setFilter(const QString& text);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  std::vector<int> chosenRows() const;
  bool walkTree(int key);

  LayerTableModel* m_layers;
};

/// The table with a field that searches it.
class LayersPane : public QWidget {
  Q_OBJECT

 public:
  explicit LayersPane(ExperimentDocument* document, QWidget* parent = nullptr);
  void setReadOnly(bool read_only) { m_table->setReadOnly(read_only); }

 protected:
  bool event(QEvent* event) override;  ///< Ctrl+F goes to the field

 private:
  QLineEdit* m_search;
  LayerTable* m_table;
};

/// Per stage: lane, blocks, parameters, MACs share, memory, boundary bytes a micro-batch; follows the board's preview
/// while dragging.
class StageSummary : public QWidget {
  Q_OBJECT

 public:
  explicit StageSummary(ExperimentDocument* document, QWidget* parent = nullptr);

  const std::vector<StageRow>& rows() const { return m_rows; }
  const QString& caption() const { return m_caption; }  ///< "2 stages, 4 samples per micro-batch"

 public Q_SLOTS:
  void showPreview(const lanelab::Placement& placement);
  void endPreview();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refresh();
  void spreadColumns();
  void fillRow(int row, const StageRow& stage);

  ExperimentDocument* m_document;
  std::optional<Placement> m_preview;
  std::vector<StageRow> m_rows;
  QString m_caption;
  QLabel* m_title;
  QTableWidget* m_table;
};

}  // namespace lanelab
