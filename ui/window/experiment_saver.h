// SPDX-License-Identifier: GPL-3.0-only
// Saves the open experiment, and asks before it replaces what another program wrote, and about unsaved edits before
// something replaces it.
//
// Thread: the window's. What cannot be written is shown in the strip.
#pragma once

#include <QObject>
#include <QString>
#include <functional>

#include "ui/watch/window_parts.h"

class QMenu;

namespace lanelab {

class ActionSet;

class ExperimentSaver : public QObject {
  Q_OBJECT

 public:
  explicit ExperimentSaver(const WindowParts& parts);

  void addActions(QMenu* file, ActionSet& actions);
  /// Calls `then` at once if nothing is unsaved, else after the user saved or discarded; not at all after Cancel.
  void afterSaving(const std::function<void()>& then);

 private:
  void save(const std::function<void()>& then = {});
  void saveAs(const std::function<void()>& then = {});
  void askToReplace(const std::function<void()>& then);
  bool saveTo(const QString& path);

  WindowParts m_parts;
};

}  // namespace lanelab
