// SPDX-License-Identifier: GPL-3.0-only
// The language of the window's texts. Thread: the one of the window, once, before any text is made.
#pragma once

#include <QString>
#include <vector>

class QCoreApplication;

namespace lanelab::look {

struct Language {
  QString code;  ///< of its file: "en", "zh_CN"
  QString name;  ///< in the language itself
};

/// Those that the program has, by name; English is one of them.
std::vector<Language> languages();

/// Texts in English, with its plurals: "1 step", "2 steps". Fails loudly without its file: the file is a resource.
void useEnglish(QCoreApplication& app);

/// Texts in the language with this code, or of the system if it is empty; in English where that has none, or no font
/// has its characters: the sentence says so then, and is empty otherwise.
QString useLanguage(QCoreApplication& app, const QString& code);

/// The code of the language in use.
QString currentLanguage();

}  // namespace lanelab::look
