// SPDX-License-Identifier: GPL-3.0-only
#include "ui/palette/palette_search.h"

#include <QStringList>
#include <algorithm>
#include <tuple>

namespace lanelab {
namespace {

bool hasAll(const QString& text, const QStringList& words) {
  return std::ranges::all_of(words, [&](const QString& word) { return text.contains(word); });
}

/// Whether the word begins one of the text's words.
bool beginsWord(const QString& text, const QString& word) {
  for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (at == 0 || !text[at - 1].isLetterOrNumber()) return true;
  return false;
}

}  // namespace

PaletteSearch::PaletteSearch(const QList<PaletteEntry>& entries) {
  m_texts.reserve(static_cast<std::size_t>(entries.size()));
  for (const PaletteEntry& entry : entries)
    m_texts.push_back({entry.title.toLower(), entry.detail.section(QStringLiteral(" > "), -1).toLower(),
                       QString(entry.detail + ' ' + entry.title + ' ' + entry.kind).toLower(), entry.why_not.isEmpty(),
                       entry.belongs_to_front});
}

int PaletteSearch::distance(const Text& text, const QString& typed, const QStringList& words) {
  if (text.title == typed) return 0;
  if (text.title.startsWith(typed) || text.parent.startsWith(typed)) return 1;
  const auto begins = [](const QString& in) { return [&in](const QString& word) { return beginsWord(in, word); }; };
  if (std::ranges::all_of(words, begins(text.title))) return 2;
  return std::ranges::all_of(words, begins(text.all)) ? 3 : 4;
}

std::vector<int> PaletteSearch::matches(const QString& typed) const {
  const QString text = typed.simplified().toLower();
  const QStringList words = text.split(' ', Qt::SkipEmptyParts);
  std::vector<std::tuple<bool, int, bool, int>> found;  // the last is the index
  for (int i = 0; const Text& entry : m_texts) {
    if (hasAll(entry.all, words))
      found.emplace_back(!entry.belongs_to_front, words.isEmpty() ? 0 : distance(entry, text, words),
                         !words.isEmpty() && !entry.possible, i);
    ++i;
  }
  std::ranges::sort(found);
  std::vector<int> indices;
  indices.reserve(found.size());
  for (const auto& [other, far, grey, index] : found) indices.push_back(index);
  return indices;
}

}  // namespace lanelab
