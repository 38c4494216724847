// SPDX-License-Identifier: GPL-3.0-only
// What the board shows and what is chosen on it: the document's active variant, or a preview of it while something is
// dragged, the chosen blocks, the lane that menus mean. No pixels. GUI thread.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "engine/lanes/executor.h"
#include "engine/record/run_record.h"
#include "ui/board/block_choice.h"
#include "ui/board/board_layout.h"
#include "ui/experiment/experiment_document.h"

namespace lanelab {

class BoardState : public QObject {
  Q_OBJECT

 public:
  /// `document` must outlive it. `devices`: those of this machine; empty: not known.
  BoardState(ExperimentDocument& document, std::vector<DeviceInfo> devices);

  ExperimentDocument& document() const { return m_document; }
  const Experiment& experiment() const { return m_document.experiment(); }
  const ModelSpec& model() const { return m_document.model(); }
  /// The one that is placed; null if there is none.
  const VariantConfig* variant() const { return m_document.activeIn(experiment()); }
  int lanes() const { return static_cast<int>(experiment().lanes.size()); }
  const std::vector<DeviceInfo>& devices() const { return m_devices; }
  /// The measured variant that is the one shown, as long as the experiment is still the run's; null: none.
  const VariantRecord* measured() const;

  bool previews() const { return m_preview.has_value(); }
  /// The active variant as if the blocks were dropped where they are drawn; null if there is none. Valid until the
  /// next change.
  const ResolvedVariant* shownVariant() const;
  /// Which holds it.
  std::shared_ptr<const Resolution> shownResolution() const;
  /// As it is drawn.
  Placement placement() const { return m_preview ? *m_preview : m_document.activePlacement(); }
  /// While dragging; the document is not changed. False where it is shown already.
  bool showPreview(const Placement& placement);
  /// Everything lies as in the document again.
  void endPreview();

  const BlockChoice& choice() const { return m_choice; }
  void choose(BlockChoice choice);
  /// Chooses the lane of the block too.
  void walkTo(int block, bool extend);
  /// For a menu there: the block at a point unless it is chosen already, else the lane.
  void chooseAt(const BoardGeometry& geometry, QPointF point);
  void announceFocus();                ///< to screen readers
  int lane() const { return m_lane; }  ///< that menu entries mean
  void pickLane(int lane);

  ChipCost widthBy() const { return m_width_by; }
  void setWidthBy(ChipCost by);
  bool readOnly() const { return m_read_only; }
  void setReadOnly(bool read_only);
  void setRun(std::shared_ptr<const RunRecord> run);

  /// Anything may have changed.
  void refresh();

 Q_SIGNALS:
  void blocksChanged();  ///< chips, cuts, or which are chosen
  void lanesChanged();   ///< what is written beside the rows
  void focusMoved();     ///< to another block, which is to be brought into view
  void described(const QString& words);
  void previewChanged(const lanelab::Placement& placement);
  void previewEnded();

 private:
  ExperimentDocument& m_document;
  std::vector<DeviceInfo> m_devices;
  std::shared_ptr<const RunRecord> m_run;
  std::optional<Placement> m_preview;
  mutable std::shared_ptr<const Resolution> m_previewed;  ///< of m_preview, worked out when it is asked for
  BlockChoice m_choice;
  int m_lane = 0;
  ChipCost m_width_by = ChipCost::Macs;
  bool m_read_only = false;
};

}  // namespace lanelab
