// SPDX-License-Identifier: GPL-3.0-only
// Which device holds which module of a network, as Hugging Face accelerate maps it: choose network, strategy and
// memory, and see the map at once. Where the network is the experiment's own, the map can be placed on its lanes.
// Thread: the window's.
#pragma once

#include <QDialog>
#include <optional>

#include "engine/lanes/executor.h"
#include "engine/run/llama_question.h"
#include "ui/device_map/map_form.h"
#include "ui/device_map/map_picture.h"
#include "ui/experiment/experiment_document.h"
#include "ui/export/exhibit.h"

class QPushButton;

namespace lanelab {

class MapResult;

class DeviceMapDialog : public QDialog {
  Q_OBJECT

 public:
  /// `infer` may be empty: then no network is asked anything.
  DeviceMapDialog(ExperimentDocument& document, std::vector<DeviceInfo> devices, std::vector<NetworkOffer> offers,
                  LlamaInference infer, QWidget* parent = nullptr);

  /// What is wrong with a file that is opened there stands in the dialog.
  MapForm& form() { return *m_form; }
  /// Empty while there is none.
  const std::optional<MapAnswer>& answer() const { return m_answer; }
  Picture picture() const;
  std::string csv() const;
  Exhibit exhibit() const;

 Q_SIGNALS:
  void placeRequested(const lanelab::Placement& placement);
  void exportRequested();

 private:
  void showDocument();
  void ask();
  void showAnswer(const Result<MapAnswer>& answer);
  void showPlacing();
  bool lanesStandIn() const;
  QString devicesText(int count) const;
  QString headline() const;
  QString notes() const;
  void copy();
  void infer();

  ExperimentDocument& m_document;
  std::vector<DeviceInfo> m_devices;
  LlamaInference m_infer;
  std::vector<LaneConfig> m_lanes;  ///< whose memory the fields were filled with
  std::optional<MapAnswer> m_answer;
  std::optional<Placement> m_placement;
  MapForm* m_form;
  MapResult* m_result;
  QPushButton *m_ask, *m_place, *m_copy, *m_export;
};

}  // namespace lanelab
