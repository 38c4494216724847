// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/cut_choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/experiment/edits/placement_edits.h"
#include "tests/unit/advise/measured_world.h"

namespace lanelab {
namespace {

using Kind = CutChoice::Kind;
using ::testing::ElementsAre;

Experiment cutExperiment(ScheduleKind schedule) {
  Experiment experiment = test::resnetOn(2);
  experiment.variants = {test::pipelineCutAt({"layer1.0"})};
  setSchedule(experiment, test::resolved(experiment)->model(), schedule, experiment.variants[0]);
  return experiment;
}

Result<CutChoices> choicesOf(const Experiment& experiment) {
  const auto resolution = test::resolved(experiment);
  return cutChoices(resolution->variants().front(),
                    StepPredictor(estimatedBlockTimes(experiment, resolution->model())));
}

std::vector<Kind> kindsOf(const CutChoices& choices) {
  std::vector<Kind> kinds;
  for (const CutChoice& row : choices.rows) kinds.push_back(row.kind);
  return kinds;
}

TEST(CutChoices, OfTwoStagesBeginWithTheFastestAndEndAsPlaced) {
  const auto choices = choicesOf(cutExperiment(ScheduleKind::OneFOneB));
  ASSERT_TRUE(choices.ok()) << choices.error().message;
  EXPECT_THAT(kindsOf(*choices), ElementsAre(Kind::PredictedStep, Kind::Macs, Kind::Parameters, Kind::Memory,
                                             Kind::Tutorial, Kind::AsPlaced))
      << "the exact partition is the same cut";
  for (const CutChoice& row : choices->rows) EXPECT_GE(row.seconds, choices->rows.front().seconds);
  EXPECT_EQ(choices->tried, 17);
  EXPECT_TRUE(choices->all_tried);
  EXPECT_THAT(choices->rows.back().cuts, ElementsAre("layer1.0"));
}

TEST(CutChoices, KeepTheStagesOfSchedulesWithSeveralALane) {
  for (const ScheduleKind schedule : {ScheduleKind::InterleavedOneFOneB, ScheduleKind::ZbV}) {
    const Experiment experiment = cutExperiment(schedule);
    const auto choices = choicesOf(experiment);
    ASSERT_TRUE(choices.ok()) << choices.error().message;
    for (const CutChoice& row : choices->rows) {
      EXPECT_EQ(row.cuts.size(), 3U) << toWord(schedule);
      EXPECT_GE(row.seconds, choices->rows.front().seconds);
      EXPECT_TRUE(std::isfinite(row.seconds));
      EXPECT_TRUE(test::resolved(experiment)->with(row.variant)->variants().front().plan().ok());
    }
  }
}

TEST(CutChoices, ThatExceedALimitCannotRun) {
  Experiment experiment = cutExperiment(ScheduleKind::OneFOneB);
  experiment.lanes[0].memory_limit_mib = 1;
  const auto choices = choicesOf(experiment);
  ASSERT_TRUE(choices.ok());
  for (const CutChoice& row : choices->rows) EXPECT_TRUE(std::isinf(row.seconds));
}

TEST(CutChoices, OfOneStageAreNone) {
  Experiment experiment = test::resnetOn(1);
  experiment.variants = {test::pipelineCutAt({})};
  EXPECT_THAT(choicesOf(experiment).error().message, ::testing::HasSubstr("nothing to cut"));
}

}  // namespace
}  // namespace lanelab
