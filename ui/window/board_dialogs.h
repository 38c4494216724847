// SPDX-License-Identifier: GPL-3.0-only
// The dialogs that stay beside the board: two that place blocks for the user, Where to Cut and Device Map, and Import
// Model, whose file becomes the model of the open experiment. Each opens once.
//
// Thread: the window's.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "engine/lanes/executor.h"
#include "engine/run/llama_question.h"
#include "ui/device_map/map_network.h"
#include "ui/watch/window_parts.h"

namespace lanelab {

class CutsDialog;
class DeviceMapDialog;
class ImportModelDialog;
class Work;

class BoardDialogs : public QObject {
  Q_OBJECT

 public:
  struct Networks {
    std::vector<NetworkOffer> offers;  ///< beside the experiment's own
    LlamaInference infer;              ///< may be empty: then no network is asked anything
  };
  BoardDialogs(const WindowParts& parts, std::shared_ptr<Executor> executor, Networks networks);

  void showCuts();
  void showDeviceMap();
  void showImport();
  /// What is computed for one of them now, which a run would disturb, and how to end it; empty: nothing.
  QString whyBusy() const;
  /// While a run is in progress no blocks are measured, and no network is exported.
  void setReadOnly(bool read_only);

 Q_SIGNALS:
  void blocksMeasured();                                          ///< and their times stored
  void workMade(lanelab::Work* work, const QString& when_ended);  ///< may begin from now on
  void exportRequested(const lanelab::DeviceMapDialog& map);

 private:
  CutsDialog* cuts() const;
  ImportModelDialog* import() const;
  /// Brings the open one to the front, else the one that `make` makes.
  template <class Dialog, class Make>
  void open(Make make);
  void useModel(const QString& file);

  WindowParts m_parts;
  std::shared_ptr<Executor> m_executor;
  Networks m_networks;
};

}  // namespace lanelab
