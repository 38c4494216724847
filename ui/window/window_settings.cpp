// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/window_settings.h"

namespace lanelab {

WindowSettings::WindowSettings() : m_settings(QSettings::IniFormat, QSettings::UserScope, "lanelab", "lanelab") {}

void WindowSettings::setLayout(const QByteArray& geometry, const QByteArray& docks, const QByteArray& centre) {
  m_settings.setValue("window/geometry", geometry);
  m_settings.setValue("window/docks", docks);
  m_settings.setValue("window/centre", centre);
}

look::Scheme WindowSettings::scheme() const {
  return fromWord<look::Scheme>(m_settings.value("look/scheme").toString().toStdString())
      .value_or(look::Scheme::System);
}

void WindowSettings::addRecentFile(const QString& path) {
  QStringList files = recentFiles();
  files.removeAll(path);
  files.prepend(path);
  m_settings.setValue("files/recent", files.mid(0, kMostRecent));
}

bool WindowSettings::showsRows(const QString& kind, bool otherwise) const {
  const QVariant kept = m_settings.value("timeline/" + kind);
  const QString text = kept.toString();
  return text == "true" || (text != "false" && otherwise);
}

}  // namespace lanelab
