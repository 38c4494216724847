// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/window_settings.h"

#include <QFileInfo>

namespace lanelab {

void WindowSettings::setLayout(const QByteArray& geometry, const QByteArray& docks, const QByteArray& centre) {
  setValue("window/geometry", geometry);
  setValue("window/docks", docks);
  setValue("window/centre", centre);
}

void WindowSettings::addRecentFile(const QString& file) {
  const QString path = QFileInfo(file).absoluteFilePath();
  QStringList files = recentFiles();
  files.removeAll(path);
  files.prepend(path);
  setValue("files/recent", files.mid(0, kMostRecent));
}

bool WindowSettings::showsRows(const QString& kind, bool otherwise) const {
  const QVariant kept = value("timeline/" + kind);
  const QString text = kept.toString();
  return text == "true" || (text != "false" && otherwise);
}

}  // namespace lanelab
