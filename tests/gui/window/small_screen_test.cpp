// SPDX-License-Identifier: GPL-3.0-only
// Many lanes on a small screen: lanes go before everything else, and nothing that the user arranged is moved.
#include <gtest/gtest.h>

#include <QScrollBar>
#include <QSplitter>
#include <QStatusBar>

#include "tests/gui/window/window_world.h"
#include "ui/board/board_view.h"
#include "ui/timeline/layout/layout.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab::test {
namespace {

constexpr QSize kSmallScreen(1280, 690);  ///< of 1280x720 without a window's frame

FakeBehaviour coresOf(int lanes) {
  FakeBehaviour behaviour;
  behaviour.devices.clear();
  for (int core = 0; core < lanes; ++core) behaviour.devices.push_back({Device::cpu(core), "fake core"});
  return behaviour;
}

/// ResNet-18 in as many stages as lanes.
Experiment pipelineOn(int lanes) {
  Experiment experiment = blankExperiment(coresOf(lanes).devices);
  experiment.lanes.clear();
  for (int core = 0; core < lanes; ++core) experiment.lanes.emplace_back().device = Device::cpu(core);
  VariantConfig variant;
  variant.name = "Pipeline";
  variant.strategy = Strategy::Pipeline;
  variant.split_size = 2;
  const std::vector<std::string> cuts = {"layer1.0", "layer1.1", "layer2.0", "layer2.1",
                                         "layer3.0", "layer3.1", "layer4.0"};
  variant.cuts = std::vector<std::string>(cuts.begin(), cuts.begin() + lanes - 1);
  experiment.variants = {variant};
  experiment.repeats = 1;
  experiment.warmup = 0;
  return experiment;
}

class SmallScreen : public testing::TestWithParam<int> {
 protected:
  bool run() {
    w.window->resize(kSmallScreen);
    return w.runToTheEnd() && waitFor([&] { return timeline().trace() != nullptr; });
  }
  TimelineView& timeline() const { return *w.find<TimelineView>("timeline"); }
  bool lanesScroll() const {
    for (const QScrollBar* const bar : timeline().findChildren<QScrollBar*>())
      if (bar->orientation() == Qt::Vertical && bar->isVisible()) return true;
    return false;
  }

  WindowWorld w{coresOf(GetParam()), {{"Lanes", pipelineOn(GetParam())}}};
};

TEST_P(SmallScreen, ShowsEachLaneOfARunAndTheStatusLine) {
  ASSERT_TRUE(run());
  EXPECT_TRUE(waitFor([&] { return !lanesScroll(); })) << "of " << timeline().height() << " pixels";
  const TimelineLayout placed = timeline().viewport().layout();
  ASSERT_EQ(placed.lanes.size(), static_cast<std::size_t>(GetParam()));
  for (const RowBox& row : placed.rows) {
    EXPECT_GE(row.rect.height(), 4) << "lane row " << row.row;
    EXPECT_LE(row.rect.bottom(), placed.body.bottom() + 0.5);
  }
  const QStatusBar& status = *w.window->statusBar();
  EXPECT_LE(status.mapTo(w.window.get(), status.rect().bottomLeft()).y(), w.window->height());
  EXPECT_TRUE(w.find<BoardView>("board")->isVisible());
  EXPECT_GE(w.find<BoardView>("board")->height(), 60);
}

TEST_P(SmallScreen, LeavesTheLineThatTheUserMoved) {
  w.window->resize(kSmallScreen);
  auto* centre = w.find<QSplitter>("centre");
  centre->setSizes({300, 100});
  Q_EMIT centre->splitterMoved(300, 1);
  const QList<int> chosen = centre->sizes();
  ASSERT_TRUE(run());
  EXPECT_EQ(centre->sizes(), chosen);
  w.trigger("resetLayout");
  EXPECT_TRUE(waitFor([&] { return !lanesScroll(); })) << "from now on as at first";
}

INSTANTIATE_TEST_SUITE_P(Lanes, SmallScreen, testing::Values(2, 8));

}  // namespace
}  // namespace lanelab::test
