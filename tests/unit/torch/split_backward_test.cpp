// SPDX-License-Identifier: GPL-3.0-only
// A backward split into input and weight part gives the whole backward's numbers, bit for bit.
#include <algorithm>
#include <set>

#include "engine/schedule/generate.h"
#include "engine/torch/graph/graph_convolution.h"
#include "engine/torch/nn/deferred_weights.h"
#include "tests/unit/torch/training_world.h"

#include <ATen/ops/randn.h>

namespace lanelab {
namespace {

/// Every B as I, and its W `later` actions of I on, or at the row's end: each stage's weight parts keep the order of
/// the micro-batches.
Schedule splitUp(Schedule schedule, std::size_t later) {
  for (auto& row : schedule.lanes) {
    std::vector<Action> split, left;
    for (Action action : row) {
      if (action.kind == ActionKind::Backward) {
        action.kind = ActionKind::BackwardInput;
        left.push_back({action.stage, ActionKind::BackwardWeight, action.micro_batch});
      }
      split.push_back(action);
      if (left.size() <= later) continue;
      split.push_back(left.front());
      left.erase(left.begin());
    }
    split.insert(split.end(), left.begin(), left.end());
    row = split;
  }
  return schedule;
}

Schedule scheduleOf(const Experiment& experiment, const VariantConfig& variant) {
  return test::planned(experiment, variant).schedule;
}

/// Weight parts at once, two actions later, and at the end.
const std::vector<std::size_t> kAllDelays = {0, 2, 100}, kMiddleDelay = {2};

void expectSplitEqualsWhole(const Experiment& experiment, const VariantConfig& variant,
                            const std::vector<std::size_t>& delays = kAllDelays) {
  const Trained whole = train(experiment, variant);
  for (const std::size_t later : delays) {
    const Trained split = train(experiment, variant, nullptr, splitUp(scheduleOf(experiment, variant), later));
    const std::string what = "weight parts " + std::to_string(later) + " later: ";
    expectSame(split.gradients, whole.gradients, what + "gradient");
    expectSame(split.weights, whole.weights, what + "weight");
    EXPECT_EQ(split.outcome.losses, whole.outcome.losses) << what;
  }
}

struct Network {
  const char* arch;
  Layout layout;
  int side, batch, split_size, steps;
  std::vector<std::string> cuts;
  std::vector<std::size_t> delays = kMiddleDelay;
};

class SplitBackward : public ::testing::TestWithParam<Network> {};

TEST_P(SplitBackward, EqualsTheWholeBackward) {
  const Network& network = GetParam();
  Experiment experiment =
      std::string(network.arch) == "toy" ? toy(network.batch, network.steps) : resNet18(network.batch, network.steps);
  experiment.model.arch = network.arch;
  experiment.training.layout = network.layout;
  experiment.training.momentum = 0.9;
  if (network.side > 0) experiment.data.shape = {3, network.side, network.side};
  VariantConfig variant;
  variant.strategy = Strategy::Pipeline;
  variant.schedule = ScheduleKind::OneFOneB;
  variant.split_size = network.split_size;
  variant.cuts = network.cuts;
  expectSplitEqualsWhole(experiment, variant, network.delays);
}

INSTANTIATE_TEST_SUITE_P(
    Networks, SplitBackward,
    ::testing::Values(Network{"toy", Layout::Contiguous, 0, 20, 6, 5, {"net2"}, kAllDelays},
                      Network{"resnet18", Layout::ChannelsLast, 32, 10, 4, 2, {"layer3.0"}, kAllDelays},
                      Network{"resnet18", Layout::Contiguous, 32, 10, 4, 2, {"layer2.0", "layer4.0"}},
                      Network{"resnet18", Layout::ChannelsLast, 64, 20, 16, 2, {}},
                      Network{"resnet50", Layout::ChannelsLast, 64, 6, 2, 2, {"layer3.0"}},
                      Network{"resnet50", Layout::Contiguous, 64, 4, 2, 2, {"layer3.1"}}),
    [](const auto& named) {
      return std::string(named.param.arch) + "_" + toWord(named.param.layout) + "_" +
             std::to_string(named.param.split_size);
    });

TEST(SplitBackward, AlsoBetweenStagesOfOneLane) {
  const Experiment experiment = narrowResNet18(6, 2);
  const VariantConfig variant =
      variantOf(experiment,
                {"v", Strategy::Pipeline, ScheduleKind::OneFOneB, 2, {{"stem", 0}, {"layer2.0", 1}, {"layer4.0", 0}}});
  expectSplitEqualsWhole(experiment, variant);
}

TEST(SplitBackward, WholeAndSplitMicroBatchesMayBeMixed) {
  const Experiment experiment = narrowResNet18(6, 2);
  const VariantConfig variant =
      variantOf(experiment, {"mixed", Strategy::Pipeline, ScheduleKind::Gpipe, 2, {{"stem", 0}, {"layer3.0", 1}}});
  const Trained whole = train(experiment, variant);
  auto mixed = parseScheduleCsv("0F0,0F1,0F2,0B0,0I1,0W1,0B2\n1F0,1I0,1F1,1W0,1B1,1F2,1I2,1W2");
  ASSERT_TRUE(mixed.ok()) << mixed.error().message;
  mixed->lanes.resize(experiment.lanes.size());
  const Trained split = train(experiment, variant, nullptr, *mixed);
  expectSame(split.weights, whole.weights, "weight");
  expectSame(split.gradients, whole.gradients, "gradient");
}

TEST(SplitBackward, TheWeightPartHoldsItsBlocks) {
  Experiment experiment = resNet18(4, 1);
  experiment.record = RecordMode::Blocks;
  const VariantConfig variant =
      variantOf(experiment, {"r", Strategy::Pipeline, ScheduleKind::OneFOneB, 2, {{"stem", 0}, {"layer3.0", 1}}});
  TraceBuilder builder("blocks", {{"a", "cpu:0"}, {"b", "cpu:1"}, {"c", "cpu:2"}});
  train(experiment, variant, &builder, splitUp(scheduleOf(experiment, variant), 1));
  const auto trace = builder.snapshot();
  std::map<Phase, std::set<std::string>> blocks;
  for (const Track& track : trace->tracks) {
    for (const Span& span : track.spans) {
      if (span.category == Category::Block) blocks[span.phase].insert(trace->nameOf(span));
    }
  }
  EXPECT_EQ(blocks[Phase::Forward].size(), 10u);
  EXPECT_EQ(blocks[Phase::BackwardInput], blocks[Phase::Forward]);
  EXPECT_EQ(blocks[Phase::BackwardWeight], blocks[Phase::Forward]);
  EXPECT_EQ(blocks.count(Phase::Backward), 0u);
}

TEST(SplitBackward, TheInputPartTouchesNoConvolutionWeightAndTheWeightPartFreesWhatItHeld) {
  const at::Tensor x = at::randn({2, 8, 6, 6}).requires_grad_(), weight = at::randn({4, 8, 3, 3}).requires_grad_();
  const auto way = c10::make_intrusive<ConvolutionWay>(ConvolutionWindows{.padding = {1, 1}});
  way->defers = true;
  const at::Tensor y = convolved(x, weight, {}, way);
  const at::Tensor gradient = at::randn(y.sizes());
  const auto unheld = gradient.use_count();
  DeferredWeights deferred;
  {
    const InputPartOnly input_part(deferred);
    y.backward(gradient);
  }
  EXPECT_TRUE(x.grad().defined());
  EXPECT_FALSE(weight.grad().defined());
  EXPECT_FALSE(deferred.empty());
  EXPECT_GT(gradient.use_count(), unheld);
  deferred.run([](std::uint32_t) {});
  EXPECT_TRUE(weight.grad().defined());
  EXPECT_TRUE(deferred.empty());
  EXPECT_EQ(gradient.use_count(), unheld);
}

}  // namespace
}  // namespace lanelab
