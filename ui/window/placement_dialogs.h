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
#include "ui/watch/window_parts.h"

namespace lanelab {

class CutsDialog;
class DeviceMapDialog;

class PlacementDialogs : public QObject {
  Q_OBJECT

 public:
  struct Networks {
    std::vector<NetworkOffer> offers;  ///< beside the experiment's own
    LlamaInference infer;              ///< may be empty: then no network is asked anything
  };
  PlacementDialogs(const WindowParts& parts, std::shared_ptr<Executor> executor, Networks networks);

  void showCuts();
  void showDeviceMap();
  /// Whether Where to Cut measures the blocks now, which a run would spoil.
  bool isMeasuring() const;
  /// While a run is in progress blocks are not measured.
  void setReadOnly(bool read_only);

 Q_SIGNALS:
  void blocksMeasured();  ///< and their times stored
  void exportRequested(const lanelab::DeviceMapDialog& map);

 private:
  CutsDialog* cuts() const;
  DeviceMapDialog* makeDeviceMap();

  WindowParts m_parts;
  std::shared_ptr<Executor> m_executor;
  Networks m_networks;
};

}  // namespace lanelab
