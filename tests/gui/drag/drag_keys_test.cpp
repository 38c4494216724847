// SPDX-License-Identifier: GPL-3.0-only
// The same by keys and by the context menu, and the strip of what is pending.
#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QPushButton>

#include "tests/gui/drag/drag_world.h"

namespace lanelab {
namespace {

using testworld::DragTest;
using testworld::kMs;

class DragKeys : public DragTest {
 protected:
  void SetUp() override {
    DragTest::SetUp();
    QTest::mouseClick(&view, Qt::LeftButton, Qt::NoModifier, placeOf(1).center());
  }
};

TEST_F(DragKeys, ChangeTheSelectedActionOrAllOfItsKind) {
  const struct {
    const char* what;
    Qt::Key key;
    Qt::KeyboardModifiers held;
    double factor;
    bool all;
  } kRows[] = {{"shorter", Qt::Key_Left, Qt::AltModifier, kShorter, false},
               {"longer", Qt::Key_Right, Qt::AltModifier, kLonger, false},
               {"all shorter", Qt::Key_Left, Qt::AltModifier | Qt::ShiftModifier, kShorter, true},
               {"all longer", Qt::Key_Right, Qt::AltModifier | Qt::ShiftModifier, kLonger, true}};
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.what);
    const TimeRange visible = view.visibleRange();
    QTest::keyClick(&view, row.key, row.held);
    ASSERT_EQ(factors(), std::vector<double>{row.factor});
    EXPECT_EQ(changes().changes().spans.front().all, row.all);
    EXPECT_EQ(view.visibleRange(), visible) << "arrows pan without Alt only";
    QTest::keyClick(&view, row.key, row.held);
    EXPECT_NEAR(factors().front(), row.factor * row.factor, 1e-9);
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_FALSE(changes().isPending());
    EXPECT_TRUE(view.spanDetails()) << "the first Esc restores, the next one clears";
  }
}

TEST_F(DragKeys, MoveTheStageToTheLaneBelowOrAbove) {
  QTest::keyClick(&view, Qt::Key_Down, Qt::AltModifier);
  EXPECT_EQ(changes().changes().lanes, (std::map<int, int>{{0, 1}}));
  QTest::keyClick(&view, Qt::Key_Up, Qt::AltModifier);
  EXPECT_TRUE(changesNothing(changes().changes()));
  QSignalSpy said(&view, &TimelineView::hoverChanged);
  QTest::keyClick(&view, Qt::Key_Up, Qt::AltModifier);
  ASSERT_EQ(said.count(), 1);
  EXPECT_EQ(said.back().front().toString(), "No lane is above this one.");
}

TEST_F(DragKeys, WithoutASelectedActionSayWhatIsMissing) {
  QTest::keyClick(&view, Qt::Key_Escape);
  QSignalSpy said(&view, &TimelineView::hoverChanged);
  QTest::keyClick(&view, Qt::Key_Left, Qt::AltModifier);
  ASSERT_EQ(said.count(), 1);
  EXPECT_EQ(said.back().front().toString(), "Select an action first: click it, or press . or ,");
}

TEST_F(DragKeys, EnterAsksForTheSettingWhileChangesArePending) {
  QSignalSpy asked(&view, &TimelineView::doItRequested);
  const TimeRange visible = view.visibleRange();
  QTest::keyClick(&view, Qt::Key_Left, Qt::AltModifier);
  QTest::keyClick(&view, Qt::Key_Return);
  EXPECT_EQ(asked.count(), 1);
  EXPECT_EQ(view.visibleRange(), visible);
  QTest::keyClick(&view, Qt::Key_Escape);
  QTest::keyClick(&view, Qt::Key_Return);
  EXPECT_EQ(asked.count(), 1);
  EXPECT_NE(view.visibleRange(), visible) << "else it zooms to the span";
}

TEST_F(DragKeys, TheContextMenuHasThemAll) {
  QContextMenuEvent event(QContextMenuEvent::Mouse, placeOf(1).center(), view.mapToGlobal(placeOf(1).center()));
  QApplication::sendEvent(&view, &event);
  auto* const menu = view.findChild<QMenu*>("timelineContextMenu");
  ASSERT_NE(menu, nullptr);
  QMenu* of_change = nullptr;
  for (const QAction* action : menu->actions())
    if (action->text() == "C&hange Length or Lane") of_change = action->menu();
  ASSERT_NE(of_change, nullptr);
  for (QAction* const action : of_change->actions()) {
    if (action->text() == "&Halve") action->trigger();
    if (action->text() == "Move Its Stage D&own\tAlt+Down") action->trigger();
  }
  EXPECT_EQ(factors(), std::vector<double>{0.5});
  EXPECT_EQ(changes().changes().lanes, (std::map<int, int>{{0, 1}}));
  menu->close();
}

TEST_F(DragKeys, TheStripShowsWhatIsPending) {
  ChangeStrip strip(&changes());
  EXPECT_FALSE(strip.isVisible());
  QTest::keyClick(&view, Qt::Key_Left, Qt::AltModifier | Qt::ShiftModifier);
  ASSERT_TRUE(answered());
  EXPECT_TRUE(strip.isVisible());
  const QString facts = strip.findChild<QLabel*>("changeFacts")->text();
  EXPECT_TRUE(facts.startsWith("All F of stage 0 0.95x")) << facts.toStdString();
  EXPECT_TRUE(facts.contains("Mean step ")) << facts.toStdString();
  EXPECT_TRUE(facts.contains(" shorter)")) << facts.toStdString();
  EXPECT_TRUE(facts.contains("ritical path ")) << facts.toStdString();
  strip.findChild<QPushButton*>("changeCopy")->click();
  EXPECT_TRUE(QApplication::clipboard()->text().startsWith("All F of stage 0 0.95x\nMean step "));
  EXPECT_FALSE(strip.findChild<QPushButton*>("changeDoIt")->isVisible()) << "no experiment is known here";
  strip.findChild<QPushButton*>("changeClose")->click();
  EXPECT_FALSE(strip.isVisible());
  EXPECT_FALSE(changes().isPending());
}

}  // namespace
}  // namespace lanelab
