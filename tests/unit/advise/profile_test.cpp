// SPDX-License-Identifier: GPL-3.0-only
// Profiles: what their times depend on, that they are kept and reused, and what happens to a damaged file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "engine/advise/profile_of.h"
#include "tests/support/fake_executor.h"
#include "tests/support/resolved.h"
#include "tests/unit/experiment/small_experiment.h"

namespace lanelab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// An executor that notes which sizes it was asked to measure.
class CountingExecutor : public Executor {
 public:
  std::vector<std::vector<int>> asked;
  double seconds = 0.5;

  std::vector<std::pair<std::string, std::string>> describe() const override { return {{"fake", "1"}}; }
  std::vector<DeviceInfo> devices() const override { return {}; }
  Result<SharedWeights> checkMachine(const Resolution&, std::vector<std::string>&) const override {
    return SharedWeights();
  }
  Result<SessionMaker> load(const Resolution&, int, SharedWeights) override { return Error::failed("not asked for"); }

  Result<BlockProfile> measureBlocks(const Resolution& resolution, const ProfileRequest& request,
                                     std::stop_token) override {
    const ModelSpec& model = resolution.model();
    asked.push_back(request.samples);
    BlockProfile profile;
    for (const BlockSpec& block : model.blocks) profile.block_names.push_back(block.name);
    profile.updates.assign(model.blocks.size(), timingOf({seconds}));
    for (const int samples : request.samples) {
      profile.sizes.push_back(
          {samples, std::vector<BlockTiming>(model.blocks.size()), timingOf({seconds}), timingOf({2 * seconds}), 1.25});
    }
    return profile;
  }
};

class ProfileTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove_all(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }

  FoundProfile find(std::vector<int> samples, bool refresh = false) {
    auto found = profileOf(*test::resolved(experiment), commonModes(experiment.training), executor, store,
                           {LaneId(0), std::move(samples), refresh, {}}, {});
    EXPECT_TRUE(found.ok()) << found.error().message;
    return std::move(*found);
  }

  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("profiles-") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
  const ProfileStore store{(folder / "deep").string()};
  Experiment experiment = test::smallExperiment();
  CountingExecutor executor;
};

TEST(TimingOf, IsTheMedianAndTheQuartilesBetweenTheValues) {
  EXPECT_EQ(timingOf({4, 1, 2, 3}), (Timing{2.5, 1.75, 3.25, 4}));
  EXPECT_EQ(timingOf({7}), (Timing{7, 7, 7, 1}));
  EXPECT_EQ(timingOf({}), Timing{});
}

TEST(ProfileSizes, AreTheMicroBatchesOfTheVariantsAndTheirNeighbours) {
  Experiment experiment = test::smallExperiment();  // batch 8
  EXPECT_THAT(profileSizes(experiment), ElementsAre(8));
  experiment.variants[0].split_size = 3;  // 3, 3, 2
  EXPECT_THAT(profileSizes(experiment), ElementsAre(1, 2, 3, 6));
  EXPECT_THAT(microBatchSizes(120, {1, 50, 60}), ElementsAre(1, 20, 50, 60));
}

TEST_F(ProfileTest, OnlyWhatIsNotKeptIsMeasured) {
  EXPECT_THAT(find({2, 4}).measured, ElementsAre(2, 4));
  EXPECT_THAT(find({4}).measured, IsEmpty());
  const FoundProfile third = find({8, 4, 1});
  EXPECT_THAT(third.measured, ElementsAre(1, 8));
  EXPECT_EQ(third.profile.sizes.size(), 4u);
  EXPECT_EQ(third.profile.sizes[1].samples, 2);
  EXPECT_THAT(executor.asked, ElementsAre(ElementsAre(2, 4), ElementsAre(1, 8)));
}

TEST_F(ProfileTest, ARefreshReplacesTheSizesThatWereAskedFor) {
  find({2, 4});
  executor.seconds = 3;
  const BlockProfile fresh = find({4}, true).profile;
  EXPECT_EQ(fresh.find(2)->forward.median, 0.5);
  EXPECT_EQ(fresh.find(4)->forward.median, 3);
}

TEST_F(ProfileTest, WhatTheTimesDependOnIsTheKey) {
  find({2});
  const auto measuredAfter = [&](auto change) {
    const Experiment before = experiment;
    change(experiment);
    const bool again = !find({2}).measured.empty();
    experiment = before;
    return again;
  };
  EXPECT_TRUE(measuredAfter([](Experiment& e) { e.model.classes = 6; }));
  EXPECT_TRUE(measuredAfter([](Experiment& e) { e.model.arch = "resnet18", e.data.shape = {3, 32, 32}; }));
  EXPECT_TRUE(measuredAfter([](Experiment& e) { e.model.arch = "resnet18", e.data.shape = {3, 64, 64}; }));
  EXPECT_TRUE(measuredAfter([](Experiment& e) { e.training.layout = Layout::Contiguous; }));
  EXPECT_TRUE(measuredAfter([](Experiment& e) { e.training.optimizer = OptimizerKind::Adam; }));
  EXPECT_TRUE(measuredAfter([](Experiment& e) { e.training.loss = Loss::CrossEntropy; }));
  EXPECT_TRUE(measuredAfter([](Experiment& e) { e.lanes[0].threads = 2; }));
  EXPECT_TRUE(measuredAfter([](Experiment& e) { e.lanes.pop_back(); })) << "no other lane computes along";
  EXPECT_TRUE(measuredAfter([](Experiment& e) { e.training.precision = Precision::Bf16; }));
  EXPECT_FALSE(measuredAfter([](Experiment& e) { e.training.recompute = Recompute::Stage; }))
      << "it takes the forward's time again";
  EXPECT_FALSE(measuredAfter([](Experiment& e) { e.training.lr = 1; }));
  EXPECT_FALSE(measuredAfter([](Experiment& e) { e.name = "other"; }));
}

TEST_F(ProfileTest, LanesOfOneKindShareAProfile) {
  experiment.lanes = {{Device::cpu(0), "", 1}, {Device::cpu(1), "", 2}, {Device::cpu(2), "", 1}};
  const auto found = profilesOf(*test::resolved(experiment), commonModes(experiment.training), executor, store,
                                {LaneId(0), {4}, false, {}}, {});
  ASSERT_TRUE(found.ok()) << found.error().message;
  EXPECT_THAT(found->of_lane, ElementsAre(0, 1, 0));
  ASSERT_EQ(found->profiles.size(), 2u);
  EXPECT_EQ(found->profiles[1].key.threads, 2);
  EXPECT_THAT(executor.asked, ElementsAre(ElementsAre(4), ElementsAre(4)));
  EXPECT_EQ(found->ofLanes()[2], &found->profiles[0]);
}

TEST_F(ProfileTest, AKeptProfileReadsBackAsTheSameValue) {
  const BlockProfile profile = find({2, 4}).profile;
  const auto read = parseBlockProfile(toJson(profile), "here");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, profile);
}

TEST_F(ProfileTest, ADamagedFileIsToldAndMeasuredAnew) {
  const BlockProfile profile = find({2}).profile;
  std::string text = toJson(profile);
  for (const std::string& damaged : {std::string("{"), std::string(), text.substr(0, text.size() / 2),
                                     text.replace(text.find("\"samples\": 2"), 12, "\"samples\": 0")}) {
    std::ofstream(store.pathOf(profile.key)) << damaged;
    const FoundProfile found = find({2});
    EXPECT_THAT(found.measured, ElementsAre(2)) << damaged;
    ASSERT_EQ(found.warnings.size(), 1u) << damaged;
    EXPECT_THAT(found.warnings[0], HasSubstr("measured again"));
    EXPECT_THAT(find({2}).measured, IsEmpty()) << "the file was repaired";
  }
}

TEST_F(ProfileTest, AFolderThatCannotBeMadeIsAWarning) {
  std::ofstream(folder.string()) << "a file";
  const FoundProfile found = find({2});
  ASSERT_EQ(found.warnings.size(), 1u);
  EXPECT_THAT(found.warnings[0], HasSubstr("LANELAB_PROFILES"));
}

TEST_F(ProfileTest, ASizeAboveTheBatchIsRefused) {
  const auto found = profileOf(*test::resolved(experiment), commonModes(experiment.training), executor, store,
                               {LaneId(0), {9}, false, {}}, {});
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().kind, Error::Kind::BadInput);
  EXPECT_THAT(found.error().message, HasSubstr("from 1 to 8"));
}

TEST_F(ProfileTest, TheFakeExecutorAnswersFromItsBusyTimes) {
  FakeBehaviour behaviour;
  behaviour.busy_ns = [](const Action& action) {
    return (action.stage.value + 1) * (action.kind == ActionKind::Backward ? 2000 : 1000);
  };
  const auto fake = makeFakeExecutor(behaviour);
  const auto found = profileOf(*test::resolved(experiment), commonModes(experiment.training), *fake, store,
                               {LaneId(0), {2}, false, {}}, {});
  ASSERT_TRUE(found.ok()) << found.error().message;
  const BlockProfile& profile = found->profile;
  EXPECT_DOUBLE_EQ(profile.find(2)->blocks[1].forward.median, 2e-6);
  EXPECT_DOUBLE_EQ(profile.find(2)->blocks[1].backward.median, 4e-6);
  EXPECT_EQ(profile.updates.size(), profile.block_names.size());
}

TEST(CompanyOf, IsTheOtherLanesOfTheKindOnDevicesOfTheirOwn) {
  Experiment experiment = test::smallExperiment();
  experiment.lanes = {{Device::cpu(0), "", 1},
                      {Device::cpu(1), "", 1},
                      {Device::cpu(1), "again", 1},
                      {Device::cpu(2), "", 2},
                      {Device::cuda(0), "", 1}};
  const auto fake = makeFakeExecutor();
  EXPECT_THAT(peerLanes(experiment, *fake, LaneId(0)), ElementsAre(LaneId(1)));
  EXPECT_THAT(peerLanes(experiment, *fake, LaneId(3)), IsEmpty());
}

TEST_F(ProfileTest, WhatIsKeptOfAllLanesIsFoundWithoutMeasuring) {
  EXPECT_FALSE(storedProfiles(*test::resolved(experiment), commonModes(experiment.training), executor, store));
  find({2});
  const std::optional<LaneProfiles> kept =
      storedProfiles(*test::resolved(experiment), commonModes(experiment.training), executor, store);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->ofLanes().size(), experiment.lanes.size());
  EXPECT_NE(kept->ofLanes().back()->find(2), nullptr);
  EXPECT_EQ(executor.asked.size(), 1u);
  experiment.lanes.back().threads = 2;  // another kind of lane
  EXPECT_FALSE(storedProfiles(*test::resolved(experiment), commonModes(experiment.training), executor, store));
}

}  // namespace
}  // namespace lanelab
