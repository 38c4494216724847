// SPDX-License-Identifier: GPL-3.0-only
// Planning in the window: where to cut, on measured times; and what was predicted, behind what was measured.
#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>

#include "engine/experiment/edits/placement_edits.h"
#include "tests/gui/window/window_world.h"
#include "ui/board/board_view.h"
#include "ui/experiment/cuts_dialog.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

using test::waitFor;
using test::WindowWorld;

/// Block times go into a place of this test's own.
class PlanningWindow : public ::testing::Test {
 protected:
  PlanningWindow() { qputenv("LANELAB_PROFILES", m_profiles.path().toUtf8()); }
  ~PlanningWindow() override { qunsetenv("LANELAB_PROFILES"); }

  /// The dialog with the blocks measured.
  static CutsDialog* measuredCuts(const WindowWorld& w) {
    w.window->document().setActiveVariant(2);
    w.trigger("cuts");
    auto* const measure = w.find<QPushButton>("cutsMeasure");
    EXPECT_TRUE(waitFor([&] { return measure->isVisible(); }));
    EXPECT_FALSE(w.find<QPushButton>("cutsPlace")->isVisible());
    measure->click();
    EXPECT_TRUE(waitFor([&] { return w.find<QWidget>("cutsBars")->isVisible(); }));
    return w.window->findChild<CutsDialog*>();
  }

 private:
  QTemporaryDir m_profiles;
};

TEST_F(PlanningWindow, CutsAreComparedOnceTheBlocksAreMeasuredAndTheBestIsPlaced) {
  WindowWorld w(test::slow(std::chrono::microseconds(100)));  // of each block alike, so that half of the ten is best
  w.window->document().edit("an uneven cut",
                            [](Experiment& e) { e.variants[2].cuts = std::vector<std::string>{"layer2.0"}; });
  ASSERT_NE(measuredCuts(w), nullptr);
  EXPECT_TRUE(w.find<QLabel>("cutsHeadline")->text().contains("No other cut"))
      << w.find<QLabel>("cutsHeadline")->text().toStdString();
  auto* const place = w.find<QPushButton>("cutsPlace");
  ASSERT_TRUE(place->isEnabled());
  place->click();
  EXPECT_EQ(w.window->document().experiment().variants[2].cuts, std::vector<std::string>{"layer3.0"});
  EXPECT_FALSE(place->isEnabled()) << "now it is placed";
  w.window->document().undoStack()->undo();
  EXPECT_EQ(w.window->document().experiment().variants[2].cuts, std::vector<std::string>{"layer2.0"});
  EXPECT_FALSE(place->isEnabled()) << "until the cuts are predicted again";
  EXPECT_TRUE(waitFor([&] { return place->isEnabled(); }));
}

TEST_F(PlanningWindow, CutsOfAScheduleInAVKeepItsStages) {
  WindowWorld w(test::slow(std::chrono::microseconds(100)));
  ExperimentDocument& document = w.window->document();
  document.edit("a V", [&](Experiment& e) { setSchedule(e, document.model(), ScheduleKind::ZbV, e.variants[2]); });
  document.edit("uneven", [&](Experiment& e) { e.variants[2].cuts = {{"layer1.0", "layer1.1", "layer2.0"}}; });
  ASSERT_NE(measuredCuts(w), nullptr);
  auto* const place = w.find<QPushButton>("cutsPlace");
  ASSERT_TRUE(place->isEnabled());
  place->click();
  EXPECT_EQ(document.experiment().variants[2].cuts->size(), 3U);
  EXPECT_TRUE(document.problems().empty());
  EXPECT_FALSE(place->isEnabled());
}

TEST_F(PlanningWindow, WithoutACutThatFitsItSaysSo) {
  WindowWorld w;
  measuredCuts(w);
  w.window->document().edit("a limit", [](Experiment& e) { e.lanes[0].memory_limit_mib = 1; });
  EXPECT_TRUE(waitFor([&] { return w.find<QLabel>("cutsHeadline")->text().contains("memory limit"); }));
  EXPECT_FALSE(w.find<QPushButton>("cutsPlace")->isVisible());
}

TEST_F(PlanningWindow, ThePredictionBelowTheBoardUsesTheMeasuredBlocksAtOnce) {
  WindowWorld w;
  const auto& board = *w.find<BoardView>("board");
  const auto origin = [&] { return board.forecast().times()->origin; };
  w.window->document().setActiveVariant(2);
  ASSERT_EQ(origin(), BlockTimes::Origin::Estimated);
  measuredCuts(w);
  EXPECT_TRUE(waitFor([&] { return origin() == BlockTimes::Origin::Recorded; }));
}

TEST_F(PlanningWindow, AVariantOfOneLaneHasNothingToCut) {
  WindowWorld w;
  measuredCuts(w);
  w.window->document().edit("one lane", [](Experiment& e) {
    e.variants[2].lanes = std::vector<int>{0};
    e.variants[2].cuts = std::vector<std::string>{};
  });
  EXPECT_TRUE(waitFor([&] { return w.find<QLabel>("cutsHeadline")->text().contains("nothing to cut"); }));
  EXPECT_FALSE(w.find<QPushButton>("cutsPlace")->isVisible());
}

TEST_F(PlanningWindow, ARunIsDrawnOverItsPredictionWhereTheBlocksAreMeasured) {
  WindowWorld w(test::slow(std::chrono::microseconds(100)));
  auto* const timeline = w.window->findChild<TimelineView*>();
  ASSERT_NE(timeline, nullptr);
  const auto shown = [&] { return waitFor([&] { return timeline->trace() != nullptr; }); };
  ASSERT_TRUE(w.runToTheEnd());
  ASSERT_TRUE(shown());
  EXPECT_FALSE(timeline->picture().caption.contains("predicted")) << timeline->picture().caption.toStdString();

  measuredCuts(w)->close();
  ASSERT_TRUE(w.runToTheEnd());
  timeline->showRows(RowKind::Predicted, true);
  EXPECT_TRUE(waitFor([&] { return timeline->picture().caption.contains("Outlines: predicted"); }))
      << timeline->picture().caption.toStdString();
}

}  // namespace
}  // namespace lanelab
