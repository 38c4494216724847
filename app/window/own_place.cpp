// SPDX-License-Identifier: GPL-3.0-only
#include "app/window/own_place.h"

#include <QSettings>

namespace lanelab {

Status OwnPlace::use(MainWindow::Setup& setup) const {
  if (!m_folder.isValid()) return Error::failed("No temporary folder can be made. Make room on the disk.");
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_folder.path());
  setup.runs_root = m_folder.filePath("runs");
  return {};
}

}  // namespace lanelab
