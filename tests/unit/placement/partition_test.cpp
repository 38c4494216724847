// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <random>

#include "engine/placement/partition_compare.h"
#include "tests/support/described_model.h"
#include "tests/support/sanitized.h"

namespace lanelab {
namespace {

using testing::HasSubstr;

std::vector<PartitionBlock> timed(const std::vector<double>& times) {
  std::vector<PartitionBlock> blocks;
  for (const double time : times) blocks.push_back({"b" + std::to_string(blocks.size()), time});
  return blocks;
}

/// Stage s on lane s, all alike.
PartitionProblem plainProblem(std::vector<PartitionBlock> blocks, std::vector<double> transfers, int stages) {
  PartitionProblem problem{std::move(blocks), std::move(transfers), {}, {}, 0};
  problem.slowness.assign(static_cast<std::size_t>(stages), 1);
  for (int s = 0; s < stages; ++s) problem.lane_of_stage.emplace_back(s);
  return problem;
}

std::vector<int> values(const std::vector<BlockId>& cuts) {
  std::vector<int> numbers;
  for (const BlockId cut : cuts) numbers.push_back(cut.value);
  return numbers;
}

// Every way to cut, one after the other.
void forEachCut(std::size_t blocks, std::size_t stages, const std::function<void(const std::vector<BlockId>&)>& look) {
  std::vector<BlockId> cuts;
  const std::function<void(int)> extend = [&](int from) {
    if (cuts.size() + 1 == stages) {
      look(cuts);
      return;
    }
    for (int block = from; block < static_cast<int>(blocks); ++block) {
      cuts.emplace_back(block);
      extend(block + 1);
      cuts.pop_back();
    }
  };
  extend(1);
}

double bruteForce(const PartitionProblem& problem) {
  double least = std::numeric_limits<double>::infinity();
  forEachCut(problem.blocks.size(), problem.lane_of_stage.size(), [&](const std::vector<BlockId>& cuts) {
    const Partition candidate = evaluatePartition(problem, cuts);
    least = std::min(least, candidate.objective);
  });
  return least;
}

struct ProblemKind {
  const char* name;
  bool interleaved, unequal, batch;
};

// Small whole numbers make zeros and ties common and every sum exact; others are reals.
PartitionProblem randomProblem(std::mt19937& random, const ProblemKind& kind) {
  const auto upTo = [&](int high) { return static_cast<int>(random() % static_cast<unsigned>(high + 1)); };
  const bool whole = upTo(1) == 0;
  const auto time = [&](int high) {
    return whole ? upTo(high) : std::uniform_real_distribution<double>(0, high)(random);
  };
  PartitionProblem problem;
  const int blocks = 1 + upTo(8);
  for (int b = 0; b < blocks; ++b) problem.blocks.push_back({"b" + std::to_string(b), time(9)});
  if (upTo(2) > 0) {
    for (int b = 0; b + 1 < blocks; ++b) problem.transfers.push_back(time(12));
  }
  const int stages = 1 + upTo(blocks - 1);
  const int lanes = kind.interleaved ? 1 + upTo(stages - 1) : stages;
  for (int s = 0; s < stages; ++s) problem.lane_of_stage.emplace_back(s % lanes);
  if (!kind.interleaved) std::shuffle(problem.lane_of_stage.begin(), problem.lane_of_stage.end(), random);
  for (int lane = 0; lane < lanes; ++lane)
    problem.slowness.push_back(!kind.unequal ? 1 : whole ? 1 + upTo(3) : 0.5 + time(3));
  if (kind.batch) problem.micro_batches = 1 + upTo(7);
  return problem;
}

class PartitionAgainstBruteForce : public testing::TestWithParam<ProblemKind> {};

TEST_P(PartitionAgainstBruteForce, IsNeverWorse) {
  std::mt19937 random(20261121);
  for (int round = 0; round < 3000; ++round) {
    const PartitionProblem problem = randomProblem(random, GetParam());
    const double least = bruteForce(problem);
    const Result<Partition> answer = partition(problem);
    ASSERT_TRUE(answer.ok()) << "round " << round;
    EXPECT_TRUE(answer->proven);
    EXPECT_EQ(answer->cuts.size() + 1, problem.lane_of_stage.size());
    ASSERT_NEAR(answer->objective, least, 1e-9 * (1 + least)) << "round " << round;
    ASSERT_LE(partitionBound(problem), least * (1 + 1e-12)) << "round " << round;
  }
}

INSTANTIATE_TEST_SUITE_P(All, PartitionAgainstBruteForce,
                         testing::Values(ProblemKind{"chain", false, false, false},
                                         ProblemKind{"unequal", false, true, false},
                                         ProblemKind{"batch", false, true, true},
                                         ProblemKind{"interleaved", true, false, false},
                                         ProblemKind{"interleaved_unequal", true, true, false},
                                         ProblemKind{"interleaved_batch", true, true, true}),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Partition, LongChainsEqualTheTextbookRecurrence) {
  std::mt19937 random(7);
  for (const std::size_t stages : {2u, 5u, 8u, 40u}) {
    std::vector<double> times;
    for (int b = 0; b < 60; ++b) times.push_back(static_cast<double>(random() % 100));
    // least[b]: of the first b blocks in so many stages.
    std::vector<double> least(times.size() + 1, 1e9);
    least[0] = 0;
    for (std::size_t s = 0; s < stages; ++s) {
      std::vector<double> next(least.size(), 1e9);
      for (std::size_t end = 1; end < next.size(); ++end) {
        double sum = 0;
        for (std::size_t begin = end; begin-- > 0;) {
          sum += times[begin];
          next[end] = std::min(next[end], std::max(least[begin], sum));
        }
      }
      least = next;
    }
    const Result<Partition> answer = partition(plainProblem(timed(times), {}, static_cast<int>(stages)));
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer->bottleneck, least.back()) << stages << " stages";
  }
}

TEST(Partition, ExpensiveTransfersAreAvoided) {
  const auto cuts = [](std::vector<double> transfers) {
    return values(partition(plainProblem(timed({4, 1, 1, 4}), std::move(transfers), 2))->cuts);
  };
  EXPECT_EQ(cuts({}), std::vector<int>{2});
  EXPECT_EQ(cuts({0, 9, 0}), std::vector<int>{1});
  EXPECT_EQ(cuts({0, 5, 0}), std::vector<int>{2}) << "a transfer that hides behind the compute costs no pace";
}

TEST(Partition, OfEqualBottlenecksTheOneWithLeastTransferIsTaken) {
  EXPECT_EQ(values(partition(plainProblem(timed({5, 0, 0, 5}), {3, 2, 1}, 2))->cuts), std::vector<int>{3});
}

TEST(Partition, ASlowerLaneGetsLess) {
  PartitionProblem problem = plainProblem(timed({1, 1, 1, 1, 1, 1}), {}, 2);
  problem.slowness[0] = 2;
  const Result<Partition> answer = partition(problem);
  EXPECT_EQ(values(answer->cuts), std::vector<int>{2});
  EXPECT_EQ(answer->bottleneck, 4);
}

TEST(Partition, FewMicroBatchesPreferAShortWayManyAnEvenPace) {
  // Cutting in the middle is even but sends much; cutting after the first block sends nothing.
  PartitionProblem problem = plainProblem(timed({4, 3, 3, 4}), {0, 6, 0}, 2);
  problem.micro_batches = 1;
  EXPECT_EQ(values(partition(problem)->cuts), std::vector<int>{1});
  problem.micro_batches = 20;
  EXPECT_EQ(values(partition(problem)->cuts), std::vector<int>{2});
  EXPECT_EQ(partition(problem)->objective, 14 + 12 + 19 * 7);
}

TEST(Partition, InterleavedStagesAddUpOnTheirLane) {
  PartitionProblem problem = plainProblem(timed({6, 1, 1, 2, 2, 2}), {}, 0);
  problem.slowness = {1, 1};
  problem.lane_of_stage = {LaneId(0), LaneId(1), LaneId(0), LaneId(1)};
  const Result<Partition> answer = partition(problem);
  EXPECT_EQ(answer->bottleneck, 7);
  EXPECT_TRUE(answer->proven);
}

TEST(Partition, ManyInterleavedStagesAreCutNearlyAsEvenlyAsCanBe) {
  std::mt19937 random(5);
  for (int round = 0; round < test::casesOf(5); ++round) {
    std::vector<double> times;
    for (int b = 0; b < 52; ++b) times.push_back(1 + 9 * static_cast<double>(random() % 1000) / 1000);
    PartitionProblem problem = plainProblem(timed(times), {}, 0);
    problem.slowness.assign(4, 1);
    for (int s = 0; s < 8; ++s) problem.lane_of_stage.emplace_back(s % 4);
    const Result<Partition> answer = partition(problem);
    EXPECT_FALSE(answer->proven) << "115 million cuts";
    EXPECT_EQ(answer->lower_bound, partitionBound(problem));
    EXPECT_LT(answer->bottleneck, 1.02 * answer->lower_bound);
  }
}

TEST(Partition, BadRequestsAreRefusedInASentence) {
  const auto messageOf = [](const PartitionProblem& problem) { return partition(problem).error().message; };
  EXPECT_THAT(messageOf(plainProblem(timed({1}), {}, 0)), HasSubstr("at least 1"));
  EXPECT_THAT(messageOf(plainProblem(timed({1}), {}, 2)), HasSubstr("2 stages need as many blocks, but there is 1"));
  EXPECT_THAT(messageOf(plainProblem(timed({1, -1}), {}, 2)), HasSubstr("b1 is -1"));
  EXPECT_THAT(messageOf(plainProblem(timed({1, std::nan("")}), {}, 2)), HasSubstr("b1"));
  EXPECT_THAT(messageOf(plainProblem(timed({1, 1}), {1, 1}, 2)), HasSubstr("2 transfers for 2 blocks"));
  PartitionProblem slow = plainProblem(timed({1, 1}), {}, 2);
  slow.slowness[1] = 0;
  EXPECT_THAT(messageOf(slow), HasSubstr("slowness of lane 1"));
  PartitionProblem lost = plainProblem(timed({1, 1}), {}, 2);
  lost.lane_of_stage[1] = LaneId(5);
  EXPECT_THAT(messageOf(lost), HasSubstr("lane 5"));
}

// PipeDream's profile of ResNet-50 (tests/data/costs), forward + backward in ms.
std::vector<PartitionBlock> pipeDreamBlocks() {
  const ModelSpec model = std::move(test::describeModel("resnet50", 1000, {3, 224, 224})).value();
  const double times[] = {26.909, 42.943, 33.091, 35.595, 46.271, 20.324, 19.802, 21.573, 40.070,
                          17.383, 16.340, 16.279, 16.184, 17.325, 35.433, 17.001, 19.250, 1.646};
  std::vector<PartitionBlock> blocks;
  for (std::size_t b = 0; b < model.blocks.size(); ++b) blocks.push_back({model.blocks[b].name, times[b]});
  return blocks;
}

TEST(Partition, CutsPipeDreamsResNet50WhereItIsBest) {
  const std::vector<PartitionBlock> blocks = pipeDreamBlocks();
  double total = 0;
  for (const PartitionBlock& block : blocks) total += block.time;
  const auto names = [&](const Partition& answer) {
    std::vector<std::string> list;
    for (const BlockId cut : answer.cuts) list.push_back(blocks[cut.index()].name);
    return list;
  };
  const Result<Partition> two = partition(plainProblem(blocks, {}, 2));
  EXPECT_EQ(names(*two), std::vector<std::string>{"layer2.3"});
  EXPECT_NEAR(total / two->bottleneck, 1.971, 5e-4);
  const Result<Partition> four = partition(plainProblem(blocks, {}, 4));
  EXPECT_EQ(names(*four), (std::vector<std::string>{"layer1.2", "layer2.3", "layer3.4"}));
  EXPECT_NEAR(total / four->bottleneck, 3.635, 5e-4);
}

TEST(Partition, RulesOfThumbAreSlowerOnPipeDreamsTimes) {
  const ModelSpec model = std::move(test::describeModel("resnet50", 1000, {3, 224, 224})).value();
  PartitionProblem problem = plainProblem(pipeDreamBlocks(), {}, 2);
  const auto rows = comparePartitions(problem, model, {0, 32});
  ASSERT_TRUE(rows.ok()) << rows.error().message;
  std::vector<std::string> cuts;
  for (const NamedPartition& row : *rows)
    cuts.push_back(row.name + ": " + model.blocks[row.partition.cuts[0].index()].name);
  EXPECT_THAT(cuts, testing::ElementsAre("measured time: layer2.3", "MACs: layer3.1", "parameters: layer4.1",
                                         testing::StartsWith("memory: "), "tutorial: layer3.0"));
  for (const NamedPartition& row : *rows)
    EXPECT_LE(rows->front().partition.bottleneck, row.partition.bottleneck) << row.name;
}

}  // namespace
}  // namespace lanelab
