// SPDX-License-Identifier: GPL-3.0-only
// The ini file of the window, in which all its parts remember between starts.
#pragma once

#include <QSettings>

namespace lanelab::look {

class Settings : public QSettings {
 public:
  Settings() : QSettings(QSettings::IniFormat, QSettings::UserScope, "lanelab", "lanelab") {}
};

}  // namespace lanelab::look
