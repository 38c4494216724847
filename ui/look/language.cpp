// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/language.h"

#include <QCoreApplication>
#include <QTranslator>

// Outside of any namespace, as the macro demands.
static void initTranslations() { Q_INIT_RESOURCE(translations); }

namespace lanelab::look {

void useEnglish(QCoreApplication& app) {
  initTranslations();
  auto* const plurals = new QTranslator(&app);
  if (!plurals->load(":/translations/lanelab_en.qm")) qFatal("The English texts are missing from the program.");
  QCoreApplication::installTranslator(plurals);
}

}  // namespace lanelab::look
