// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <QMenu>
#include <QSignalSpy>
#include <QTest>

#include "tests/gui/timeline/shown_view.h"
#include "ui/look/theme.h"
#include "ui/timeline/layout/legend.h"

namespace lanelab {
namespace {

class LegendTest : public ::testing::Test {
 protected:
  TimelineView& view() { return shown.view; }
  std::vector<LegendEntry> entries() {
    const TimelineData data(view().trace());
    return placedLegend(legendEntries(data, view().arrangement()), view().viewport().layout());
  }
  LegendEntry entryOf(RowKind kind) {
    for (const LegendEntry& one : entries())
      if (one.rows == kind) return one;
    ADD_FAILURE() << "no entry of " << toWord(kind);
    return {};
  }
  /// Pixels of the background of idle time above the legend.
  int idlePixels() {
    QApplication::processEvents();
    const QImage image = view().grab().toImage();
    int count = 0;
    for (int y = 0; y < image.height() - 30; ++y)
      for (int x = 0; x < image.width(); ++x)
        count += image.pixel(x, y) == look::current().idle_background.rgb() ? 1 : 0;
    return count;
  }

  testworld::ShownView shown;
};

TEST_F(LegendTest, EachEntryWithACheckBoxShowsAndHidesByAClickAndByItsKey) {
  for (const RowKind kind : {RowKind::Transfers, RowKind::Idle, RowKind::Counters}) {
    const bool before = view().arrangement().shows(kind);
    EXPECT_EQ(entryOf(kind).shown, before) << toWord(kind);
    QTest::mouseClick(&view(), Qt::LeftButton, {}, entryOf(kind).check.center().toPoint());
    EXPECT_EQ(view().arrangement().shows(kind), !before) << toWord(kind);
    QTest::keyClick(&view(), static_cast<Qt::Key>(Qt::Key_0 + entryOf(kind).number));
    EXPECT_EQ(view().arrangement().shows(kind), before) << toWord(kind) << " by the key";
  }
}

TEST_F(LegendTest, HiddenIdleTimeIsNeitherHatchedNorNamed) {
  EXPECT_GT(idlePixels(), 1000);
  view().showRows(RowKind::Idle, false);
  EXPECT_EQ(idlePixels(), 0);
}

TEST_F(LegendTest, EntriesThatOnlyExplainHaveNoCheckBox) {
  for (const LegendEntry& entry : entries()) {
    EXPECT_EQ(entry.check.isEmpty(), !entry.rows) << entry.text.toStdString();
    EXPECT_EQ(entry.number > 0, entry.rows.has_value());
  }
  const std::vector<LegendEntry> before = entries();
  QTest::mouseClick(&view(), Qt::LeftButton, {}, before.front().mark.center().toPoint());
  EXPECT_EQ(entries().size(), before.size());
}

TEST_F(LegendTest, EntriesMoveCloserTogetherBeforeOneIsLeftOut) {
  const std::size_t all = entries().size();
  view().resize(static_cast<int>(entries().back().rect.right()) - 20, 300);
  EXPECT_EQ(entries().size(), all);
}

TEST_F(LegendTest, EntriesWithoutRoomGoIntoFurtherLines) {
  const std::size_t all = entries().size();
  view().resize(400, 300);
  const std::vector<LegendEntry> wrapped = entries();
  EXPECT_EQ(wrapped.size(), all);
  EXPECT_GT(wrapped.back().rect.top(), wrapped.front().rect.bottom() - 1);
  for (const LegendEntry& entry : wrapped) {
    EXPECT_LE(entry.rect.right(), 400) << entry.text.toStdString();
    EXPECT_LE(entry.rect.bottom(), 300) << entry.text.toStdString();
    for (const LegendEntry& other : wrapped)
      EXPECT_TRUE(&entry == &other || !entry.rect.intersects(other.rect)) << entry.text.toStdString();
  }
  QTest::mouseClick(&view(), Qt::LeftButton, {}, entryOf(RowKind::Counters).check.center().toPoint());
  EXPECT_TRUE(entryOf(RowKind::Counters).shown);
}

TEST_F(LegendTest, EntriesWithoutRoomInALowViewAreInAMenu) {
  view().resize(400, 130);
  ASSERT_EQ(entries().back().item, LegendItem::More);
  EXPECT_LE(entries().back().rect.right(), 400);
  QTest::mouseClick(&view(), Qt::LeftButton, {}, entries().back().rect.center().toPoint());
  auto* menu = view().findChild<QMenu*>("timelineContextMenu");
  ASSERT_NE(menu, nullptr);
  int checkable = 0;
  for (const QAction* action : menu->actions()) checkable += action->isCheckable() ? 1 : 0;
  EXPECT_EQ(checkable, 10) << "a kind of rows each";
  delete menu;
}

TEST_F(LegendTest, AChangeIsReadAloud) {
  QTest::keyClick(&view(), static_cast<Qt::Key>(Qt::Key_0 + entryOf(RowKind::Idle).number));
  EXPECT_EQ(view().accessibleDescription(), QStringLiteral("idle hidden"));
}

}  // namespace
}  // namespace lanelab
