// SPDX-License-Identifier: GPL-3.0-only
// What becomes of changes in the window: a placement, the move of blocks that comes nearest, or why nothing can be set.
#include <QLabel>
#include <QPushButton>
#include <QUndoStack>

#include "tests/gui/window/measured_run.h"
#include "tests/gui/window/window_world.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/message_strip.h"
#include "ui/timeline/layout/layout.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

using test::waitFor;
using test::WindowWorld;

class DoIt : public ::testing::Test {
 protected:
  /// A stored run of two variants, whose experiment is used.
  void SetUp() override {
    const QString folder = w.place.filePath("measured");
    test::writeMeasuredRun(folder.toStdString());
    w.window->openPath(folder);
    ASSERT_TRUE(waitFor([&] { return w.window->shownRun().isViewed(); }));
  }
  void useIt() {
    w.find<QPushButton>("useViewedRun")->click();
    ASSERT_TRUE(waitFor([&] { return !w.window->shownRun().isViewed(); }));
    w.window->document().activateVariant("Pipeline");
    ASSERT_TRUE(waitFor([&] { return timeline()->trace() && timeline()->trace()->title == "Pipeline"; }));
  }
  TimelineView* timeline() const { return w.find<TimelineView>("timeline"); }
  QString setting() const { return w.find<QLabel>("changeSetting")->text(); }
  QPushButton* button() const { return w.find<QPushButton>("changeDoIt"); }
  const VariantConfig& pipeline() const { return w.window->document().experiment().variants.at(1); }

  /// Clicks the first action of stage 1.
  void selectStage1() const {
    ASSERT_TRUE(waitFor([&] { return timeline()->trace() && timeline()->trace()->title == "Pipeline"; }));
    const TimelineData data(timeline()->trace());
    const TimelineLayout placed = timeline()->viewport().layout();
    for (const RowBox& box : placed.rows) {
      const Row& row = data.rows()[box.row];
      if (row.lane != 1 || row.kind != Track::Kind::Compute) continue;
      const Span first = data.span({box.row, 0});
      const double x = placed.scale(timeline()->visibleRange()).x(first.start + first.range().length() / 2);
      QTest::mouseClick(timeline(), Qt::LeftButton, Qt::NoModifier, QPointF(x, box.rect.center().y()).toPoint());
      break;
    }
    ASSERT_TRUE(timeline()->spanDetails());
    ASSERT_EQ(timeline()->spanDetails()->name, "1F0");
  }
  void key(Qt::Key key, Qt::KeyboardModifiers held) const { QTest::keyClick(timeline(), key, held); }

  WindowWorld w;
};

TEST_F(DoIt, PlacesAMovedStageAndUndoTakesItBack) {
  useIt();
  const Experiment before = w.window->document().experiment();
  const auto measured = timeline()->trace();
  selectStage1();
  key(Qt::Key_Up, Qt::AltModifier);
  ASSERT_TRUE(w.find<QFrame>("changeStrip")->isVisible());
  ASSERT_TRUE(button()->isVisible()) << setting().toStdString();
  EXPECT_EQ(button()->toolTip(), "Edit the experiment: move stage 1 to cpu:0 (Enter)");
  key(Qt::Key_Return, Qt::NoModifier);
  EXPECT_FALSE(w.find<QFrame>("changeStrip")->isVisible());
  EXPECT_EQ(timeline()->trace(), measured) << "what was measured is shown again";
  for (const LaneId lane : w.window->document().activePlacement().lane_of_block) EXPECT_EQ(lane, LaneId(0));
  EXPECT_TRUE(w.window->messages().sentence().startsWith("Move stage 1 to cpu:0: done."));
  EXPECT_EQ(w.window->document().undoStack()->undoText(), "move stage 1 to cpu:0");
  w.trigger("undo");
  EXPECT_EQ(w.window->document().experiment(), before);
}

TEST_F(DoIt, OffersTheMoveOfBlocksThatComesNearestToALength) {
  useIt();
  selectStage1();
  for (int i = 0; i < 2; ++i) key(Qt::Key_Left, Qt::AltModifier | Qt::ShiftModifier);
  ASSERT_TRUE(waitFor([&] { return button()->isVisible(); })) << setting().toStdString();
  EXPECT_TRUE(
      setting().startsWith("No setting of the experiment makes just this. Nearest: Move layer3.0 to cpu:0 "
                           "(stage 1 0.9"))
      << setting().toStdString();
  EXPECT_EQ(button()->text(), "&Do the Nearest");
  button()->click();
  EXPECT_EQ(pipeline().cuts, std::vector<std::string>{"layer3.1"});
  w.trigger("undo");
  EXPECT_EQ(pipeline().cuts, std::vector<std::string>{"layer3.0"});
}

TEST_F(DoIt, SaysWhyNothingCanBeSet) {
  selectStage1();
  key(Qt::Key_Up, Qt::AltModifier);
  EXPECT_EQ(setting(), "A stored run is viewed. Choose Use as Experiment, then change its timeline.");
  EXPECT_FALSE(button()->isVisible());
  key(Qt::Key_Escape, Qt::NoModifier);
  useIt();
  selectStage1();
  key(Qt::Key_Left, Qt::AltModifier);
  EXPECT_EQ(setting(), "No setting of the experiment changes one action or transfer alone.");
  EXPECT_FALSE(button()->isVisible());
  key(Qt::Key_Return, Qt::NoModifier);
  EXPECT_EQ(w.window->document().undoStack()->count(), 0) << "Enter makes nothing of it";
  key(Qt::Key_Up, Qt::AltModifier);
  EXPECT_EQ(setting(), "The experiment has no setting for lengths; the lanes can be set.");
  EXPECT_TRUE(button()->isVisible());
  w.window->document().edit("another size", [](Experiment& experiment) { experiment.variants[1].split_size = 4; });
  EXPECT_TRUE(setting().startsWith("The experiment was edited since this run."));
  EXPECT_FALSE(button()->isVisible());
  key(Qt::Key_Escape, Qt::NoModifier);
  EXPECT_FALSE(w.find<QFrame>("changeStrip")->isVisible());
}

}  // namespace
}  // namespace lanelab
