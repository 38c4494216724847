// SPDX-License-Identifier: GPL-3.0-only
// What ranks of a run must have in common: the first difference is named by its key, with both values.
#include "engine/run/rank_agreement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "tests/unit/experiment/small_experiment.h"

namespace lanelab {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string textOf(const std::function<void(Experiment&)>& change, const AgreedOptions& options = {}) {
  Experiment experiment = test::smallExperiment();
  change(experiment);
  return rankAgreement(experiment, options);
}

const std::string kPlain = textOf([](Experiment&) {});

struct Change {
  const char* what;
  std::function<void(Experiment&)> change;
  const char* said;
};

class Disagreements : public ::testing::TestWithParam<Change> {};

TEST_P(Disagreements, NameTheKeyAndBothValues) {
  const std::string said = disagreement(kPlain, textOf(GetParam().change), 1);
  EXPECT_EQ(said, std::string("Rank 1 has another experiment than rank 0: ") + GetParam().said +
                      " on rank 1. Start all ranks with the same file and options.");
}

INSTANTIATE_TEST_SUITE_P(
    Keys, Disagreements,
    ::testing::Values(
        Change{"LearningRate", [](Experiment& e) { e.training.lr = 0.2; }, "training.lr is 0.001 on rank 0 and 0.2"},
        Change{"Seed", [](Experiment& e) { e.training.seed = 7; }, "training.seed is 0 on rank 0 and 7"},
        Change{"Optimizer", [](Experiment& e) { e.training.optimizer = OptimizerKind::Adam; },
               "training.optimizer is \"sgd\" on rank 0 and \"adam\""},
        Change{"Loss", [](Experiment& e) { e.training.loss = Loss::CrossEntropy; },
               "training.loss is \"mse\" on rank 0 and \"cross_entropy\""},
        Change{"Batch", [](Experiment& e) { e.data.batch = 9; }, "data.batch is 8 on rank 0 and 9"},
        Change{"Name", [](Experiment& e) { e.name = "other"; }, "name is \"small\" on rank 0 and \"other\""},
        Change{"Model", [](Experiment& e) { e.model.arch = "resnet18"; },
               "model.arch is \"toy\" on rank 0 and \"resnet18\""},
        Change{"Steps", [](Experiment& e) { e.data.steps = 3; }, "data.steps is 2 on rank 0 and 3"},
        Change{"Repeats", [](Experiment& e) { e.repeats = 6; }, "repeats is 5 on rank 0 and 6"},
        Change{"Record", [](Experiment& e) { e.record = RecordMode::Off; },
               "record is \"blocks\" on rank 0 and \"off\""},
        Change{"Shape", [](Experiment& e) { e.data.shape = {11}; }, "data.shape is [10] on rank 0 and [11]"},
        Change{"VariantsSplit", [](Experiment& e) { e.variants[0].split_size = 4; },
               "variants[0].split_size is not set on rank 0 and 4"},
        Change{"LanesDevice", [](Experiment& e) { e.lanes[1].device = Device::cpu(0); },
               "lanes[1].device is \"cpu:1\" on rank 0 and \"cpu:0\""}),
    [](const auto& test) { return test.param.what; });

TEST(RankAgreement, OfEqualExperimentsIsEqual) {
  EXPECT_EQ(disagreement(kPlain, textOf([](Experiment&) {}), 3), "");
}

TEST(RankAgreement, LeavesOutWhereEachMachineHasItsFiles) {
  const auto files = [](const std::string& folder) {
    return textOf([&](Experiment& e) {
      e.data.path = folder + "/digits.safetensors";
      e.model.weights = folder + "/weights.safetensors";
    });
  };
  EXPECT_EQ(disagreement(files("here"), files("there"), 1), "");
}

TEST(RankAgreement, HoldsOptionsAndVersions) {
  const auto with = [](const char* value) { return textOf([](Experiment&) {}, {{"--resume", value}}); };
  EXPECT_THAT(disagreement(with("on"), with("off"), 2),
              HasSubstr("Rank 2 has another option than rank 0: --resume is \"on\" on rank 0 and \"off\" on rank 2."));
  EXPECT_THAT(disagreement(R"({"version":"1.0"})", R"({"version":"2.0"})", 1),
              AllOf(HasSubstr("another version of LaneLab"), HasSubstr("\"1.0\" on rank 0 and \"2.0\" on rank 1")));
  EXPECT_THAT(disagreement(kPlain, "\xff not JSON", 1), HasSubstr("another version of LaneLab"));
}

TEST(RankAgreement, StaysSmallForLargeExperiments) {
  const auto rows = [](const std::string& last) {
    return textOf([&](Experiment& e) {
      e.variants[0].actions.emplace(300, std::string(4000, 'F'));
      e.variants[0].actions->back() = last;
    });
  };
  const std::string first = rows("B");
  EXPECT_THAT(first, SizeIs(testing::Lt(std::size_t{1} << 20U)));
  EXPECT_THAT(disagreement(first, rows("W"), 1), HasSubstr("variants is \"digest "));
}

}  // namespace
}  // namespace lanelab
