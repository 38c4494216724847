// SPDX-License-Identifier: GPL-3.0-only
// lanelab-set-up: started by an installed lanelab that finds no PyTorch, with that program and its arguments. Shows the
// page, and starts it again once PyTorch is there.
#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>

#include "app/set_up/set_up_page.h"
#include "ui/look/icons.h"
#include "ui/look/language.h"
#include "ui/look/settings.h"
#include "ui/look/theme.h"

int main(int argc, char** argv) {
  using namespace lanelab;
  QApplication app(argc, argv);
  // The first word is the program to start afterwards (offerTorch()), the others are its own.
  const QString lanelab = argc > 0 ? QString::fromLocal8Bit(argv[0]) : QString();
  QStringList rest = QApplication::arguments();
  rest.removeFirst();
  QApplication::setApplicationName("lanelab");
  QApplication::setOrganizationName("lanelab");
  QApplication::setApplicationDisplayName("LaneLab");
  QGuiApplication::setDesktopFileName("io.github.lanelab.LaneLab");
  look::useLanguage(app, look::Settings().value("look/language").toString());
  look::apply(app, look::Scheme::System);
  QApplication::setWindowIcon(look::programIcon());
  SetUpPage page(QFileInfo(lanelab).absoluteDir().filePath("lanelab-setup-torch"));
  if (page.exec() != QDialog::Accepted) return 1;
  return QProcess::startDetached(lanelab, rest) ? 0 : 1;
}
