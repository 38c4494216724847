// SPDX-License-Identifier: GPL-3.0-only
// Networks with several values at a cut train on lanes as they do undivided, bit for bit.
#include <ATen/core/grad_mode.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>

#include "engine/torch/files/tensor_file.h"
#include "tests/support/skip_network.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/torch/training_world.h"

namespace lanelab {
namespace {

constexpr int kSplit = 3;

Experiment skips() {
  Experiment experiment = toy(10, 3);
  experiment.training.lr = 0.1;
  experiment.training.momentum = 0.9;
  return experiment;
}

VariantConfig threeStages(const Experiment& experiment, ScheduleKind schedule = ScheduleKind::OneFOneB) {
  return variantOf(experiment,
                   {"skips", Strategy::Pipeline, schedule, kSplit, {{"net1", 0}, {"relu", 1}, {"net2", 2}}});
}

Schedule parts(const Experiment& experiment) {
  auto schedule = parseScheduleCsv(
      "0F0,0F1,0F2,0F3,0I0,0W0,0I1,0I2,0W1,0W2,0B3\n1F0,1F1,1F2,1F3,1I0,1I1,1W0,1W1,1B2,1I3,1W3\n"
      "2F0,2I0,2F1,2I1,2W0,2W1,2F2,2B2,2F3,2I3,2W3");
  EXPECT_TRUE(schedule.ok());
  schedule->lanes.resize(experiment.lanes.size());
  return *schedule;
}

Trained trainOnLanes(const Experiment& experiment, const VariantConfig& variant,
                     const std::optional<Schedule>& schedule = {}, TraceBuilder* trace = nullptr) {
  const ModelSpec spec = test::modelIn(experiment);
  VariantPlan plan = test::planned(experiment, variant);
  if (schedule) plan.schedule = *schedule;
  installLaneAllocator();
  const auto opened = TorchSession::open(
      std::make_shared<const TrainingJob>(TrainingJob{experiment, spec, plan, test::skipInputs(experiment, spec)}));
  EXPECT_TRUE(opened.ok()) << opened.error().message;
  auto& session = static_cast<TorchSession&>(**opened);
  Trained trained;
  trained.outcome = session.runRepeat({.trace = trace});
  EXPECT_TRUE(trained.outcome.failure.ok()) << trained.outcome.failure.error().message;
  trained.weights = session.gather(TorchSession::Which::Weights).value();
  trained.gradients = session.gather(TorchSession::Which::Gradients).value();
  return trained;
}

void expectAsUndivided(const Experiment& experiment, const Trained& trained, const char* what) {
  Experiment plain = experiment;
  const ModelSpec spec = test::modelIn(experiment);
  const PlainResult wanted = test::trainUndivided(plain, spec, *test::skipInputs(experiment, spec), kSplit);
  EXPECT_EQ(trained.outcome.losses, wanted.losses) << what;
  EXPECT_LT(wanted.losses.back(), wanted.losses.front()) << "it learns";
  expectSame(trained.gradients, wanted.gradients, what);
  expectSame(trained.weights, wanted.weights, what);
}

struct Divided {
  const char* name;
  ScheduleKind schedule;
  Precision precision;
  std::vector<int> recompute;
  bool split_backward;
};

class ValueLists : public ::testing::TestWithParam<Divided> {};

TEST_P(ValueLists, TrainAsUndivided) {
  const Divided& divided = GetParam();
  Experiment experiment = skips();
  experiment.training.precision = divided.precision;
  VariantConfig variant = threeStages(experiment, divided.schedule);
  if (!divided.recompute.empty()) variant.recompute = divided.recompute;
  const auto schedule = divided.split_backward ? std::optional(parts(experiment)) : std::nullopt;
  expectAsUndivided(experiment, trainOnLanes(experiment, variant, schedule), divided.name);
}

INSTANTIATE_TEST_SUITE_P(
    Trainings, ValueLists,
    ::testing::Values(Divided{"gpipe", ScheduleKind::Gpipe, Precision::Fp32, {}, false},
                      Divided{"one_f_one_b", ScheduleKind::OneFOneB, Precision::Fp32, {}, false},
                      Divided{"bf16", ScheduleKind::OneFOneB, Precision::Bf16, {}, false},
                      Divided{"recompute", ScheduleKind::OneFOneB, Precision::Fp32, {0, 1, 2}, false},
                      Divided{
                          "recompute_of_the_stage_that_passes_on", ScheduleKind::Gpipe, Precision::Fp32, {1}, false},
                      Divided{"split_backward", ScheduleKind::Gpipe, Precision::Fp32, {}, true},
                      Divided{"split_backward_and_recompute", ScheduleKind::Gpipe, Precision::Bf16, {0, 1, 2}, true}),
    [](const auto& named) { return std::string(named.param.name); });

TEST(ValueListsInEvaluation, PassTheStagesAsTheUndividedNetworkTakesThem) {
  const test::TemporaryFile file("rows.safetensors");
  const at::Tensor rows = at::randn({40, 10}), ids = at::randint(5, {40}, at::TensorOptions().dtype(at::kLong));
  ASSERT_TRUE(writeSafetensors(file.path, {{"inputs", rows},
                                           {"targets", ids},
                                           {"validation_inputs", rows.narrow(0, 0, kSplit).clone()},
                                           {"validation_targets", ids.narrow(0, 0, kSplit).clone()}})
                  .ok());
  Experiment experiment = skips();
  experiment.data.source = DataSource::File;
  experiment.data.path = file.path;
  experiment.data.epochs = 1;
  experiment.data.steps = 4;
  experiment.training.loss = Loss::CrossEntropy;
  const Trained trained = trainOnLanes(experiment, threeStages(experiment));
  ASSERT_EQ(trained.outcome.epochs.size(), 1u);
  const at::NoGradGuard no_grad;
  test::SkipModule whole(0, 3);
  installWeights(whole.slots(), trained.weights, at::kCPU, at::MemoryFormat::Contiguous);
  const at::Tensor output = whole.forward({rows.narrow(0, 0, kSplit)}, /*training=*/false, nullptr).front();
  EXPECT_EQ(trained.outcome.epochs[0].validation_loss.value(),
            weightedLoss(Loss::CrossEntropy, output, ids.narrow(0, 0, kSplit), 1).item<double>());
}

TEST(ValueListsInTraces, ABlockWithSeveralOutputsHasOneSpanInEachDirection) {
  Experiment experiment = skips();
  experiment.record = RecordMode::Blocks;
  TraceBuilder trace("skips", {{"0", "cpu:0"}, {"1", "cpu:1"}, {"2", "cpu:2"}});
  trainOnLanes(experiment, threeStages(experiment), std::nullopt, &trace);
  std::map<std::tuple<int, int, int, Phase>, int> blocks;
  const auto snapshot = trace.snapshot();
  for (const Track& track : snapshot->tracks) {
    for (const Span& span : track.spans) {
      if (span.category == Category::Block) ++blocks[{span.step, span.stage, span.micro_batch, span.phase}];
    }
  }
  EXPECT_EQ(blocks.size(), 3u * 3 * 4 * 2) << "steps, stages, micro-batches, directions";
  for (const auto& [key, count] : blocks) EXPECT_EQ(count, 1) << "stage " << std::get<1>(key);
}

}  // namespace
}  // namespace lanelab
