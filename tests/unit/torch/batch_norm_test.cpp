// SPDX-License-Identifier: GPL-3.0-only
// Running statistics of batch norm: moved each micro-batch, or once a step by those of the whole batch.
#include <ATen/TensorOperators.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include "engine/torch/nn/norm_layer.h"
#include "tests/unit/torch/training_world.h"

#include <algorithm>

namespace lanelab {
namespace {

NormLayer freshNorm(std::int64_t channels, NormStatistics statistics) {
  NormLayer norm{channels,
                 at::ones({channels}),
                 at::zeros({channels}),
                 at::zeros({channels}),
                 at::ones({channels}),
                 at::zeros({}, at::kLong)};
  norm.statistics = statistics;
  return norm;
}

/// What a fresh BatchNorm2d's running mean and variance are after one forward of the whole batch, in double precision.
struct Exact {
  explicit Exact(const at::Tensor& batch) {
    const at::Tensor values = batch.to(at::kDouble).transpose(0, 1).flatten(1);
    mean = values.mean(1) * 0.1;
    var = values.var(1, /*unbiased=*/true) * 0.1 + 0.9;
  }
  at::Tensor mean, var;
};

double largestRelative(const at::Tensor& actual, const at::Tensor& wanted) {
  return ((actual.to(at::kDouble) - wanted) / wanted).abs().max().item<double>();
}

struct Batch {
  const char* name;
  double mean, deviation, drift;  ///< of the values; the drift is from the first sample to the last
  std::int64_t split_size;
  at::MemoryFormat layout;
};

class DeferredNorm : public ::testing::TestWithParam<Batch> {};

TEST_P(DeferredNorm, MovesOnceByTheStatisticsOfTheWholeBatch) {
  const Batch& b = GetParam();
  const at::Tensor batch =
      (at::randn({60, 8, 4, 4}) * b.deviation + b.mean + at::linspace(0, b.drift, 60).view({60, 1, 1, 1}))
          .contiguous(b.layout);
  NormLayer norm = freshNorm(8, NormStatistics::Collect);
  for (const at::Tensor& micro_batch : batch.split(b.split_size)) norm.forward(micro_batch, true);
  EXPECT_EQ(norm.mean.abs().max().item<double>(), 0) << "moved before the step's end";
  norm.commit();
  const Exact exact(batch);
  EXPECT_LT(largestRelative(norm.mean, exact.mean), 1e-5);
  EXPECT_LT(largestRelative(norm.var, exact.var), 1e-5);
  EXPECT_EQ(norm.count.item<std::int64_t>(), 1);
  norm.commit();
  EXPECT_EQ(norm.count.item<std::int64_t>(), 1) << "nothing was collected";
}

TEST_P(DeferredNorm, IsWhatTheWholeBatchAtOnceGives) {
  const Batch& b = GetParam();
  const at::Tensor batch =
      (at::randn({60, 8, 4, 4}) * b.deviation + b.mean + at::linspace(0, b.drift, 60).view({60, 1, 1, 1}))
          .contiguous(b.layout);
  NormLayer norm = freshNorm(8, NormStatistics::MoveEachTime);
  norm.forward(batch, true);
  const Exact exact(batch);
  EXPECT_LT(largestRelative(norm.mean, exact.mean), 1e-5);
  EXPECT_LT(largestRelative(norm.var, exact.var), 1e-5)
      << "a synchronised batch norm: mean first, then deviations from it";
}

constexpr auto kLast = at::MemoryFormat::ChannelsLast, kPlain = at::MemoryFormat::Contiguous;
INSTANTIATE_TEST_SUITE_P(Batches, DeferredNorm,
                         ::testing::Values(Batch{"plain", 1, 1, 0, 20, kPlain}, Batch{"uneven", 1, 2, 1, 7, kLast},
                                           Batch{"large_mean", 1e3, 1, 0, 10, kLast},
                                           Batch{"large_mean_contiguous", 1e3, 1, 0, 7, kPlain},
                                           Batch{"large_mean_small_deviation", 1e3, 0.1, 0, 12, kLast},
                                           Batch{"drift", -1e3, 1, 50, 2, kLast}, Batch{"whole", 3, 1, 0, 60, kPlain}),
                         [](const auto& named) { return std::string(named.param.name); });

VariantConfig pipeline(const Experiment& experiment, ScheduleKind schedule, int split_size) {
  return variantOf(experiment, {"pipeline", Strategy::Pipeline, schedule, split_size, {{"stem", 0}, {"layer3.0", 1}}});
}

bool isStatistic(const std::string& name) {
  return name.find("running_") != std::string::npos || name.find("num_batches") != std::string::npos;
}

TEST(BatchNorm, DeferredTrainsTheSameParametersAndCountsSteps) {
  Experiment experiment = narrowResNet18(8, 3);
  const Trained each = train(experiment, pipeline(experiment, ScheduleKind::OneFOneB, 2));
  experiment.training.batch_norm = BatchNormMode::Deferred;
  const Trained once = train(experiment, pipeline(experiment, ScheduleKind::OneFOneB, 2));
  EXPECT_EQ(once.outcome.losses, each.outcome.losses);
  expectSame(once.gradients, each.gradients, "gradient");
  for (const auto& [name, tensor] : each.weights) {
    if (!isStatistic(name)) {
      EXPECT_TRUE(at::equal(once.weights.at(name), tensor)) << name;
    }
  }
  EXPECT_EQ(each.weights.at("bn1.num_batches_tracked").item<std::int64_t>(), 3 * 4);
  EXPECT_EQ(once.weights.at("bn1.num_batches_tracked").item<std::int64_t>(), 3);
  EXPECT_FALSE(at::equal(once.weights.at("bn1.running_var"), each.weights.at("bn1.running_var")));
}

TEST(BatchNorm, DeferredEqualsTheWholeBatchWhereNoEarlierNormSeesTheSplit) {
  Experiment experiment = resNet18(12, 1);
  const Trained whole = train(experiment, pipeline(experiment, ScheduleKind::Gpipe, 12));
  experiment.training.batch_norm = BatchNormMode::Deferred;
  const Trained split = train(experiment, pipeline(experiment, ScheduleKind::Gpipe, 5));
  for (const char* name : {"bn1.running_mean", "bn1.running_var"}) {
    EXPECT_LT((split.weights.at(name) - whole.weights.at(name)).abs().max().item<double>(), 1e-6) << name;
  }
}

double largestApart(const TensorMap& a, const TensorMap& b) {
  double apart = 0;
  for (const auto& [name, tensor] : a) {
    apart = std::max(apart, tensor.to(at::kDouble).sub(b.at(name)).abs().max().item<double>());
  }
  return apart;
}

TEST(BatchNorm, SynchronisedStagesTrainAsOneDeviceDoesOnTheWholeBatch) {
  Experiment experiment = resNet18(12, 3);
  const Trained single =
      train(experiment, variantOf(experiment, {"single", Strategy::Pipeline, ScheduleKind::Gpipe, 12, {{"stem", 0}}}));
  const Trained split = train(experiment, pipeline(experiment, ScheduleKind::OneFOneB, 5));
  experiment.training.batch_norm = BatchNormMode::Synchronised;
  const Trained together = train(experiment, pipeline(experiment, ScheduleKind::OneFOneB, 5));
  EXPECT_EQ(together.outcome.losses, single.outcome.losses);
  expectSame(together.weights, single.weights, "weight");
  expectSame(together.gradients, single.gradients, "gradient");
  EXPECT_EQ(together.weights.at("bn1.num_batches_tracked").item<std::int64_t>(), 3);
  EXPECT_GT(largestApart(split.gradients, single.gradients), 1e-3)
      << "micro-batches of five are normalised by themselves";
}

TEST(BatchNorm, DeferredIsTheSameOverSchedulesAndRepeats) {
  Experiment experiment = narrowResNet18(8, 2);
  experiment.training.batch_norm = BatchNormMode::Deferred;
  const auto session = openSession(experiment, pipeline(experiment, ScheduleKind::Gpipe, 3));
  session->runRepeat({});
  const TensorMap first = session->gather(TorchSession::Which::Weights).value();
  session->runRepeat({});
  expectSame(session->gather(TorchSession::Which::Weights).value(), first, "second repeat:");
  expectSame(train(experiment, pipeline(experiment, ScheduleKind::OneFOneB, 3)).weights, first, "1f1b:");
}

}  // namespace
}  // namespace lanelab
