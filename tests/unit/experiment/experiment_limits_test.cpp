// SPDX-License-Identifier: GPL-3.0-only
// Experiments that are far larger than what is possible: each is one sentence, and nothing of it is worked out. What
// would be quadratic in a file of 16 MiB takes longer than a test may.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "engine/experiment/resolution.h"
#include "tests/unit/two_lane_pipeline.h"

namespace lanelab {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

constexpr std::size_t kMany = 200'000;

Experiment plain() { return test::twoLanePipeline({"resnet152", 10, std::nullopt}, {3, 64, 64}, "layer3.0"); }

std::string listOf(const std::string& element, std::size_t count) {
  std::string list = "[";
  for (std::size_t i = 0; i < count; ++i) list += (i > 0 ? "," : "") + element;
  return list + "]";
}

TEST(ExperimentLimits, AFileWithMoreIsRefusedBeforeItsElementsAreRead) {
  const std::string variants = listOf(R"({"name": 7})", 10'000), lanes = listOf("{}", 10'000);
  const auto many_variants = parseExperiment(R"({"lanes": [{"device": "cpu:0"}], "variants": )" + variants + "}", "a");
  const auto many_lanes =
      parseExperiment(R"({"variants": [{"name": "S", "strategy": "single"}], "lanes": )" + lanes + "}", "b");
  ASSERT_FALSE(many_variants.ok());
  EXPECT_EQ(many_variants.error().message, "a: variants has 10000 elements; at most 256 are possible.");
  ASSERT_FALSE(many_lanes.ok());
  EXPECT_EQ(many_lanes.error().message, "b: lanes has 10000 elements; at most 256 are possible.");
}

TEST(ExperimentLimits, AsManyAsPossibleAreRead) {
  const std::string lanes = listOf(R"({"device": "cpu:0"})", 256);
  const auto read =
      parseExperiment(R"({"variants": [{"name": "S", "strategy": "single"}], "lanes": )" + lanes + "}", "a");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(resolve(*read)->variants().size(), 1u);
}

struct TooMuch {
  const char* name;
  std::function<void(Experiment&)> change;
  const char* place;
  const char* says;
};

void PrintTo(const TooMuch& much, std::ostream* out) { *out << much.name; }

class TooManyToResolve : public testing::TestWithParam<TooMuch> {};

TEST_P(TooManyToResolve, AreOneProblemAndNoVariantIsWorkedOut) {
  Experiment experiment = plain();
  GetParam().change(experiment);
  const std::int64_t before = resolutionCount().variants;
  const auto resolution = resolve(experiment);
  EXPECT_EQ(resolutionCount().variants, before);
  ASSERT_EQ(resolution->problems().size(), 1u);
  EXPECT_EQ(resolution->problems().front().where, GetParam().place);
  EXPECT_THAT(resolution->problems().front().message, HasSubstr(GetParam().says));
  EXPECT_FALSE(resolution->trainable().ok());
  EXPECT_FALSE(resolution->planned().ok());
  EXPECT_EQ(resolution->find("Pipeline"), nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    Lists, TooManyToResolve,
    testing::Values(TooMuch{"variants", [](Experiment& e) { e.variants.resize(20'000, e.variants.front()); },
                            "variants", "There are 20000 variants; at most 256 are possible."},
                    TooMuch{"lanes", [](Experiment& e) { e.lanes.resize(20'000, e.lanes.front()); }, "lanes",
                            "There are 20000 lanes; at most 256 are possible."}));

class TooManyOfAVariant : public testing::TestWithParam<TooMuch> {};

TEST_P(TooManyOfAVariant, AreOneProblem) {
  Experiment experiment = plain();
  GetParam().change(experiment);
  const auto resolution = resolve(experiment);
  ASSERT_EQ(resolution->problems().size(), 1u);
  EXPECT_EQ(resolution->problems().front().where, GetParam().place);
  EXPECT_THAT(resolution->problems().front().message, HasSubstr(GetParam().says));
}

std::string blockNumber(std::size_t i) { return "layer3." + std::to_string(100 + i); }

INSTANTIATE_TEST_SUITE_P(
    Lists, TooManyOfAVariant,
    testing::Values(TooMuch{"blocks of a placement",
                            [](Experiment& e) {
                              VariantConfig& variant = e.variants.front();
                              variant.cuts.reset();
                              variant.placement.emplace();
                              for (std::size_t i = 0; i < kMany; ++i) (*variant.placement)[blockNumber(i)] = 0;
                            },
                            "variants[0].placement", "200000 blocks are named, but resnet152 has 52."},
                    TooMuch{"cuts",
                            [](Experiment& e) {
                              std::vector<std::string>& cuts = *e.variants.front().cuts;
                              cuts.clear();
                              for (std::size_t i = 0; i < kMany; ++i) cuts.push_back(blockNumber(i));
                            },
                            "variants[0].cuts", "200000 cuts make 200001 stages, but there are 2 lanes"},
                    TooMuch{"lanes", [](Experiment& e) { e.variants.front().lanes = std::vector<int>(kMany, 7); },
                            "variants[0].lanes", "200000 lanes are listed; at most 256 are possible."}));

TEST(ExperimentLimits, LongNamesOfManyVariantsAreNotComparedWithEachOther) {
  Experiment experiment = plain();
  experiment.variants.resize(kMostVariants, experiment.variants.front());
  for (std::size_t i = 0; i < experiment.variants.size(); ++i) {
    std::string& name = experiment.variants[i].name;
    name = "v" + std::to_string(i);
    if (i < 128) name.resize(100'000, 'x');
  }
  const auto resolution = resolve(experiment);
  EXPECT_EQ(resolution->problems().size(), 128u);
  for (const ExperimentProblem& problem : resolution->problems())
    EXPECT_THAT(problem.message, HasSubstr("The name has 100000 characters"));
}

}  // namespace
}  // namespace lanelab
