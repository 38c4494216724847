// SPDX-License-Identifier: GPL-3.0-only
// The check of ddp's replicas against copies of the network that go through their rows one after the other.
#include <gtest/gtest.h>

#include "engine/dist/run_processes.h"
#include "engine/torch/train/equality_check.h"

namespace lanelab {
namespace {

/// A ResNet-18 on `lanes` cores; the one variant is ddp.
Experiment replicasOn(int lanes, std::optional<std::string> cut = std::nullopt) {
  Experiment experiment;
  experiment.model = {"resnet18", 10, std::nullopt};
  experiment.data.shape = {3, 32, 32};
  experiment.data.batch = 8;
  experiment.training.lr = 0.01;
  experiment.training.momentum = 0.9;
  for (int i = 0; i < lanes; ++i) experiment.lanes.push_back({Device::cpu(i % 2), "", 1});
  VariantConfig variant;
  variant.name = "ddp";
  variant.strategy = Strategy::Ddp;
  if (cut) {
    variant.cuts = std::vector<std::string>{*cut};
    variant.split_size = 2;
  }
  experiment.variants = {variant};
  return experiment;
}

/// The same with a sixteenth of the channels.
Experiment narrowReplicasOn(int lanes, std::optional<std::string> cut = std::nullopt) {
  Experiment experiment = replicasOn(lanes, std::move(cut));
  experiment.model = {.arch = {}, .classes = 10, .file = LANELAB_SOURCE_DIR "/tests/data/exported/resnet18.pt2"};
  return experiment;
}

VariantEquality checked(const Experiment& experiment) {
  const Result<EqualityReport> report = checkEquality(*resolve(experiment), 3, {}, peersOfLanes());
  EXPECT_TRUE(report.ok()) << report.error().message;
  if (!report.ok()) return {};
  EXPECT_TRUE(report->equal()) << equalityStatus(*report).error().message;
  return report->variants.front();
}

TEST(EqualityOfReplicas, TwoAreEqualBitwise) {
  const VariantEquality variant = checked(replicasOn(2));
  EXPECT_TRUE(variant.bitwise_wanted);
  EXPECT_EQ(variant.replicas, 2);
  EXPECT_EQ(variant.micro_batches, 1);
}

TEST(EqualityOfReplicas, PipelinesAreToo) {
  const VariantEquality variant = checked(narrowReplicasOn(4, "layer3.0"));
  EXPECT_TRUE(variant.bitwise_wanted);
  EXPECT_EQ(variant.stages, 2);
  EXPECT_EQ(variant.replicas, 2);
  EXPECT_EQ(referenceText(variant), "one device, 2 replicas in order, 2 micro-batches each");
}

TEST(EqualityOfReplicas, ABatchThatDoesNotDivideStaysEqual) {
  Experiment experiment = narrowReplicasOn(2);
  experiment.data.batch = 7;
  EXPECT_TRUE(checked(experiment).bitwise_wanted);
}

TEST(EqualityOfReplicas, MoreThanTwoAreHeldByTolerance) {
  Experiment experiment = replicasOn(3);
  experiment.data.shape = {3, 64, 64};  // so that late batch norms see enough values
  experiment.data.batch = 12;
  const VariantEquality variant = checked(experiment);
  EXPECT_FALSE(variant.bitwise_wanted);
  EXPECT_EQ(variant.replicas, 3);
}

}  // namespace
}  // namespace lanelab
