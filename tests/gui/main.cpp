// SPDX-License-Identifier: GPL-3.0-only
// Makes the QApplication only when tests run, so that listing them needs no display. Settings go to a folder of their
// own.
#include <gtest/gtest.h>

#include <QApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "ui/look/language.h"
#include "ui/look/theme.h"

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (::testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  QTemporaryDir home;
  qputenv("XDG_CONFIG_HOME", home.path().toUtf8());
  qputenv("XDG_DATA_HOME", home.path().toUtf8());
  if (qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR")) qputenv("XDG_RUNTIME_DIR", home.path().toUtf8());
  QStandardPaths::setTestModeEnabled(true);
  // In test mode all programs share one folder: a test beside this one would arrange its panes.
  QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, home.path());
  QApplication app(argc, argv);
  app.setApplicationName("lanelab");
  app.setOrganizationName("lanelab");
  lanelab::look::useEnglish(app);
  lanelab::look::apply(app, lanelab::look::Scheme::Light);
  return RUN_ALL_TESTS();
}
