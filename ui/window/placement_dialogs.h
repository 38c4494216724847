// SPDX-License-Identifier: GPL-3.0-only
// The two dialogs that place blocks for the user: Where to Cut and Device Map. Each opens once and stays beside the
// board.
//
// Thread: the window's.
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "engine/lanes/executor.h"
#include "engine/run/llama_question.h"
#include "ui/device_map/map_network.h"

namespace lanelab {

class CutsDialog;
class DeviceMapDialog;
class ExperimentDocument;
class MessageStrip;
class RunController;

class PlacementDialogs : public QObject {
  Q_OBJECT

 public:
  struct Networks {
    std::vector<NetworkOffer> offers;  ///< beside the experiment's own
    LlamaInference infer;              ///< may be empty: then no network is asked anything
  };
  PlacementDialogs(ExperimentDocument* document, std::shared_ptr<Executor> executor, RunController* controller,
                   Networks networks, MessageStrip* messages, QWidget* window);

  void showCuts();
  void showDeviceMap();
  /// Whether Where to Cut measures the blocks now, which a run would spoil.
  bool isMeasuring() const;
  /// While a run is in progress blocks are not measured.
  void setReadOnly(bool read_only);

 Q_SIGNALS:
  void exportRequested(const lanelab::DeviceMapDialog& map);

 private:
  CutsDialog* cuts() const;
  DeviceMapDialog* makeDeviceMap();

  ExperimentDocument* m_document;
  std::shared_ptr<Executor> m_executor;
  RunController* m_controller;
  Networks m_networks;
  MessageStrip* m_messages;
  QWidget* m_window;
};

}  // namespace lanelab
