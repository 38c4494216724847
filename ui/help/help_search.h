// SPDX-License-Identifier: GPL-3.0-only
// Words in the pages of the program. Pure, after the pages were read once; GUI thread.
#pragma once

#include <QList>
#include <QString>

#include "ui/help/help_pages.h"

namespace lanelab {

struct HelpHit {
  HelpPlace place;
  QString title;  ///< "Guide > Compare two runs"
  QString line;   ///< the part of the section's line that has the words; empty if only its title has them
};

/// One hit per section whose title or one of whose lines has all words of `text`, in whichever case: titles first, then
/// lines in the order of the pages. Nothing for an empty text.
QList<HelpHit> searchHelp(const QString& text);

/// Where the words of `text` are in `line`: start and length, in order, none within another.
struct TextRange {
  int start = 0;
  int length = 0;
  bool operator==(const TextRange&) const = default;
};
QList<TextRange> wordsIn(const QString& line, const QString& text);

/// The title of a place as results and the window name it: "Guide > Compare two runs".
QString placeTitle(const HelpPage& page, const HelpSection& section);

}  // namespace lanelab
