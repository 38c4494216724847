// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/language.h"

#include <QCoreApplication>
#include <QDir>
#include <QLocale>
#include <QTranslator>
#include <algorithm>

// Outside of any namespace, as the macro demands.
static void initTranslations() { Q_INIT_RESOURCE(translations); }

namespace lanelab::look {

namespace {

constexpr const char* kEnglish = "en";

QString nativeName(const QString& code) {
  QString name = QLocale(code).nativeLanguageName();
  if (!name.isEmpty()) name[0] = name[0].toUpper();
  return code == kEnglish ? QStringLiteral("English") : name;
}

/// "zh_CN" serves "zh_Hans_CN" and "zh", too.
bool serves(const QString& code, const QString& wanted) {
  const QStringList parts = code.split('_'), of_wanted = wanted.split('_');
  if (parts.first() != of_wanted.first()) return false;
  return parts.size() == 1 || of_wanted.size() == 1 || of_wanted.contains(parts.last());
}

QString codeFor(const QString& chosen) {
  const std::vector<Language> all = languages();
  QStringList wanted = chosen.isEmpty() ? QLocale::system().uiLanguages() : QStringList{chosen};
  for (const QString& one : wanted.replaceInStrings(QStringLiteral("-"), QStringLiteral("_"))) {
    const auto found = std::ranges::find_if(all, [&](const Language& language) { return serves(language.code, one); });
    if (found != all.end()) return found->code;
  }
  return kEnglish;
}

}  // namespace

std::vector<Language> languages() {
  initTranslations();
  std::vector<Language> all;
  const QStringList files = QDir(QStringLiteral(":/translations")).entryList({QStringLiteral("lanelab_*.qm")});
  for (const QString& file : files) {
    const QString code = file.section('_', 1).section('.', 0, 0);
    all.push_back({code, nativeName(code)});
  }
  std::ranges::sort(all, {}, &Language::name);
  return all;
}

void useEnglish(QCoreApplication& app) {
  initTranslations();
  auto* const plurals = new QTranslator(&app);
  if (!plurals->load(":/translations/lanelab_en.qm")) qFatal("The English texts are missing from the program.");
  QCoreApplication::installTranslator(plurals);
}

void useLanguage(QCoreApplication& app, const QString& code) {
  useEnglish(app);
  const QString found = codeFor(code);
  if (found == kEnglish) return;
  auto* const texts = new QTranslator(&app);
  if (texts->load(":/translations/lanelab_" + found + ".qm")) QCoreApplication::installTranslator(texts);
}

}  // namespace lanelab::look
