// SPDX-License-Identifier: GPL-3.0-only
// The pages inside the program: all of docs, each with its headings, links that lead somewhere, and figures.
#include "ui/help/help_pages.h"

#include <gtest/gtest.h>

#include <QDir>
#include <QTextBlock>
#include <QTextTable>
#include <QWidget>
#include <functional>

#include "ui/help/help_topics.h"
#include "ui/help/page_document.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr int kWidth = 900;

std::string addressOf(const HelpPlace& place) { return (place.page + '#' + place.section).toStdString(); }

/// Calls `see` with the format of each piece of text.
void eachFormat(const QTextDocument& document, const std::function<void(const QTextCharFormat&)>& see) {
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
    for (auto it = block.begin(); !it.atEnd(); ++it) see(it.fragment().charFormat());
}

TEST(HelpPages, AllOfDocsAreInTheProgramGuideFirst) {
  QStringList listed;
  for (const HelpPage& page : helpPages()) listed << page.path;
  for (const QString& name : QDir(LANELAB_SOURCE_DIR "/docs").entryList({"*.md"}))
    EXPECT_TRUE(listed.contains("docs/" + name)) << name.toStdString();
  EXPECT_EQ(listed.front(), "docs/guide.md");
  EXPECT_EQ(listed.back(), "CHANGELOG.md");
  for (const HelpPage& page : helpPages()) EXPECT_FALSE(page.sections.isEmpty()) << page.path.toStdString();
}

TEST(HelpPages, AnchorsAreThoseOfGitHub) {
  const HelpPage page = readHelpPage("a.md",
                                     "# A page\n## F1, *Keys* & `?`\n```\n# no heading\n```\n    # no heading\n"
                                     "## Two\n### 0.3.0\n## Two\n");
  QStringList anchors;
  for (const HelpSection& section : page.sections) anchors << section.anchor;
  EXPECT_EQ(anchors, QStringList({"a-page", "f1-keys--", "two", "030", "two-1"}));
}

TEST(HelpPages, LinesAreParagraphsItemsRowsAndCodeWithoutMarks) {
  const HelpPage page = readHelpPage("a.md",
                                     "# A\nOne *two*\n[three](b.md#c) `four`.\n\n- item\n  continued\n\n| a | b |\n"
                                     "|---|---|\n| 2 * 3 | **c** |\n\n    code here\n");
  EXPECT_EQ(page.sections.front().lines,
            QStringList({"One two three four.", "item continued", "a \u00b7 b", "2 * 3 \u00b7 c", "code here"}));
}

TEST(HelpPages, LinksAreReadFromTheFolderOfTheirPage) {
  const struct {
    const char *from, *link, *to;
  } cases[] = {{"docs/guide.md", "schedules.md#memory-as-a-dial", "docs/schedules.md#memory-as-a-dial"},
               {"docs/guide.md", "#share-a-run", "docs/guide.md#share-a-run"},
               {"docs/guide.md", "../CONTRIBUTING.md", "CONTRIBUTING.md#"},
               {"CHANGELOG.md", "docs/models.md", "docs/models.md#"},
               {"docs/guide.md", "https://ui.perfetto.dev", "#"}};
  for (const auto& [from, link, to] : cases) EXPECT_EQ(addressOf(linkedPlace(from, link)), to) << link;
}

TEST(HelpPages, EveryHeadingIsFoundInTheDocumentOfItsPage) {
  for (const HelpPage& page : helpPages()) {
    const PageDocument document(page, kWidth, 1, nullptr);
    for (const HelpSection& section : page.sections)
      EXPECT_EQ(document.findBlock(document.positionOf(section.anchor)).text().simplified(), section.title)
          << addressOf({page.path, section.anchor});
  }
}

TEST(HelpPages, EveryLinkLeadsToASectionInTheProgramOrToASite) {
  int inside = 0, outside = 0;
  for (const HelpPage& page : helpPages()) {
    const PageDocument document(page, kWidth, 1, nullptr);
    eachFormat(document, [&](const QTextCharFormat& format) {
      if (!format.isAnchor()) return;
      const QUrl url(format.anchorHref());
      const HelpPlace place = placeOfUrl(url);
      (place.page.isEmpty() ? outside : inside) += 1;
      if (place.page.isEmpty())
        EXPECT_TRUE(url.scheme() == "https" || url.scheme() == "http") << url.toString().toStdString();
      else
        EXPECT_NE(findSection(place), nullptr) << page.path.toStdString() << " links " << addressOf(place);
    });
  }
  EXPECT_GT(inside, 50);
  EXPECT_GT(outside, 1);
}

TEST(HelpPages, EveryFigureIsShownNoWiderThanThePage) {
  int figures = 0;
  for (const HelpPage& page : helpPages()) {
    const PageDocument document(page, kWidth, 1, nullptr);
    eachFormat(document, [&](const QTextCharFormat& format) {
      if (!format.isImageFormat()) return;
      const auto image = document.resource(QTextDocument::ImageResource, format.toImageFormat().name());
      const QSize size = image.canConvert<QImage>() ? image.value<QImage>().size() : QSize();
      EXPECT_FALSE(size.isEmpty()) << page.path.toStdString() << ' ' << format.toImageFormat().name().toStdString();
      EXPECT_LE(size.width(), kWidth);
      ++figures;
    });
  }
  EXPECT_GT(figures, 10);
}

TEST(HelpPages, TablesAndCodeAreDressed) {
  const HelpPage page = readHelpPage("a.md", "# A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n    one\n    two\n\ntext\n");
  const PageDocument document(page, kWidth, 1, nullptr);
  ASSERT_EQ(document.code().size(), 1);
  EXPECT_EQ(document.findBlock(document.code().front().first).text(), "one");
  EXPECT_EQ(document.findBlock(document.code().front().last).text(), "two");
  QTextTable* table = nullptr;
  for (QTextFrame* frame : document.rootFrame()->childFrames()) table = qobject_cast<QTextTable*>(frame);
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->format().borderBrush().color(), look::current().line);
  EXPECT_NE(table->cellAt(0, 0).format().background(), table->cellAt(1, 0).format().background());
}

TEST(HelpTopics, EachLeadsToASectionThatExists) {
  QStringList parts;
  for (const HelpTopic& topic : helpTopics()) {
    EXPECT_NE(findSection(topic.place), nullptr) << topic.part.toStdString() << ": " << addressOf(topic.place);
    EXPECT_FALSE(parts.contains(topic.part)) << topic.part.toStdString();
    parts << topic.part;
  }
}

TEST(HelpTopics, TheNearestPartAroundAWidgetDecides) {
  QWidget dock, form, field;
  dock.setObjectName("experimentDock");
  form.setObjectName("anything");
  field.setObjectName("variantStrategy");
  form.setParent(&dock);
  field.setParent(&form);
  EXPECT_EQ(addressOf(helpTopicOf(&field)), "docs/models-and-training.md#strategies");
  EXPECT_EQ(addressOf(helpTopicOf(&form)), "docs/guide.md#run-your-own-experiment");
  EXPECT_EQ(addressOf(helpTopicOf(nullptr)), "docs/guide.md#");
  field.setParent(nullptr);
  form.setParent(nullptr);
}

}  // namespace
}  // namespace lanelab
