// SPDX-License-Identifier: GPL-3.0-only
// Activations that are computed again in the backward: the same numbers, less memory.
#include <map>

#include "tests/unit/torch/training_world.h"

namespace lanelab {
namespace {

struct Recomputed {
  const char* name;
  const char* arch;
  Layout layout;
  BatchNormMode batch_norm;
  ScheduleKind schedule;
  int split_size;
};

class RecomputedTraining : public ::testing::TestWithParam<Recomputed> {};

Experiment experimentOf(const Recomputed& r) {
  Experiment experiment = std::string(r.arch) == "toy" ? toy(10, 3) : resNet18(10, 2);
  experiment.model.arch = r.arch;
  experiment.training.layout = r.layout;
  experiment.training.batch_norm = r.batch_norm;
  return experiment;
}

TEST_P(RecomputedTraining, GivesTheSameNumbers) {
  const Recomputed& r = GetParam();
  Experiment experiment = experimentOf(r);
  VariantConfig variant;
  variant.strategy = Strategy::Pipeline;
  variant.schedule = r.schedule;
  variant.split_size = r.split_size;
  variant.cuts = std::vector<std::string>{experiment.data.shape.size() == 1 ? "net2" : "layer3.0"};
  const Trained kept = train(experiment, variant);
  experiment.training.recompute = Recompute::Stage;
  const Trained again = train(experiment, variant);
  expectSame(again.weights, kept.weights, "weight");
  expectSame(again.gradients, kept.gradients, "gradient");
  EXPECT_EQ(again.outcome.losses, kept.outcome.losses);
}

INSTANTIATE_TEST_SUITE_P(Trainings, RecomputedTraining,
                         ::testing::Values(Recomputed{"toy", "toy", Layout::Contiguous, BatchNormMode::MicroBatch,
                                                      ScheduleKind::Gpipe, 3},
                                           Recomputed{"channels_last", "resnet18", Layout::ChannelsLast,
                                                      BatchNormMode::MicroBatch, ScheduleKind::OneFOneB, 4},
                                           Recomputed{"contiguous", "resnet18", Layout::Contiguous,
                                                      BatchNormMode::MicroBatch, ScheduleKind::Gpipe, 5},
                                           Recomputed{"deferred", "resnet18", Layout::ChannelsLast,
                                                      BatchNormMode::Deferred, ScheduleKind::Gpipe, 2},
                                           Recomputed{"bottlenecks", "resnet50", Layout::ChannelsLast,
                                                      BatchNormMode::MicroBatch, ScheduleKind::OneFOneB, 5}),
                         [](const auto& named) { return std::string(named.param.name); });

TEST(RecomputeInParts, SplitBackwardsRecomputeInTheInputPart) {
  Experiment experiment = narrowResNet18(6, 2);
  const VariantConfig variant =
      variantOf(experiment, {"parts", Strategy::Pipeline, ScheduleKind::Gpipe, 2, {{"stem", 0}, {"layer3.0", 1}}});
  const Trained kept = train(experiment, variant);
  experiment.training.recompute = Recompute::Stage;
  auto parts = parseScheduleCsv("0F0,0F1,0F2,0I0,0W0,0I1,0I2,0W1,0W2\n1F0,1I0,1F1,1I1,1W0,1W1,1F2,1B2");
  ASSERT_TRUE(parts.ok()) << parts.error().message;
  parts->lanes.resize(experiment.lanes.size());
  const Trained again = train(experiment, variant, nullptr, *parts);
  expectSame(again.weights, kept.weights, "weight");
  expectSame(again.gradients, kept.gradients, "gradient");
}

TEST(RecomputeOfOneStage, GivesTheSameNumbersAndOnlyThatStageNeedsLess) {
  Experiment experiment = resNet18(24, 2);
  experiment.data.shape = {3, 64, 64};
  VariantConfig variant =
      variantOf(experiment,
                {"some", Strategy::Pipeline, ScheduleKind::Gpipe, 4, {{"stem", 0}, {"layer2.0", 1}, {"layer4.0", 2}}});
  const Trained kept = train(experiment, variant);
  variant.recompute = std::vector<int>{0};
  const Trained again = train(experiment, variant);
  expectSame(again.weights, kept.weights, "weight");
  expectSame(again.gradients, kept.gradients, "gradient");
  EXPECT_LT(again.outcome.peak_bytes[0], kept.outcome.peak_bytes[0] / 2) << "stem and layer1 hold few parameters";
  EXPECT_GT(again.outcome.peak_bytes[1], kept.outcome.peak_bytes[1] * 4 / 5);
}

TEST(RecomputeMemory, ThePeakFallsWhereActivationsAreMostOfIt) {
  Experiment experiment = resNet18(32, 1);
  experiment.model.arch = "resnet50";
  experiment.data.shape = {3, 64, 64};
  const VariantConfig variant =
      variantOf(experiment, {"deep", Strategy::Pipeline, ScheduleKind::Gpipe, 4, {{"stem", 0}, {"layer3.0", 1}}});
  const std::vector<std::int64_t> kept = train(experiment, variant).outcome.peak_bytes;
  experiment.training.recompute = Recompute::Stage;
  const std::vector<std::int64_t> again = train(experiment, variant).outcome.peak_bytes;
  EXPECT_LT(again[0], kept[0] / 3) << "stem to layer2.3 hold few parameters and the activations of eight micro-batches";
  EXPECT_LT(again[1], kept[1]);
}

TEST(RecomputeTrace, TheRepeatedForwardIsNamedInsideTheBackward) {
  Experiment experiment = resNet18(4, 1);
  experiment.record = RecordMode::Blocks;
  experiment.training.recompute = Recompute::Stage;
  TraceBuilder builder("blocks", {{"a", "cpu:0"}, {"b", "cpu:1"}, {"c", "cpu:2"}});
  train(experiment,
        variantOf(experiment, {"r", Strategy::Pipeline, ScheduleKind::Gpipe, 2, {{"stem", 0}, {"layer3.0", 1}}}),
        &builder);
  const auto trace = builder.snapshot();
  std::map<std::string, int> backward;
  for (const Track& track : trace->tracks) {
    for (const Span& span : track.spans) {
      if (span.category == Category::Block && span.phase == Phase::Backward) ++backward[trace->nameOf(span)];
    }
  }
  EXPECT_EQ(backward.size(), 20u);
  EXPECT_EQ(backward["layer1.0"], 2);
  EXPECT_EQ(backward["recompute layer1.0"], 2);
}

}  // namespace
}  // namespace lanelab
