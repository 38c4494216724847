// SPDX-License-Identifier: GPL-3.0-only
// A new person, from a blank window to an own experiment placed, run and exported: by mouse alone and by keys alone,
// each action counted.
#include <gtest/gtest.h>

#include <QApplication>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileDialog>
#include <QImageReader>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStyleOptionSpinBox>
#include <QToolBar>

#include "tests/gui/window/window_world.h"
#include "ui/board/board_view.h"
#include "ui/export/export_settings.h"

namespace lanelab {
namespace {

using test::waitFor;
using test::WindowWorld;

constexpr int kMostActions = 12;

/// One press, drag, click or key is one action.
class Hands {
 public:
  explicit Hands(WindowWorld& world) : m_world(world) {}

  void click(QWidget* widget, QPoint at) {
    ++m_actions;
    QTest::mouseClick(widget, Qt::LeftButton, {}, at);
  }
  void click(QWidget* widget) { click(widget, widget->rect().center()); }
  void click(QMenu* menu, QAction* action) { click(menu, menu->actionGeometry(action).center()); }
  void drag(QWidget* widget, QPoint from, QPoint to) {
    ++m_actions;
    QTest::mousePress(widget, Qt::LeftButton, {}, from);
    QTest::mouseMove(widget, (from + to) / 2);
    QTest::mouseMove(widget, to);
    QTest::mouseRelease(widget, Qt::LeftButton, {}, to);
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    ++m_actions;
    QWidget* focus = QApplication::focusWidget();
    QTest::keyClick(focus ? focus : m_world.window.get(), key, modifiers);
  }
  int actions() const { return m_actions; }

 private:
  WindowWorld& m_world;
  int m_actions = 0;
};

struct FirstSteps : ::testing::Test {
  FirstSteps() : w({}, {}), hands(w) {
    ExportSettings().remember("comparison", w.place.path(),
                              "png");  // the folder of the last export; a new person's is Documents
  }
  BoardView& board() { return *w.find<BoardView>("board"); }
  int blocksOnSecondLane() {
    int count = 0;
    for (const LaneId lane : w.window->document().activePlacement().lane_of_block) count += lane == LaneId(1);
    return count;
  }
  bool runEnded() {
    return waitFor([&] { return w.record() && !w.window->controller().running(); });
  }
  void expectOwnRunExported() {
    ASSERT_TRUE(w.record());
    EXPECT_EQ(w.record()->status, RunStatus::Done);
    EXPECT_EQ(w.record()->find("Pipeline")->stages, 2);
    EXPECT_EQ(w.record()->find("Pipeline")->split_size, 5);
    const QString file = w.place.filePath("experiment-comparison.png");
    ASSERT_TRUE(waitFor([&] { return QFile::exists(file); }));
    QImageReader picture(file);
    EXPECT_GT(picture.size().width(), 1000);
    EXPECT_TRUE(picture.text("lanelab").contains("\"split_size\": 5") ||
                picture.text("lanelab").contains("\"split_size\":5"))
        << picture.text("lanelab").toStdString();
    EXPECT_LE(hands.actions(), kMostActions);
    RecordProperty("actions", hands.actions());
  }

  WindowWorld w;
  Hands hands;
};

TEST_F(FirstSteps, ByMouseAlone) {
  ASSERT_EQ(blocksOnSecondLane(), 0);
  const auto& geometry = board().geometryNow();
  const auto pixel = [&](QPointF scene) { return board().mapFromScene(scene); };
  const QRectF first = geometry.chips[5].rect;
  const QRectF last = geometry.chips.back().rect;
  const qreal other_lane = geometry.rows[1].band.center().y();
  hands.drag(board().viewport(), pixel({first.left() + 4, other_lane}), pixel({last.right() - 4, last.top() + 4}));
  hands.drag(board().viewport(), pixel(first.center()), pixel({first.center().x(), other_lane}));
  EXPECT_EQ(blocksOnSecondLane(), static_cast<int>(geometry.chips.size()) - 5);

  auto* split = w.find<QToolBar>("mainToolBar")->findChild<QSpinBox*>("splitSizeNumber");
  QStyleOptionSpinBox option;
  option.initFrom(split);
  option.subControls = QStyle::SC_All;
  hands.click(split, split->style()->subControlRect(QStyle::CC_SpinBox, &option, QStyle::SC_SpinBoxUp, split).center());
  EXPECT_EQ(split->value(), 5);

  hands.click(w.find<QToolBar>("mainToolBar")->widgetForAction(w.window->action("run")));
  ASSERT_TRUE(runEnded());

  auto* bar = w.window->menuBar();
  auto* file = w.find<QMenu>("fileMenu");
  hands.click(bar, bar->actionGeometry(file->menuAction()).center());
  auto* exports = w.find<QMenu>("exportMenu");
  hands.click(file, exports->menuAction());
  ASSERT_TRUE(waitFor([&] { return exports->isVisible(); }));
  hands.click(exports, w.window->action("exportComparison"));
  auto* dialog = w.find<QFileDialog>("exportDialog");
  ASSERT_NE(dialog, nullptr);
  hands.click(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save));
  expectOwnRunExported();
}

TEST_F(FirstSteps, ByKeysAlone) {
  ASSERT_EQ(blocksOnSecondLane(), 0);
  ASSERT_TRUE(waitFor([&] { return board().hasFocus(); })) << "a new window begins at the board";
  hands.key(Qt::Key_End);
  hands.key(Qt::Key_1);
  hands.key(Qt::Key_Left, Qt::ControlModifier);
  EXPECT_EQ(blocksOnSecondLane(), 2);
  hands.key(Qt::Key_M, Qt::ControlModifier);
  auto* split = w.find<QToolBar>("mainToolBar")->findChild<QSpinBox*>("splitSizeNumber");
  ASSERT_TRUE(split->hasFocus());
  hands.key(Qt::Key_Up);
  EXPECT_EQ(split->value(), 5);
  hands.key(Qt::Key_Return, Qt::ControlModifier);
  ASSERT_TRUE(runEnded());
  hands.key(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
  auto* dialog = w.find<QFileDialog>("exportDialog");
  ASSERT_NE(dialog, nullptr);
  ASSERT_TRUE(waitFor([&] { return dialog->isAncestorOf(QApplication::focusWidget()); }));
  hands.key(Qt::Key_Return);
  expectOwnRunExported();
}

}  // namespace
}  // namespace lanelab
