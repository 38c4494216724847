// SPDX-License-Identifier: GPL-3.0-only
#include "engine/memory/memory_forecast.h"

#include <gtest/gtest.h>

#include "engine/model/update_piece.h"
#include "engine/schedule/generate.h"
#include "tests/support/described_model.h"

namespace lanelab {
namespace {

// ResNet-18 at 32 px, bytes a sample. The stem's convolution and batch norm make 64 channels of 16x16, its pooling 64
// of 8x8, with int64 indices.
constexpr std::int64_t kConvBytes = 64 * 16 * 16 * 4;
constexpr std::int64_t kPoolBytes = 64 * 8 * 8 * 4;
constexpr std::int64_t kIndexBytes = 64 * 8 * 8 * 8;
constexpr std::int64_t kStatistics = 2 * 64 * 4;  // saved mean and deviation, a micro-batch
constexpr std::int64_t kNormParameters = 2 * 64 * 4;
constexpr std::int64_t kStemKeeps = 2 * kConvBytes + kIndexBytes;
constexpr std::int64_t kStemParameters = (64 * 3 * 49 + 2 * 64) * 4;
constexpr std::int64_t kStemBuffers = 2 * 64 * 4 + 8;

ModelSpec resnet(const std::string& arch = "resnet18", std::int64_t pixels = 32) {
  return *test::describeModel(arch, 10, {3, pixels, pixels});
}

Stage stageOf(const ModelSpec& model, const std::string& first, const std::string& end) {
  const BlockId last = end.empty() ? BlockId(model.blocks.size()) : *model.find(end);
  return {StageId(first == "stem" ? 0 : 1), LaneId(0), *model.find(first), last};
}

/// Two lanes, cut before layer1.0, so that lane 0 holds the stem alone.
std::vector<LaneForecast> forecastStemCut(const std::string& schedule, MicroBatches split, TrainingMemory training = {},
                                          int second_memory = 0) {
  const ModelSpec model = resnet();
  const std::vector<LaneId> lanes = {LaneId(0), LaneId(1)};
  const std::vector<Stage> stages = stagesOf(*placementFromCuts(model, {"layer1.0"}, lanes));
  const Schedule plan = *generateSchedule(*parseScheduleName(schedule), lanes, 2, split.count(), WindowKind::Step);
  return forecastMemory({model, stages, split, plan, training, {{1, 0}, {second_memory ? 0 : 1, second_memory}}});
}

TEST(StageMemory, CountsTheStemByHand) {
  const ModelSpec model = resnet();
  const StageMemory stem(model, stageOf(model, "stem", "layer1.0"), {}, 1);
  EXPECT_EQ(stem.resident().parameters, kStemParameters + kStemBuffers);
  EXPECT_EQ(stem.outputBytes(4), 4 * kPoolBytes);
  EXPECT_EQ(stem.forward(4).after.total(), 4 * kStemKeeps + kStatistics);
  EXPECT_EQ(stem.forward(4).highest.total(), 4 * (kStemKeeps + kPoolBytes) + kStatistics);
  // At its highest the backward has two gradients of the convolution's size and those of the norm's parameters, and is
  // rid of the indices alone.
  EXPECT_EQ(stem.backward(4, false).highest.total(), 4 * (2 * kConvBytes - kIndexBytes) + kNormParameters);
  EXPECT_EQ(stem.backward(4, false).after.total(), -(4 * kStemKeeps + kStatistics));
  EXPECT_EQ(stem.backward(4, true).after.gradients, kStemParameters);
}

TEST(StageMemory, OfTheToyIsItsTwoKeptTensors) {
  const ModelSpec toy = *test::describeModel("toy", 5, {10});
  const StageMemory whole(toy, {StageId(0), LaneId(0), BlockId(0), BlockId(3)}, {}, 1);
  EXPECT_EQ(whole.resident().total(), (10 * 10 + 10 + 10 * 5 + 5) * 4);
  EXPECT_EQ(whole.forward(7).after.activations, 7 * (10 + 5) * 4);     // the ReLU's output and the loss's input
  EXPECT_EQ(whole.forward(7).highest.activations, 7 * (10 + 10) * 4);  // the ReLU makes its output beside its input
}

TEST(StageMemory, AnInputPartKeepsWhatTheWeightsNeed) {
  const ModelSpec model = resnet();
  const StageMemory stem(model, stageOf(model, "stem", "layer1.0"), {}, 1);
  const ActionMemory input = stem.backward(4, true, /*input_only=*/true);
  EXPECT_EQ(input.after.activations,
            4 * (kConvBytes - kStemKeeps) - kStatistics);  // the gradient at the convolution; the images are the data's
  EXPECT_EQ(input.after.gradients, 2 * 64 * 4);            // the batch norm's
  const ActionMemory weight = stem.backwardWeight(4, true);
  EXPECT_EQ(weight.after.activations, -4 * kConvBytes);
  EXPECT_EQ(weight.after.gradients, 64 * 3 * 49 * 4);
  EXPECT_TRUE(stem.weightsNeedInput());
}

TEST(StageMemory, WithoutSplitBackwardsAnInputPartIsAllOfIt) {
  const ModelSpec model = resnet();
  TrainingMemory training;
  training.rules = training.rules.without(Rule::SplitBackward);
  const StageMemory stem(model, stageOf(model, "stem", "layer1.0"), training, 1);
  EXPECT_EQ(stem.backward(4, true, /*input_only=*/true).after, stem.backward(4, true).after);
  EXPECT_EQ(stem.backwardWeight(4, true).highest, MemoryParts());
  EXPECT_FALSE(stem.weightsNeedInput());
}

TEST(StageMemory, InBf16NormsAndMastersStayInFloat32) {
  const ModelSpec model = resnet();
  TrainingMemory bf16;
  bf16.element_bytes = 2;
  const StageMemory stem(model, stageOf(model, "stem", "layer1.0"), bf16, 1);
  const std::int64_t convolution = 64 * 3 * 49;
  EXPECT_EQ(stem.resident().parameters, convolution * (2 + 4) + kNormParameters + kStemBuffers);
  EXPECT_EQ(stem.forward(4).after.total(), 4 * (kConvBytes + kIndexBytes) + kStatistics) << "indices stay 64 bits wide";
  const ActionMemory backward = stem.backward(4, true);
  EXPECT_EQ(backward.after.gradients, kStemParameters);
  EXPECT_EQ(backward.after.workspace, 0) << "gradients in bf16 are added to the masters' at the end of the action";
}

TEST(StageMemory, WhatForwardKeepsIsWhatTheModelSaysAndBackwardGivesBack) {
  for (const char* arch : {"resnet18", "resnet50"}) {
    for (const bool channels_last : {true, false}) {
      const ModelSpec model = resnet(arch, 64);
      TrainingMemory training;
      training.channels_last = channels_last;
      const StageMemory whole(model, stageOf(model, "stem", ""), training, 1);
      std::int64_t keeps = 10 * 4 - 3 * 64 * 64 * 4;  // the loss's input; the images are not the lane's
      std::int64_t norms = 0;
      for (const BlockSpec& block : model.blocks) {
        keeps += block.activation_bytes;
        for (const LayerSpec& layer : block.layers) norms += layer.type == "BatchNorm2d" ? 2 * layer.output[0] * 4 : 0;
      }
      const std::int64_t forward = whole.forward(3).after.activations;
      EXPECT_EQ(forward, 3 * keeps + norms) << arch;
      EXPECT_EQ(forward + whole.backward(3, true).after.activations, 0) << arch;
      EXPECT_EQ(
          forward + whole.backward(3, true, true).after.activations + whole.backwardWeight(3, true).after.activations,
          0)
          << arch;
      EXPECT_EQ(whole.backward(3, true).after.gradients, model.parameters() * 4) << arch;
      EXPECT_EQ(whole.backward(3, true, true).after.gradients + whole.backwardWeight(3, true).after.gradients,
                model.parameters() * 4)
          << arch;
      EXPECT_EQ(whole.backward(3, true).after.workspace, 0) << arch;
    }
  }
}

TEST(StageMemory, ARecomputedStageKeepsNothingBetween) {
  const ModelSpec model = resnet();
  TrainingMemory training;
  training.recompute = {Recompute::Stage, Recompute::None};
  const StageMemory stem(model, stageOf(model, "stem", "layer1.0"), training, 1);
  EXPECT_EQ(stem.forward(4).after.total(), 0);
  EXPECT_EQ(stem.backward(4, false).after.total(), 0);
  EXPECT_GE(stem.backward(4, false).highest.total(), 4 * kStemKeeps + 4 * (2 * kConvBytes - kIndexBytes));
}

TEST(StageMemory, RecomputedActivationsAreThoseOfNormsAndTheirReLUs) {
  for (const char* arch : {"resnet18", "resnet50"}) {
    const ModelSpec model = resnet(arch);
    // Of the stem, and of each block all ReLUs but that of the sum. They have the shapes of the norms before them.
    std::int64_t made_again = 0;
    for (const BlockSpec& block : model.blocks) {
      const LayerSpec* last = nullptr;
      for (const LayerSpec& layer : block.layers) {
        if (layer.type != "BatchNorm2d" || layer.name.find("downsample") != std::string::npos) continue;
        made_again += numbersOf(layer.output);
        last = &layer;
      }
      if (last && block.name != "stem") made_again -= numbersOf(last->output);
    }
    for (const bool fused : {true, false}) {
      TrainingMemory training;
      training.rules = fused ? Rules::all() : Rules::all().without(Rule::FusedNorm);
      const Stage all = stageOf(model, "stem", "");
      const std::int64_t kept = StageMemory(model, all, training, 1).forward(3).after.activations;
      training.recompute = {Recompute::Activations};
      const StageMemory whole(model, all, training, 1);
      const std::int64_t forward = whole.forward(3).after.activations;
      EXPECT_EQ(kept - forward, 3 * made_again * kFloatBytes) << arch << fused;
      EXPECT_EQ(forward + whole.backward(3, true).after.activations, 0) << arch << fused;
      const ActionMemory input = whole.backward(3, true, true), weight = whole.backwardWeight(3, true);
      EXPECT_EQ(forward + input.after.activations + weight.after.activations, 0) << arch << fused;
    }
  }
}

TEST(StageMemory, TheUpdateTakesItsTemporariesOfTheLargestParameterOrOfAPiece) {
  const ModelSpec model = resnet();
  TrainingMemory adam;
  adam.optimizer_tensors = 2;
  adam.update_temporaries = 1;
  adam.fused_update_temporaries = 1;
  const StageMemory whole(model, stageOf(model, "stem", ""), adam, 0),
      pieces(model, stageOf(model, "stem", ""), adam, 2);
  EXPECT_EQ(whole.update().highest.workspace, 512 * 512 * 9 * 4);
  EXPECT_EQ(pieces.update().highest.workspace, 2 * kUpdatePieceNumbers * 4);  // one for each thread of a CPU lane
  EXPECT_EQ(whole.update().after.optimizer, 2 * 4 * model.parameters());  // of a single step: they come with the update
  adam.steps = 2;
  EXPECT_EQ(StageMemory(model, stageOf(model, "stem", ""), adam, 1).update().after.optimizer, 0);
}

TEST(StageMemory, FollowsTheInstructionsOfTheCpu) {
  const ModelSpec model = resnet("resnet18", 64);  // layer4 is 2x2 there
  const Stage stage = stageOf(model, "layer4.1", "head");
  const std::int64_t weight = 512 * 512 * 9, image = 4 * 512 * 2 * 2;
  TrainingMemory contiguous;
  contiguous.channels_last = false;
  EXPECT_EQ(StageMemory(model, stage, contiguous, 1).backwardWeight(4, false).highest.workspace, 2 * weight * 4);
  contiguous.simd =
      Simd::Avx2;  // images narrower than the kernel: four copies for each thread, and windows of an image
  for (const int threads : {1, 2})
    EXPECT_EQ(StageMemory(model, stage, contiguous, threads).backwardWeight(4, false).highest.workspace,
              (1 + 4 * threads) * weight * 4 + threads * image / 4 * 9 * 4);
  TrainingMemory bf16;
  bf16.element_bytes = 2;
  bf16.simd = Simd::Avx2;  // without oneDNN: all windows, and the gradients of both weights
  EXPECT_EQ(StageMemory(model, stage, bf16, 1).backwardWeight(4, false).highest.workspace,
            image * 9 * 2 + 2 * weight * 2);
}

TEST(StageMemory, ContiguousOrderCostsCopiesOfImages) {
  const ModelSpec model = resnet("resnet18", 64);
  TrainingMemory contiguous;
  contiguous.channels_last = false;
  const Stage stage = stageOf(model, "layer1.0", "layer2.0");
  const std::int64_t image = 16 * 64 * 16 * 16 * 4, weight = 64 * 64 * 9 * 4;
  // The weight part: input and gradient reordered with the new weight beside them, or the weight in three orders.
  EXPECT_EQ(StageMemory(model, stage, contiguous, 1).backwardWeight(16, false).highest.total(), 2 * image + weight);
  EXPECT_EQ(StageMemory(model, stage, {}, 1).backwardWeight(16, false).highest.total(), 3 * weight);
}

struct Depth {
  const char* schedule;
  MicroBatches split;
  int samples;  ///< that the stem's lane holds at its highest
  int micro_batches;
  const char* when;
};

TEST(MemoryForecast, HoldsAsManyMicroBatchesAsTheScheduleIsDeep) {
  // 16 images by 4; by 5 the last of four micro-batches is one image.
  const Depth table[] = {{"gpipe", {16, 16}, 16, 1, "0B0"}, {"gpipe", {16, 4}, 16, 4, "0B0"},
                         {"1f1b", {16, 4}, 8, 2, "0B1"},    {"gpipe", {16, 5}, 16, 4, "0B0"},
                         {"1f1b", {16, 5}, 10, 2, "0B1"},   {"1f1b", {6, 4}, 6, 2, "0B0"}};
  for (const Depth& row : table) {
    const std::vector<LaneForecast> lanes = forecastStemCut(row.schedule, row.split);
    ASSERT_EQ(lanes.size(), 2u);
    const int first = row.split.size(MicroBatchId(0));
    const std::int64_t highest = first * (2 * kConvBytes - kIndexBytes) + kNormParameters;  // of the backward
    const std::int64_t held = row.samples * (kStemKeeps + kPoolBytes) + row.micro_batches * kStatistics;
    const bool second = std::string(row.when) == "0B1";
    EXPECT_EQ(lanes[0].at_peak.total(),
              kStemParameters + kStemBuffers + held + highest + (second ? kStemParameters : 0))
        << row.schedule;
    EXPECT_EQ(toString(lanes[0].when), row.when) << row.schedule;
  }
}

TEST(MemoryForecast, AddsTheOptimizersTensorsOfEveryStepButTheFirst) {
  TrainingMemory momentum;
  momentum.optimizer_tensors = 1;
  momentum.steps = 2;
  const std::int64_t plain = forecastStemCut("gpipe", {16, 4})[0].at_peak.total();
  EXPECT_EQ(forecastStemCut("gpipe", {16, 4}, momentum)[0].at_peak.total(), plain + kStemParameters);
  momentum.steps = 1;
  EXPECT_EQ(forecastStemCut("gpipe", {16, 4}, momentum)[0].at_peak.total(), plain);
}

TEST(MemoryForecast, ReceivedInputsCostWhereTheyAreCopied) {
  const MemoryParts shared = forecastStemCut("gpipe", {16, 4})[1].at_peak;
  const MemoryParts copied = forecastStemCut("gpipe", {16, 4}, {}, 1)[1].at_peak;
  EXPECT_GE(copied.transfers, 16 * kPoolBytes);
  EXPECT_LT(shared.transfers, 16 * kPoolBytes);
  EXPECT_GT(copied.total(), shared.total());
}

TEST(MemoryForecast, RecomputingLeavesTheOutputsThatTheNextLaneReads) {
  TrainingMemory training;
  training.recompute = {Recompute::Stage, Recompute::None};
  const std::int64_t resident = kStemParameters + kStemBuffers;
  const LaneForecast stem = forecastStemCut("gpipe", {16, 4}, training)[0];
  EXPECT_LT(stem.at_peak.total(), forecastStemCut("gpipe", {16, 4})[0].at_peak.total());
  EXPECT_GT(stem.at_peak.total(), resident + 16 * kPoolBytes);
}

TEST(MemoryForecast, OfLanesWithoutWorkIsNothing) {
  const ModelSpec model = resnet();
  const std::vector<Stage> stages = stagesOf(*placementFromCuts(model, {}, {LaneId(1)}));
  const MicroBatches split{8, 4};
  const Schedule plan = *generateSchedule(ScheduleKind::OneFOneB, {LaneId(1)}, 2, split.count(), WindowKind::Step);
  const std::vector<LaneForecast> lanes = forecastMemory({model, stages, split, plan, {}, {{1, 0}, {1, 0}}});
  ASSERT_EQ(lanes.size(), 2u);
  EXPECT_EQ(lanes[0].at_peak.total(), 0);
  EXPECT_GT(lanes[1].at_peak.total(), model.parameters() * 8);
}

TEST(MemoryForecast, OfAScheduleThatWaitsForEverIsNone) {
  const ModelSpec model = resnet();
  const std::vector<Stage> stages = stagesOf(*placementFromCuts(model, {"layer2.0"}, {LaneId(0), LaneId(1)}));
  const Schedule deadlock = *parseScheduleCsv("0B0,0F0\n1F0,1B0\n");
  EXPECT_TRUE(forecastMemory({model, stages, {4, 4}, deadlock, {}, {{1, 0}, {1, 0}}}).empty());
}

}  // namespace
}  // namespace lanelab
