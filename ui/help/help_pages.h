// SPDX-License-Identifier: GPL-3.0-only
// The pages of the program: docs, CHANGELOG and CONTRIBUTING as they are in the tree, read from its resources, with
// their sections. Pages are read once and do not change. Thread: GUI.
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace lanelab {

/// A heading of a page, as links name it: "docs/guide.md" and "compare-two-runs". Without a section: the beginning.
struct HelpPlace {
  QString page;
  QString section = {};
  bool operator==(const HelpPlace&) const = default;
};
/// Of "docs/guide.md#compare-two-runs".
HelpPlace helpPlace(const QString& address);

struct HelpSection {
  QString title;
  QString anchor;     ///< as GitHub makes it of the title
  int level = 1;      ///< 1 is the title of the page
  QStringList lines;  ///< paragraphs, items, table rows and lines of code up to the next heading, without their marks
};

struct HelpPage {
  QString path;  ///< in the tree
  QString title;
  QString markdown;
  QList<HelpSection> sections;  ///< all headings, in order
};

/// In the order of the contents.
const QList<HelpPage>& helpPages();

/// The page of a place; also a schema that pages link to, which the contents do not list. Null if there is none.
const HelpPage* findPage(const QString& path);
/// Null if the page or the section does not exist; without a section that of the page's title.
const HelpSection* findSection(const HelpPlace& place);

/// What a link of a page leads to: a place in the program, or nothing if its address is that of a site.
HelpPlace linkedPlace(const QString& from_page, const QString& address);

/// The path of a page or figure in the resources.
QString helpResource(const QString& path);

/// A page of this markdown.
HelpPage readHelpPage(const QString& path, const QString& markdown);

}  // namespace lanelab
