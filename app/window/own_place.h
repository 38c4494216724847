// SPDX-License-Identifier: GPL-3.0-only
// A temporary folder for a window's settings and runs, so that no file of the user is read or changed.
#pragma once

#include <QTemporaryDir>

#include "ui/window/main_window.h"

namespace lanelab {

/// Outlives the window; its files go with it.
class OwnPlace {
 public:
  /// Has settings and runs read and written here, before the window is made. Fails if no folder can be made.
  Status use(MainWindow::Setup& setup) const;

 private:
  QTemporaryDir m_folder;
};

}  // namespace lanelab
