// SPDX-License-Identifier: GPL-3.0-only
// What a search over all pages finds, and where.
#include "ui/help/help_search.h"

#include <gtest/gtest.h>

#include "ui/look/plain_text.h"

namespace lanelab {
namespace {

bool finds(const QList<HelpHit>& hits, const HelpPlace& place) {
  return std::ranges::any_of(hits, [&](const HelpHit& hit) { return hit.place == place; });
}

TEST(HelpSearch, FindsSectionsByTitleBeforeThoseByALine) {
  const QList<HelpHit> hits = searchHelp("suggested FIXES");
  ASSERT_GT(hits.size(), 0);
  EXPECT_EQ(hits.front().place, (HelpPlace{"docs/planning.md", "suggested-fixes"}));
  EXPECT_EQ(hits.front().title, "Planning > Suggested fixes");
}

TEST(HelpSearch, EveryHitHasAllWordsInItsTitleOrLine) {
  for (const char* words : {"critical path", "recompute", "F1", "perfetto trace", "lanelab-cli gaps"}) {
    const QList<HelpHit> hits = searchHelp(words);
    EXPECT_GT(hits.size(), 0) << words;
    for (const HelpHit& hit : hits) {
      const HelpSection* const section = findSection(hit.place);
      ASSERT_NE(section, nullptr);
      const bool in_line = std::ranges::any_of(
          section->lines, [&](const QString& line) { return look::hasWords(line, QString(words)); });
      EXPECT_TRUE(in_line || look::hasWords(section->title, words)) << hit.title.toStdString();
      EXPECT_LE(hit.line.size(), 160);
    }
  }
}

TEST(HelpSearch, AnExcerptShowsTheFirstWord) {
  for (const HelpHit& hit : searchHelp("weight parts"))
    if (!hit.line.isEmpty()) {
      EXPECT_FALSE(wordsIn(hit.line, "weight parts").isEmpty()) << hit.line.toStdString();
    }
  EXPECT_TRUE(finds(searchHelp("weight parts in its gaps"), {"docs/schedules.md", "schedules"}));
}

TEST(HelpSearch, NothingIsFoundForNothingAndForWordsThatNoPageHas) {
  EXPECT_TRUE(searchHelp("").isEmpty());
  EXPECT_TRUE(searchHelp("  ").isEmpty());
  EXPECT_TRUE(searchHelp("xyzzy").isEmpty());
}

TEST(HelpSearch, WordsAreMarkedApartInTheirOrder) {
  EXPECT_EQ(wordsIn("Idle time of an idle lane", "lane idle"), (QList<TextRange>{{0, 4}, {16, 4}, {21, 4}}));
  EXPECT_EQ(wordsIn("micro-batches", "batch micro-batch"), (QList<TextRange>{{0, 11}}));
  EXPECT_TRUE(wordsIn("anything", " ").isEmpty());
}

}  // namespace
}  // namespace lanelab
