// The same placement as a table: block, lane (a choice in the cell), output, parameters, MACs, memory. The way by keyboard and screen reader.
#pragma once

#include <QTableView>

#include "ui/experiment/experiment_document.h"

namespace lanelab {

class LayerTable : public QTableView {
  Q_OBJECT

 public:
  explicit LayerTable(ExperimentDocument* document, QWidget* parent = nullptr);
  void setReadOnly(bool read_only);
};

/// Per stage: lane, blocks, parameters, MACs share, memory, boundary bytes a micro-batch; follows the board's preview while dragging.
class StageSummary : public QWidget {
  Q_OBJECT

 public:
  explicit StageSummary(ExperimentDocument* document, QWidget* parent = nullptr);

 public Q_SLOTS:
  void showPreview(const lanelab::Placement& placement);
  void endPreview();
};

}  // namespace lanelab
