// SPDX-License-Identifier: GPL-3.0-only
// The application of a program that tests the window: in English and the light theme, with settings and data in a
// folder of its own, which goes with it.
#pragma once

#include <QApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <memory>

#include "ui/look/language.h"
#include "ui/look/theme.h"

namespace lanelab::test {

class GuiApplication {
 public:
  GuiApplication(int& argc, char** argv) {
    qputenv("XDG_CONFIG_HOME", m_home.path().toUtf8());
    qputenv("XDG_DATA_HOME", m_home.path().toUtf8());
    qputenv("XDG_STATE_HOME", m_home.path().toUtf8());
    if (qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR")) qputenv("XDG_RUNTIME_DIR", m_home.path().toUtf8());
    QStandardPaths::setTestModeEnabled(true);
    // In test mode all programs share one folder: a test beside this one would arrange its panes.
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home.path());
    m_app = std::make_unique<QApplication>(argc, argv);
    m_app->setApplicationName("lanelab");
    m_app->setOrganizationName("lanelab");
    look::useEnglish(*m_app);
    look::apply(*m_app, look::Scheme::Light);
  }

 private:
  QTemporaryDir m_home;
  std::unique_ptr<QApplication> m_app;  ///< last: it ends before its settings go
};

}  // namespace lanelab::test
