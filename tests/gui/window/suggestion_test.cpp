// SPDX-License-Identifier: GPL-3.0-only
// From the sentence that says what would be faster, by one click, to the run that says what it was worth.
#include <QLabel>
#include <QPushButton>

#include "engine/experiment/edits/variant_edits.h"
#include "tests/gui/window/measured_run.h"
#include "tests/gui/window/window_world.h"
#include "ui/charts/comparison_view.h"

namespace lanelab {
namespace {

using test::waitFor;
using test::WindowWorld;

class SuggestionWindow : public ::testing::Test {
 protected:
  void SetUp() override {
    const QString folder = w.place.filePath("measured");
    test::writeMeasuredRun(folder.toStdString());
    w.window->openPath(folder);
    ASSERT_TRUE(waitFor([&] { return sentence()->text().startsWith("Move "); })) << sentence()->text().toStdString();
  }
  QLabel* sentence() const { return w.find<QLabel>("suggestionSentence"); }

  WindowWorld w;
};

TEST_F(SuggestionWindow, SaysWhichBlockToMoveAndRunsItBesideThePresentOne) {
  EXPECT_TRUE(sentence()->text().startsWith("Move layer3.0 to cpu:0: predicted ")) << sentence()->text().toStdString();
  EXPECT_EQ(w.find<QLabel>("recordingFigure")->text(), "Recording: 0.4 % of a step");
  w.find<QPushButton>("suggestionRun")->click();
  const auto& variants = w.window->document().experiment().variants;
  ASSERT_EQ(variants.size(), 3u);
  EXPECT_EQ(variants[2].name, "Pipeline (suggested)");
  EXPECT_EQ(variants[2].cuts, std::vector<std::string>{"layer3.1"});
  EXPECT_EQ(w.window->document().activeVariant(), 2);
  ASSERT_TRUE(waitFor(
      [&] { return !w.window->controller().running() && w.record() && w.record()->find("Pipeline (suggested)"); }));
  EXPECT_EQ(w.record()->status, RunStatus::Done);
  ASSERT_TRUE(waitFor([&] { return !w.find<QLabel>("suggestionOutcome")->text().isEmpty(); }));
  const QString outcome = w.find<QLabel>("suggestionOutcome")->text();
  EXPECT_TRUE(outcome.startsWith("Pipeline (suggested) (Move layer3.0 to cpu:0): predicted ")) << outcome.toStdString();
  EXPECT_TRUE(outcome.contains("than Pipeline, measured") && outcome.contains("; 5 repeats each"))
      << outcome.toStdString();
  w.trigger("undo");
  EXPECT_EQ(w.window->document().experiment().variants.size(), 2u);
}

TEST_F(SuggestionWindow, IsOfTheRunAndComesBackToIt) {
  w.window->openExperiment(test::smallExperiment(), {});
  EXPECT_TRUE(sentence()->text().isEmpty());
  EXPECT_FALSE(w.window->action("runSuggestion")->isEnabled());
}

TEST(StaleSuggestions, GoWhenTheVariantOrWhatItSuggestsForEdited) {
  Experiment before = test::oneBlockTooMany();
  VariantConfig suggested = before.variants[1];
  suggested.name = "Pipeline (suggested)";
  suggested.cuts = std::vector<std::string>{"layer3.1"};
  suggested.suggested_from = SuggestedFrom{"Pipeline", "Move layer3.0 to cpu:0", 1.1};
  Experiment with = before;
  with.variants.push_back(suggested);
  dropStaleSuggestions(before, with);
  EXPECT_TRUE(with.variants[2].suggested_from) << "it is new";
  before = with;
  Experiment seed = before, name = before, repeats = before, limit = before;
  seed.training.seed = 7;
  repeats.repeats = 20;
  name.name = "other";
  limit.lanes[1].memory_limit_mib = 4096;
  for (Experiment* kept : {&seed, &repeats, &name, &limit}) {
    dropStaleSuggestions(before, *kept);
    EXPECT_TRUE(kept->variants[2].suggested_from);
  }
  Experiment own = before, other = before, batch = before, lanes = before;
  own.variants[2].split_size = 4;
  other.variants[1].split_size = 4;
  batch.data.batch = 16;
  lanes.lanes[1].threads = 2;
  for (Experiment* changed : {&own, &other, &batch, &lanes}) {
    dropStaleSuggestions(before, *changed);
    EXPECT_FALSE(changed->variants[2].suggested_from);
  }
}

}  // namespace
}  // namespace lanelab
