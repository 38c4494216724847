// SPDX-License-Identifier: GPL-3.0-only
#include "ui/export/export_settings.h"

#include <QDir>
#include <QStandardPaths>

namespace lanelab {

/// The folder of documents need not exist, and a file dialog that begins there could not be answered.
QString ExportSettings::folder() const {
  for (const QString& folder :
       {value("export/folder").toString(), QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)})
    if (!folder.isEmpty() && QDir(folder).exists()) return folder;
  return QDir::homePath();
}

void ExportSettings::remember(const QString& name, const QString& folder, const QString& extension) {
  setValue("export/folder", folder);
  setValue("export/ending-" + name, extension);
}

}  // namespace lanelab
