// SPDX-License-Identifier: GPL-3.0-only
#include "ui/help/glossary.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <optional>
#include <utility>

#include "ui/look/language.h"
#include "ui/look/plain_text.h"

namespace lanelab {
namespace {

/// That of the window's language, if there is one.
QString glossaryPage() {
  const QString own = "docs/glossary." + look::currentLanguage() + ".md";
  return findPage(own) ? own : QStringLiteral("docs/glossary.md");
}

/// "| lane | a device with a thread. | [more](schedules.md#x) |"
std::optional<Term> readRow(const QString& page, const QString& line) {
  static const QRegularExpression row("^\\| (.+?) \\| (.+?) \\| \\[[^\\]]*\\]\\((\\S+)\\) \\|$");
  const QRegularExpressionMatch found = row.match(line);
  if (!found.hasMatch()) return {};
  Term term{found.captured(1).split(", "), found.captured(2).remove('`').remove('*'),
            linkedPlace(page, found.captured(3))};
  return term;
}

struct Spelling {
  QRegularExpression pattern;
  const Term* term;
  QString word;  ///< one of the term's
};

/// Where a text has a term.
struct Mention {
  qsizetype start = 0;
  qsizetype length = 0;
  const Spelling* spelling = nullptr;
};

/// Whole words, one of which may be in the plural. Chinese has no spaces between words: many have a word of one
/// character in them, so such a word counts by itself only.
QRegularExpression patternOf(const QString& word) {
  static const QRegularExpression han("\\p{Han}");
  if (word.contains(han)) return QRegularExpression(word.size() > 1 ? word : "(?<!\\p{Han})" + word + "(?!\\p{Han})");
  return QRegularExpression("\\b" + QRegularExpression::escape(word) + "(?:e?s)?\\b",
                            QRegularExpression::CaseInsensitiveOption);
}

const QList<Spelling>& spellings() {
  static const QList<Spelling> all = [] {
    QList<Spelling> made;
    for (const Term& term : glossary())
      for (const QString& word : term.words) made.append({patternOf(word), &term, word});
    return made;
  }();
  return all;
}

/// In the order of the text; of those that share letters the longest.
QList<Mention> mentionsIn(const QString& text) {
  QList<Mention> found;
  for (const Spelling& spelling : spellings())
    for (auto matches = spelling.pattern.globalMatch(text); matches.hasNext();) {
      const QRegularExpressionMatch match = matches.next();
      found.append({match.capturedStart(), match.capturedLength(), &spelling});
    }
  std::ranges::stable_sort(found, std::ranges::greater(), &Mention::length);
  QList<Mention> apart;
  for (const Mention& mention : std::as_const(found))
    if (std::ranges::none_of(apart, [&](const Mention& other) {
          return mention.start < other.start + other.length && other.start < mention.start + mention.length;
        }))
      apart.append(mention);
  std::ranges::stable_sort(apart, {}, &Mention::start);
  return apart;
}

/// The longest of the mentions; null if there is none.
const Mention* longestOf(const QList<Mention>& mentions) {
  const auto longest = std::ranges::max_element(mentions, {}, &Mention::length);
  return longest == mentions.end() ? nullptr : &*longest;
}

QString withoutUnit(QString label) {
  static const QRegularExpression unit("\\s*[(\uff08].*[)\uff09]\\s*[:\uff1a]?$");
  return look::withoutMnemonic(label).remove(unit);
}

/// "Activation checkpointing (recompute): ..."
QString tipOf(const Mention& mention) {
  const auto& [pattern, term, word] = *mention.spelling;
  const QString name = look::capitalised(term->words.front());
  const bool other = !name.contains(word, Qt::CaseInsensitive);
  return QCoreApplication::translate("Help", "%1: %2")
      .arg(other ? QStringLiteral("%1 (%2)").arg(name, word) : name, term->meaning);
}

}  // namespace

const QList<Term>& glossary() {
  static const QList<Term> all = [] {
    QList<Term> terms;
    if (const HelpPage* const page = findPage(glossaryPage()))
      for (const QString& line : page->markdown.split('\n'))
        if (auto term = readRow(page->path, line)) terms.append(*std::move(term));
    return terms;
  }();
  return all;
}

const Term* termOf(const QString& label) {
  const QList<Mention> found = mentionsIn(withoutUnit(label));
  const Mention* const longest = longestOf(found);
  return longest ? longest->spelling->term : nullptr;
}

QString termTip(const QString& label) {
  const QList<Mention> found = mentionsIn(withoutUnit(label));
  const Mention* const longest = longestOf(found);
  return longest ? tipOf(*longest) : QString();
}

QString termsTip(const QString& text) {
  QStringList lines;
  for (const Mention& mention : mentionsIn(text)) lines << tipOf(mention);
  lines.removeDuplicates();
  return lines.join('\n');
}

}  // namespace lanelab
