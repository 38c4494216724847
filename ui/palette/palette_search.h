// SPDX-License-Identifier: GPL-3.0-only
// Which entries have the words that were typed, the best first. Pure: what is compared is prepared once, so that each
// letter costs little even with thousands of entries. Any thread.
#pragma once

#include <QList>
#include <QString>
#include <vector>

#include "ui/palette/palette_entry.h"

namespace lanelab {

class PaletteSearch {
 public:
  explicit PaletteSearch(const QList<PaletteEntry>& entries);

  /// Indices of the entries that have every word of `typed` in title, detail or kind, in any case. What belongs to the
  /// front comes first; then titles that are, that begin with, whose words begin with what was typed; then the others,
  /// those that are possible before the others, else in order. All for an empty text.
  std::vector<int> matches(const QString& typed) const;

 private:
  struct Text {
    QString title;   ///< in lower case
    QString parent;  ///< the last part of the detail
    QString all;
    bool possible = true;
    bool belongs_to_front = false;
  };
  static int distance(const Text& text, const QString& typed, const QStringList& words);

  std::vector<Text> m_texts;
};

}  // namespace lanelab
