// SPDX-License-Identifier: GPL-3.0-only
// Where files were exported to last, remembered between starts in the window's ini file.
#pragma once

#include <QSettings>
#include <QString>

namespace lanelab {

class ExportSettings {
 public:
  ExportSettings();

  /// The last folder, else the user's documents, else the home folder.
  QString folder() const;
  /// Of the last file of this name: "png".
  QString extension(const QString& name) const { return m_settings.value("export/ending-" + name).toString(); }
  void remember(const QString& name, const QString& folder, const QString& extension);

 private:
  QSettings m_settings;
};

}  // namespace lanelab
