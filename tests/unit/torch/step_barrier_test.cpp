// SPDX-License-Identifier: GPL-3.0-only
// Lanes that begin their next step on their own train the same bits as lanes that begin each step together.
#include "tests/unit/torch/training_world.h"

namespace lanelab {
namespace {

VariantConfig pipelineOf(ScheduleKind schedule, const std::vector<std::string>& cuts) {
  VariantConfig variant;
  variant.name = toWord(schedule);
  variant.strategy = Strategy::Pipeline;
  variant.schedule = schedule;
  variant.split_size = 2;
  variant.cuts = cuts;
  return variant;
}

Experiment onTwoLanes(int steps) {
  Experiment experiment = narrowResNet18(8, steps);
  experiment.lanes.pop_back();
  experiment.training.momentum = 0.9;
  return experiment;
}

void expectSameBits(Experiment experiment, const VariantConfig& variant, const std::string& what) {
  experiment.training.step_barrier = true;
  const Trained together = train(experiment, variant);
  experiment.training.step_barrier = false;
  ASSERT_TRUE(test::planned(experiment, variant).stepsOverlap()) << what;
  const Trained alone = train(experiment, variant);
  EXPECT_EQ(alone.outcome.losses, together.outcome.losses) << what;
  expectSame(alone.weights, together.weights, what);
  expectSame(alone.gradients, together.gradients, what);
}

TEST(StepBarrier, EveryScheduleTrainsTheSameBitsWithoutIt) {
  const std::vector<std::string> two_stages = {"layer3.0"}, four_stages = {"layer2.0", "layer3.0", "layer4.0"};
  const struct {
    ScheduleKind schedule;
    const std::vector<std::string>& cuts;
  } table[] = {{ScheduleKind::Gpipe, two_stages},
               {ScheduleKind::OneFOneB, two_stages},
               {ScheduleKind::ZbH1, two_stages},
               {ScheduleKind::List, two_stages},
               {ScheduleKind::InterleavedOneFOneB, four_stages},
               {ScheduleKind::LoopedBfs, four_stages},
               {ScheduleKind::InterleavedZb, four_stages},
               {ScheduleKind::ZbV, four_stages},
               {ScheduleKind::VHalf, four_stages},
               {ScheduleKind::VMin, four_stages},
               {ScheduleKind::DualPipeV, four_stages},
               {ScheduleKind::Hanayo, four_stages}};
  for (const auto& row : table) expectSameBits(onTwoLanes(4), pipelineOf(row.schedule, row.cuts), toWord(row.schedule));
}

TEST(StepBarrier, EveryTrainingModeTrainsTheSameBitsWithoutIt) {
  const VariantConfig variant = pipelineOf(ScheduleKind::ZbH1, {"layer3.0"});
  const struct {
    const char* name;
    void (*set)(TrainingConfig& training);
  } table[] = {{"deferred batch norm", [](TrainingConfig& t) { t.batch_norm = BatchNormMode::Deferred; }},
               {"recompute", [](TrainingConfig& t) { t.recompute = Recompute::Stage; }},
               {"recomputed activations", [](TrainingConfig& t) { t.recompute = Recompute::Activations; }},
               {"bf16", [](TrainingConfig& t) { t.precision = Precision::Bf16; }},
               {"adam", [](TrainingConfig& t) { t.optimizer = OptimizerKind::Adam; }},
               {"cosine", [](TrainingConfig& t) { t.lr_schedule = LrSchedule::Cosine; }}};
  for (const auto& row : table) {
    Experiment experiment = onTwoLanes(3);
    row.set(experiment.training);
    expectSameBits(experiment, variant, row.name);
  }
}

}  // namespace
}  // namespace lanelab
