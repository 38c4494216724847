// SPDX-License-Identifier: GPL-3.0-only
// Where files were exported to last, remembered between starts in the window's ini file.
#pragma once

#include <QString>

#include "ui/look/settings.h"

namespace lanelab {

class ExportSettings : look::Settings {
 public:
  /// The last folder, else the user's documents, else the home folder.
  QString folder() const;
  /// Of the last file of this name: "png".
  QString extension(const QString& name) const { return value("export/ending-" + name).toString(); }
  void remember(const QString& name, const QString& folder, const QString& extension);
};

}  // namespace lanelab
