// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/stage_moves.h"

#include "tests/unit/advise/measured_world.h"

namespace lanelab {
namespace {

using test::pipelineCutAt;
using test::resnetOn;

std::string orderText(const std::vector<OrderedAction>& row) {
  std::string text;
  for (const OrderedAction& action : row) {
    text += (text.empty() ? "" : " ") + std::to_string(action.stage) + letterOf(action.phase);
    if (action.phase != Phase::Update) text += std::to_string(action.micro_batch);
  }
  return text;
}

Result<MovedStages> moved(const Experiment& experiment, const std::map<int, int>& lanes) {
  const auto resolution = resolve(experiment);
  return movedStages(resolution->variants().front(), lanes);
}

Experiment pipelineOnThree(ScheduleKind schedule) {
  Experiment experiment = resnetOn(3);
  experiment.variants = {pipelineCutAt({"layer2.0", "layer3.0"}, schedule, 16)};
  return experiment;
}

TEST(StageMoves, BecomeAPlacementAndTheOrderOfItsLanes) {
  const Experiment experiment = pipelineOnThree(ScheduleKind::Gpipe);
  const Result<MovedStages> onto_first = moved(experiment, {{1, 0}});
  ASSERT_TRUE(onto_first.ok()) << onto_first.error().message;
  const VariantPlan plan = test::planned(experiment, onto_first->variant);
  ASSERT_EQ(plan.stages.size(), 2u) << "neighbours on one lane are one stage";
  EXPECT_EQ(plan.stages[0].lane, LaneId(0));
  EXPECT_EQ(plan.stages[1].lane, LaneId(2));
  ASSERT_EQ(onto_first->order.size(), 3u);
  EXPECT_EQ(orderText(onto_first->order[0]), "0F0 1F0 0F1 1F1 1B0 0B0 1B1 0B1 0U 1U")
      << "the stage that both make does them one after the other, and backwards from the last";
  EXPECT_EQ(orderText(onto_first->order[1]), "");
  EXPECT_EQ(orderText(onto_first->order[2]), "2F0 2F1 2B0 2B1 2U");
}

TEST(StageMoves, SayWhyTheyCannotBe) {
  Experiment replicas = resnetOn(2);
  VariantConfig ddp;
  ddp.name = "DDP";
  ddp.strategy = Strategy::Ddp;
  replicas.variants = {ddp};
  const struct {
    const char* what;
    Experiment experiment;
    std::map<int, int> lanes;
    const char* word;
  } kRows[] = {{"replicas", replicas, {{0, 1}}, "alike"},
               {"no such lane", pipelineOnThree(ScheduleKind::Gpipe), {{1, 7}}, "no lane 7"},
               {"no such stage", pipelineOnThree(ScheduleKind::Gpipe), {{5, 0}}, "no stage 5"}};
  for (const auto& row : kRows) {
    const Result<MovedStages> result = moved(row.experiment, row.lanes);
    ASSERT_FALSE(result.ok()) << row.what;
    EXPECT_NE(result.error().message.find(row.word), std::string::npos) << result.error().message;
  }
}

TEST(StageMoves, NearestIsTheMoveOfBlocksThatComesNearest) {
  Experiment experiment = resnetOn(2);
  experiment.variants = {pipelineCutAt({"layer3.0"}, ScheduleKind::OneFOneB, 8)};
  const ModelSpec model = test::modelIn(experiment);
  const VariantPlan plan = test::planned(experiment, experiment.variants.front());
  StepCosts costs = test::randomCosts(model, 1);
  for (BlockCost& block : costs.whole.blocks) block = {block.name, 0.001, 0.002, 0, 0};
  const auto trace = test::traceOf(experiment, model, plan, costs);
  const Result<MeasuredVariant> measured = measuredVariant(resolve(experiment), "Pipeline", *trace, nullptr);
  ASSERT_TRUE(measured.ok()) << measured.error().message;
  const auto blocks = static_cast<double>(plan.stages[1].end.index() - plan.stages[1].first.index());
  for (const int count : {1, 2, 3}) {
    const auto nearest = nearestMove(*measured, 1, 1 - count / blocks);
    ASSERT_TRUE(nearest);
    EXPECT_NEAR(nearest->factor, 1 - count / blocks, 0.01) << nearest->move.words.message;
    EXPECT_NE(nearest->move.words.message.find("layer3.0"), std::string::npos);
  }
  EXPECT_GT(nearestMove(*measured, 1, 1.2)->factor, 1);
  EXPECT_EQ(nearestMove(*measured, 1, 1.0), std::nullopt) << "nothing is nearer than it is";
  EXPECT_EQ(nearestMove(*measured, 9, 0.5), std::nullopt);
}

}  // namespace
}  // namespace lanelab
