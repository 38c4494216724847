// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/resolution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "tests/unit/two_lane_pipeline.h"

namespace lanelab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// ResNet-18 on four lanes: stem, two blocks in each of four layers, head.
Experiment pipelineOnFour() {
  Experiment experiment = test::twoLanePipeline({"resnet18", 10, std::nullopt}, {3, 64, 64}, "layer3.0");
  experiment.data.batch = 12;
  experiment.lanes = {
      {Device::cpu(0), "", 1}, {Device::cpu(1), "", 1}, {Device::cpu(2), "", 1}, {Device::cpu(3), "", 1}};
  experiment.variants[0].lanes = std::vector<int>{2, 0};
  return experiment;
}

/// An epoch of random rows, and what is wrong with it.
struct Epoch {
  const char* name;
  std::int64_t side;  ///< of the images
  int rows;
  std::function<void(Experiment&)> change;
  const char* problem;  ///< "" where all can be trained
  bool planned;         ///< whether it can be simulated all the same
};

TEST(Resolution, RefusesEpochsWhoseLastBatchAVariantCannotTrainOn) {
  const auto single = [](Experiment& experiment) {
    experiment.variants[0] = VariantConfig();
    experiment.variants[0].name = "Single";
    experiment.variants[0].strategy = Strategy::Single;
    experiment.variants[0].lanes = std::vector<int>{0};
  };
  const auto replicas = [](Strategy strategy) {
    return [strategy](Experiment& experiment) {
      experiment.variants[0] = VariantConfig();
      experiment.variants[0].name = "Replicas";
      experiment.variants[0].strategy = strategy;
      experiment.variants[0].lanes = std::vector<int>{0, 1, 2};
    };
  };
  const auto sixParts = [](Experiment&) {};  // two lanes, micro-batches of 2 of 12 samples
  const Epoch epochs[] = {
      {"whole batches", 64, 24, sixParts, "", true},
      {"as many as micro-batches", 64, 18, sixParts, "", true},
      {"one too few", 64, 17, sixParts,
       "data.batch: An epoch of 17 samples ends in a batch of 5 by batches of 12, fewer than the 6 micro-batches of "
       "\"Pipeline\". Choose another batch or a larger split size.",
       false},
      {"shorter than a batch", 64, 5, sixParts, "An epoch of 5 samples ends in a batch of 5", false},
      {"one sample at once", 64, 13, single, "", true},
      {"one sample of 1x1", 32, 13, single, "data.batch: A micro-batch of an epoch's last batch", true},
      {"parts of 1x1", 32, 18, sixParts, "data.batch: A micro-batch of an epoch's last batch", true},
      {"fewer than replicas", 64, 14, replicas(Strategy::Ddp), "fewer than the 3 micro-batches of \"Replicas\"", false},
      {"as many as replicas", 64, 15, replicas(Strategy::Ddp), "", true},
      {"idle replicas", 64, 13, replicas(Strategy::DataParallel), "", true},
      {"too many steps", 64, 1'000'000,
       [](Experiment& experiment) {
         experiment.data.batch = 1;
         experiment.data.epochs = 2;
         experiment.variants[0].split_size = 1;
       },
       "data.epochs: 2 epochs of 1000000 steps are more than a million steps", false}};
  for (const Epoch& epoch : epochs) {
    Experiment experiment = pipelineOnFour();
    experiment.data.shape = {3, epoch.side, epoch.side};
    experiment.data.rows = epoch.rows;
    experiment.data.epochs = 1;
    epoch.change(experiment);
    const auto resolution = resolve(experiment);
    EXPECT_EQ(resolution->planned().ok(), epoch.planned) << epoch.name;
    const Status trainable = resolution->trainable();
    EXPECT_EQ(trainable.ok(), std::string(epoch.problem).empty()) << epoch.name;
    EXPECT_THAT(trainable.ok() ? "" : trainable.error().message, HasSubstr(epoch.problem)) << epoch.name;
  }
}

/// "5 on 2, 5 on 0": so many blocks of each stage on its lane.
std::string stagesText(const ResolvedVariant& variant) {
  std::string text;
  for (const Stage& stage : variant.stages())
    text += (text.empty() ? "" : ", ") + std::to_string(stage.end.value - stage.first.value) + " on " +
            std::to_string(stage.lane.value);
  return text;
}

/// "0 1 | 2 3": the lanes of each replica.
std::string replicasText(const ResolvedVariant& variant) {
  std::string text;
  for (const std::vector<LaneId>& replica : variant.replicaLanes()) {
    text += text.empty() ? "" : " |";
    for (const LaneId lane : replica) text += (text.empty() ? "" : " ") + std::to_string(lane.value);
  }
  return text;
}

/// What a variant reads as, and where it is wrong.
struct Reading {
  const char* name;
  std::function<void(Experiment&)> change;
  const char* stages;
  const char* replicas;
  int samples;
  int split_size;
  const char* problem;  ///< its place; empty where the variant has a plan
};

void PrintTo(const Reading& reading, std::ostream* out) { *out << reading.name; }

class Readings : public testing::TestWithParam<Reading> {};

TEST_P(Readings, AreTolerantAndPlansAreStrict) {
  Experiment experiment = pipelineOnFour();
  GetParam().change(experiment);
  const auto resolution = resolve(experiment);
  const ResolvedVariant& variant = resolution->variants().front();
  EXPECT_EQ(stagesText(variant), GetParam().stages);
  EXPECT_EQ(replicasText(variant), GetParam().replicas);
  EXPECT_EQ(variant.samples(), GetParam().samples);
  EXPECT_EQ(variant.splitSize(), GetParam().split_size);
  const std::string problem = GetParam().problem;
  EXPECT_EQ(variant.plan().ok(), problem.empty());
  EXPECT_EQ(resolution->problems().empty() ? "" : resolution->problems().front().where, problem);
  if (!variant.plan().ok()) {
    EXPECT_THAT(variant.plan().error().message, HasSubstr(problem));
    return;
  }
  EXPECT_EQ(variant.plan()->placement, variant.placement());
  EXPECT_EQ(variant.plan()->stages, variant.stages());
  EXPECT_EQ(variant.plan()->micro_batches, variant.microBatches());
  EXPECT_EQ(variant.plan()->modes, variant.modes());
  EXPECT_EQ(variant.plan()->replicas(), variant.replicas());
}

INSTANTIATE_TEST_SUITE_P(
    Resolution, Readings,
    testing::Values(
        Reading{"AsItIs", [](Experiment&) {}, "5 on 2, 5 on 0", "2 0", 12, 2, ""},
        Reading{"AllLanes", [](Experiment& e) { e.variants[0].lanes.reset(); }, "5 on 0, 5 on 1", "0 1 2 3", 12, 2, ""},
        Reading{"ALaneThatIsNotThere",
                [](Experiment& e) {
                  e.variants[0].lanes = std::vector<int>{7, 2, 0};
                },
                "5 on 2, 5 on 0", "2 0", 12, 2, "variants[0].lanes[0]"},
        Reading{"NoLaneAtAll", [](Experiment& e) { e.lanes.clear(); }, "5 on 0, 5 on 0", "0", 12, 2, "lanes"},
        Reading{"AnUnknownCut", [](Experiment& e) { e.variants[0].cuts = std::vector<std::string>{"layer9.0"}; },
                "10 on 2", "2 0", 12, 2, "variants[0].cuts"},
        Reading{"AListWithGaps",
                [](Experiment& e) {
                  e.variants[0].cuts.reset();
                  e.variants[0].placement = std::map<std::string, int>{{"stem", 0}, {"layer2.0", 2}};
                },
                "3 on 0, 7 on 2", "2 0", 12, 2, "variants[0].placement"},
        Reading{"ASplitAboveTheBatch", [](Experiment& e) { e.variants[0].split_size = 99; }, "5 on 2, 5 on 0", "2 0",
                12, 12, "variants[0].split_size"},
        Reading{"Replicas",
                [](Experiment& e) {
                  e.variants[0].strategy = Strategy::Ddp;
                  e.variants[0].lanes.reset();
                },
                "5 on 0, 5 on 1", "0 1 | 2 3", 6, 2, ""},
        Reading{"ReplicasThatDoNotDivide",
                [](Experiment& e) {
                  e.variants[0].strategy = Strategy::Ddp;
                  e.variants[0].lanes = std::vector<int>{0, 1, 2};
                },
                "5 on 0, 5 on 1", "0 1", 12, 2, "variants[0].lanes"},
        Reading{"DataParallel",
                [](Experiment& e) {
                  VariantConfig all;
                  all.strategy = Strategy::DataParallel;
                  all.name = "All";
                  e.variants[0] = all;
                },
                "10 on 0", "0 | 1 | 2 | 3", 3, 3, ""}),
    [](const auto& named) { return std::string(named.param.name); });

TEST(Resolution, AVariantHasAPlanWhateverIsWrongBesidesIt) {
  Experiment experiment = pipelineOnFour();
  experiment.training.lr = -1;
  const auto resolution = resolve(experiment);
  EXPECT_TRUE(resolution->variants().front().plan().ok()) << "for the board";
  ASSERT_FALSE(resolution->planned().ok()) << "for the run";
  EXPECT_THAT(resolution->planned().error().message, HasSubstr("training.lr: "));
}

TEST(Resolution, WithoutAModelPlacementsAreReadForTheOneThatIsGiven) {
  Experiment experiment = pipelineOnFour();
  const auto good = resolve(experiment);
  experiment.data.shape = {0};
  const auto bad = resolve(experiment, good->known());
  EXPECT_FALSE(bad->hasModel());
  EXPECT_EQ(stagesText(bad->variants()[0]), "5 on 2, 5 on 0");
  EXPECT_THAT(bad->variants()[0].plan().error().message, HasSubstr("data.shape"));
  EXPECT_EQ(stagesText(resolve(experiment)->variants()[0]), "") << "no blocks at all";
}

TEST(Resolution, AVariantThatIsTriedSharesTheModelAndWhatIsWrongElsewhere) {
  Experiment experiment = pipelineOnFour();
  const auto resolution = resolve(experiment);
  VariantConfig other = experiment.variants[0];
  other.cuts = std::vector<std::string>{"layer2.0"};
  const auto tried = resolution->with(other);
  EXPECT_EQ(tried->known().if_none, resolution->known().if_none);
  EXPECT_EQ(stagesText(tried->variants().front()), "3 on 2, 7 on 0");
  EXPECT_TRUE(tried->trainable().ok());
  experiment.repeats = 0;
  EXPECT_EQ(resolve(experiment)->with(other)->trainable().error().message.rfind("repeats: ", 0), 0u);
}

TEST(Resolution, APlanIsMadeOnceForAllThreads) {
  const auto resolution = resolve(pipelineOnFour());
  const std::int64_t before = resolutionCount().plans;
  std::vector<const VariantPlan*> seen(8);
  {
    std::vector<std::jthread> threads;
    for (const VariantPlan*& plan : seen) threads.emplace_back([&] { plan = &*resolution->variants().front().plan(); });
  }
  EXPECT_EQ(resolutionCount().plans, before + 1);
  EXPECT_THAT(std::vector<const VariantPlan*>(seen.begin() + 1, seen.end()), testing::Each(seen.front()));
}

TEST(Resolution, LanesOfOtherReplicasRepeatTheFirst) {
  Experiment experiment = pipelineOnFour();
  EXPECT_THAT(resolve(experiment)->variants()[0].repeatedLanes(), ElementsAre(-1, -1, -1, -1));
  experiment.variants[0].strategy = Strategy::Ddp;
  experiment.variants[0].lanes.reset();
  EXPECT_THAT(resolve(experiment)->variants()[0].repeatedLanes(), ElementsAre(-1, -1, 0, 1));
}

}  // namespace
}  // namespace lanelab
