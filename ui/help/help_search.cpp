// SPDX-License-Identifier: GPL-3.0-only
#include "ui/help/help_search.h"

#include <algorithm>

#include "ui/look/plain_text.h"

namespace lanelab {
namespace {

constexpr int kExcerpt = 140;  ///< characters of a line that a result shows
constexpr int kBefore = 40;    ///< of them in front of the first word

QStringList wordsOf(const QString& text) { return text.simplified().split(' ', Qt::SkipEmptyParts); }

/// The part of a line around the first of the words, from and to whole words.
QString excerpt(const QString& line, const QString& text) {
  if (line.size() <= kExcerpt) return line;
  const QList<TextRange> found = wordsIn(line, text);
  qsizetype start = std::max<qsizetype>(0, (found.isEmpty() ? 0 : found.front().start) - kBefore);
  if (start > 0) start = line.indexOf(' ', start) + 1;
  qsizetype end = std::min<qsizetype>(line.size(), start + kExcerpt);
  if (end < line.size()) end = std::max(line.lastIndexOf(' ', end), start);
  const QString dots = QStringLiteral("\u2026");
  return (start > 0 ? dots : QString()) + line.mid(start, end - start) + (end < line.size() ? dots : QString());
}

}  // namespace

QString placeTitle(const HelpPage& page, const HelpSection& section) {
  return section.level == 1 ? page.title : page.title + QStringLiteral(" > ") + section.title;
}

QList<TextRange> wordsIn(const QString& line, const QString& text) {
  QList<TextRange> all;
  for (const QString& word : wordsOf(text))
    for (qsizetype at = line.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
         at = line.indexOf(word, at + word.size(), Qt::CaseInsensitive))
      all.append({static_cast<int>(at), static_cast<int>(word.size())});
  std::ranges::sort(all, [](const TextRange& a, const TextRange& b) {
    return a.start != b.start ? a.start < b.start : a.length > b.length;
  });
  QList<TextRange> apart;
  for (const TextRange& range : all)
    if (apart.isEmpty() || range.start >= apart.last().start + apart.last().length) apart.append(range);
  return apart;
}

QList<HelpHit> searchHelp(const QString& text) {
  QList<HelpHit> titles, lines;
  if (wordsOf(text).isEmpty()) return {};
  for (const HelpPage& page : helpPages()) {
    for (const HelpSection& section : page.sections) {
      const HelpPlace place{page.path, section.anchor};
      const auto line = std::ranges::find_if(section.lines, [&](const QString& l) { return look::hasWords(l, text); });
      const bool in_line = line != section.lines.end();
      const bool in_title = look::hasWords(section.title, text);
      if (!in_line && !in_title) continue;
      (in_title ? titles : lines)
          .append({place, placeTitle(page, section), in_line ? excerpt(*line, text) : QString()});
    }
  }
  return titles + lines;
}

}  // namespace lanelab
