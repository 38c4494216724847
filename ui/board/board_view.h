// PLACE: blocks as chips in lanes, x in model order, y the lane, width by cost. Drag a chip, a rubber-band selection or a cut handle.
#pragma once

#include <QGraphicsView>
#include <vector>

#include "engine/run/executor.h"
#include "ui/experiment/experiment_document.h"

namespace lanelab {

class BoardView : public QGraphicsView {
  Q_OBJECT

 public:
  /// `devices` fill the lane headers' device menus.
  BoardView(ExperimentDocument* document, std::vector<DeviceInfo> devices, QWidget* parent = nullptr);
  ~BoardView() override;

  enum class WidthBy { Macs, Parameters, Memory };
  void setWidthBy(WidthBy by);
  void setReadOnly(bool read_only);
  std::vector<BlockId> selectedBlocks() const;

 public Q_SLOTS:
  void addLane();
  void removeSelectedLane();
  void renameSelectedLane();

 Q_SIGNALS:
  void selectionChanged();
  /// While dragging: what the placement would be, for the inspector and the table; the document is not changed yet.
  void previewChanged(const lanelab::Placement& placement);
  void previewEnded();
};

}  // namespace lanelab
