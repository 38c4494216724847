// SPDX-License-Identifier: GPL-3.0-only
// A page as a document to read, in the fonts and colours of the scheme in force: Qt reads the Markdown, this dresses
// it. Links within the program are addresses "help:docs/guide.md#share-a-run", all others are marked and lead outside.
// Only pages of the program: what others wrote is shown as plain text. Thread: GUI.
#pragma once

#include <QHash>
#include <QTextDocument>
#include <QUrl>

#include "ui/help/help_pages.h"
#include "ui/look/theme.h"

namespace lanelab {

/// Nothing for an address that leads outside.
HelpPlace placeOfUrl(const QUrl& url);

/// Around code, to the border of its background.
inline constexpr int kCodePadding = 2.5 * look::kGrid;

class PageDocument : public QTextDocument {
  Q_OBJECT

 public:
  /// Figures are at most `width` logical pixels wide, with `ratio` pixels of the screen in each.
  PageDocument(const HelpPage& page, int width, qreal ratio, QObject* parent);

  /// Position of the heading; that of the title if there is none.
  int positionOf(const QString& section) const { return m_headings.value(section, 0); }
  /// Of the first line of the section that has all words, else of the first that has one; else of the heading.
  int positionOf(const QString& section, const QString& words) const;
  /// First and last position of each piece of code, which has a background of its own.
  struct Code {
    int first = 0;
    int last = 0;
  };
  const QList<Code>& code() const { return m_code; }

 protected:
  /// Figures and marks of the program only.
  QVariant loadResource(int type, const QUrl& name) override;

 private:
  void dressBlocks(const HelpPage& page);
  void dressTables();
  void dressFragments(const HelpPage& page);

  QString m_page;
  int m_width;
  qreal m_ratio;
  QHash<QString, int> m_headings;
  QList<Code> m_code;
};

}  // namespace lanelab
