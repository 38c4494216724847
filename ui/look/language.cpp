// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/language.h"

#include <QCoreApplication>
#include <QDir>
#include <QFontDatabase>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <algorithm>

// Outside of any namespace, as the macro demands.
static void initTranslations() { Q_INIT_RESOURCE(translations); }

namespace lanelab::look {

namespace {

constexpr const char* kEnglish = "en";
const QString kFolder = QStringLiteral(":/translations");

QString& codeInUse() {
  static QString code = kEnglish;
  return code;
}

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

/// Letters are in every font.
bool isShownBySomeFont(const QString& code) {
  return QLocale(code).script() != QLocale::SimplifiedHanScript ||
         !QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty();
}

bool install(QCoreApplication& app, const QString& file, const QString& folder) {
  auto* const texts = new QTranslator(&app);
  return texts->load(file, folder) && QCoreApplication::installTranslator(texts);
}

}  // namespace

std::vector<Language> languages() {
  initTranslations();
  std::vector<Language> all;
  const QStringList files = QDir(kFolder).entryList({QStringLiteral("lanelab_*.qm")});
  for (const QString& file : files) {
    const QString code = file.section('_', 1).section('.', 0, 0);
    all.push_back({code, nativeName(code)});
  }
  std::ranges::sort(all, {}, &Language::name);
  return all;
}

void useEnglish(QCoreApplication& app) {
  initTranslations();
  if (!install(app, QStringLiteral("lanelab_en.qm"), kFolder))
    qFatal("The English texts are missing from the program.");
  codeInUse() = kEnglish;
}

QString useLanguage(QCoreApplication& app, const QString& code) {
  useEnglish(app);
  const QString found = codeFor(code);
  if (found == kEnglish) return {};
  if (!isShownBySomeFont(found))
    return QCoreApplication::translate("Language",
                                       "No installed font has the characters of %1, so texts are in English. Install "
                                       "one, such as Debian's fonts-wqy-microhei, and start LaneLab again.")
        .arg(QLocale::languageToString(QLocale(found).language()));
  // Those of Qt's own buttons and dialogs come with its translations, which may not be installed.
  install(app, "qtbase_" + found, QLibraryInfo::path(QLibraryInfo::TranslationsPath));
  if (install(app, "lanelab_" + found + ".qm", kFolder)) codeInUse() = found;
  return {};
}

QString currentLanguage() { return codeInUse(); }

}  // namespace lanelab::look
