// SPDX-License-Identifier: GPL-3.0-only
// Measuring a network's blocks on real lanes: that every time is there and the parts fit together. How long they are is
// for lanelab-bench.
#include <gtest/gtest.h>

#include "engine/torch/record/block_spans.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/support/seen_progress.h"

namespace lanelab {
namespace {

Experiment smallExperiment(int lanes) {
  Experiment experiment;
  experiment.model = {"resnet18", 10, std::nullopt};
  experiment.data.shape = {3, 32, 32};
  experiment.data.batch = 6;
  for (int i = 0; i < lanes; ++i) experiment.lanes.push_back({Device::cpu(i), "", 1});
  return experiment;
}

BlockProfile measured(const Experiment& experiment, const ProfileRequest& request) {
  const auto executor = makeTorchExecutor();
  auto profile = executor->measureBlocks(*resolve(experiment), request, {});
  EXPECT_TRUE(profile.ok()) << profile.error().message;
  return std::move(*profile);
}

TEST(MeasureBlocks, EveryBlockOfEverySizeHasItsTimes) {
  const BlockProfile profile = measured(smallExperiment(2), {LaneId(0), {LaneId(1)}, {2, 4}, {}});
  ASSERT_EQ(profile.block_names.size(), 10u);
  EXPECT_EQ(profile.block_names.front(), "stem");
  ASSERT_EQ(profile.sizes.size(), 2u);
  for (const BlockProfile::Size& size : profile.sizes) {
    ASSERT_EQ(size.blocks.size(), 10u);
    double forward = 0;
    for (std::size_t i = 0; i < size.blocks.size(); ++i) {
      const BlockTiming& block = size.blocks[i];
      EXPECT_GT(block.forward.median, 0) << profile.block_names[i];
      EXPECT_GT(block.backward.median, 0) << profile.block_names[i];
      EXPECT_GT(block.backward_input.median, 0) << profile.block_names[i];
      EXPECT_GT(block.backward_weight.median, 0) << profile.block_names[i];
      EXPECT_LE(block.forward.low, block.forward.median);
      EXPECT_LE(block.forward.median, block.forward.high);
      EXPECT_GE(block.forward.n, 2);
      EXPECT_EQ(block.transfer.n > 0, i + 1 < size.blocks.size()) << profile.block_names[i];
      forward += block.forward.low;
    }
    EXPECT_LE(forward, size.forward.high);
    EXPECT_GE(size.all_lanes_slowdown, 1);
  }
  ASSERT_EQ(profile.updates.size(), 10u);
  for (const Timing& update : profile.updates) EXPECT_GT(update.n, 0);
  EXPECT_GT(profile.action_overhead.n, 0);
}

TEST(MeasureBlocks, ProgressRisesToATotalThatIsKnownFromTheStart) {
  std::vector<Progress> seen;
  measured(smallExperiment(1), {LaneId(0), {}, {2, 4}, test::into(seen)});
  test::expectSteadyProgress(seen);
  EXPECT_EQ(seen.front().phase, "Measuring blocks, micro-batch size 2, pass 1 of 2");
  EXPECT_EQ(seen.back().phase, "Measuring blocks, micro-batch size 2, pass 2 of 2") << "the other way round";
}

TEST(MeasureBlocks, NothingIsMeasuredAfterACancel) {
  test::CancelAfter cancel(2);
  const Experiment experiment = smallExperiment(1);
  const auto profile = makeTorchExecutor()->measureBlocks(
      *resolve(experiment), {LaneId(0), {}, {2, 4}, cancel.control().report}, cancel.control().stop);
  ASSERT_FALSE(profile.ok());
  EXPECT_EQ(profile.error().kind, Error::Kind::Cancelled);
  EXPECT_EQ(cancel.seen(), 2);
}

TEST(MeasureBlocks, OneLaneHasNoTransfersAndNoSlowdown) {
  const BlockProfile profile = measured(smallExperiment(1), {LaneId(0), {}, {3}, {}});
  ASSERT_EQ(profile.sizes.size(), 1u);
  EXPECT_EQ(profile.sizes[0].all_lanes_slowdown, 1);
  for (const BlockTiming& block : profile.sizes[0].blocks) EXPECT_EQ(block.transfer.n, 0);
}

TEST(MeasureBlocks, AParameterThatTwoBlocksShareIsUpdatedAfterBoth) {
  for (const int lanes : {1, 2}) {
    Experiment experiment = smallExperiment(lanes);
    experiment.model = {"", 0};
    experiment.model.file = LANELAB_SOURCE_DIR "/tests/data/exported/gpt2.pt2";
    experiment.data.shape.clear();
    experiment.training.loss = Loss::CrossEntropy;
    const std::vector<LaneId> peers(static_cast<std::size_t>(lanes - 1), LaneId(1));
    const BlockProfile profile = measured(experiment, {LaneId(0), peers, {2}, {}});
    ASSERT_FALSE(profile.updates.empty());
    EXPECT_GT(profile.updates.front().n, 0) << lanes << " lanes: the embedding";
    EXPECT_GT(profile.updates.back().n, 0) << lanes << " lanes: the head";
  }
}

TEST(MeasureBlocks, CanBeCancelled) {
  std::stop_source stop;
  stop.request_stop();
  const Experiment experiment = smallExperiment(2);
  const auto executor = makeTorchExecutor();
  const auto profile =
      executor->measureBlocks(*resolve(experiment), {LaneId(0), {LaneId(1)}, {2}, {}}, stop.get_token());
  ASSERT_FALSE(profile.ok());
  EXPECT_EQ(profile.error().kind, Error::Kind::Cancelled);
}

/// A trace of two blocks on lane 0, two micro-batches: a forward is 5, 3 and 2 ns (the last two for the loss), a
/// backward 1, 6 and 7.
Trace chainTrace() {
  Trace trace;
  trace.names = {"a", "b", "action"};
  Track compute{0, Track::Kind::Compute, "compute", {}}, detail{0, Track::Kind::Detail, "blocks", {}};
  const auto add = [&](Track& track, Nanoseconds start, Nanoseconds end, std::uint32_t name, int micro_batch,
                       Phase phase, Category category) {
    Span span;
    span.start = start, span.end = end, span.name = name, span.category = category, span.phase = phase;
    span.step = 0, span.stage = 0, span.micro_batch = static_cast<std::int16_t>(micro_batch);
    track.spans.push_back(span);
  };
  for (int k = 0; k < 2; ++k) {
    const Nanoseconds f = 100 * k, b = 1000 + 100 * k;
    add(compute, f, f + 10, 2, k, Phase::Forward, Category::Action);
    add(detail, f, f + 5, 0, k, Phase::Forward, Category::Block);
    add(detail, f + 5, f + 8, 1, k, Phase::Forward, Category::Block);
    add(compute, b, b + 14 + k, 2, k, Phase::Backward, Category::Action);
    add(detail, b + 1, b + 7, 1, k, Phase::Backward, Category::Block);
    add(detail, b + 7, b + 14 + k, 0, k, Phase::Backward, Category::Block);
  }
  trace.tracks = {compute, detail};
  return trace;
}

TEST(ChainTimes, TheLastBlockHasTheLossAndTheFirstBackwardIsLeftOut) {
  ChainTimes times;
  addChainTimes(chainTrace(), LaneId(0), {"a", "b"}, times);
  ASSERT_EQ(times.forward.whole.size(), 2u);
  EXPECT_NEAR(times.forward.blocks[0][0], 5e-9, 1e-15);
  EXPECT_NEAR(times.forward.blocks[1][0], 5e-9, 1e-15);
  EXPECT_NEAR(times.forward.whole[0], 10e-9, 1e-15);
  ASSERT_EQ(times.backward.whole.size(), 1u);
  EXPECT_NEAR(times.backward.blocks[1][0], 7e-9, 1e-15);
  EXPECT_NEAR(times.backward.blocks[0][0], 8e-9, 1e-15);
}

TEST(ChainTimes, AnActionWithoutAllItsBlocksIsLeftOut) {
  ChainTimes times;
  addChainTimes(chainTrace(), LaneId(0), {"a", "b", "c"}, times);
  addChainTimes(chainTrace(), LaneId(1), {"a", "b"}, times);
  EXPECT_TRUE(times.forward.whole.empty());
  EXPECT_TRUE(times.backward.whole.empty());
}

}  // namespace
}  // namespace lanelab
