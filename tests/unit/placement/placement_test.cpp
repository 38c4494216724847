// SPDX-License-Identifier: GPL-3.0-only
#include "engine/placement/placement.h"

#include <gtest/gtest.h>

#include "tests/support/described_model.h"

namespace lanelab {
namespace {

ModelSpec resnet50() { return std::move(test::describeModel("resnet50", 1000, {3, 128, 128})).value(); }
ModelSpec toy() { return std::move(test::describeModel("toy", 5, {10})).value(); }

std::vector<LaneId> lanes(std::initializer_list<int> values) {
  std::vector<LaneId> ids;
  for (const int v : values) ids.emplace_back(v);
  return ids;
}

std::vector<std::string> texts(const std::vector<Stage>& stages) {
  std::vector<std::string> rows;
  for (const Stage& s : stages) {
    rows.push_back(std::to_string(s.id.value) + " on " + std::to_string(s.lane.value) + ": " +
                   std::to_string(s.first.value) + "-" + std::to_string(s.end.value));
  }
  return rows;
}

TEST(Placement, StagesAreMaximalRuns) {
  EXPECT_EQ(texts(stagesOf({lanes({0, 0, 1, 1, 0})})),
            (std::vector<std::string>{"0 on 0: 0-2", "1 on 1: 2-4", "2 on 0: 4-5"}));
  EXPECT_EQ(texts(stagesOf({lanes({2, 2, 2})})), std::vector<std::string>{"0 on 2: 0-3"});
  EXPECT_TRUE(stagesOf({}).empty());
}

TEST(Placement, CutsGoThereAndBack) {
  const ModelSpec model = resnet50();
  const std::vector<std::string> cuts = {"layer2.0", "layer3.0", "head"};
  const Result<Placement> placement = placementFromCuts(model, cuts, lanes({0, 1, 2, 3}));
  ASSERT_TRUE(placement.ok()) << placement.error().message;
  EXPECT_EQ(cutNames(model, *placement), cuts);
  EXPECT_EQ(stagesOf(*placement).back().lane, LaneId(3));
}

TEST(Placement, NoCutIsOneStage) {
  const Result<Placement> placement = placementFromCuts(toy(), {}, lanes({1}));
  ASSERT_TRUE(placement.ok());
  EXPECT_EQ(placement->lane_of_block, lanes({1, 1, 1}));
}

TEST(Placement, BadCutsSayWhyAndHowToFix) {
  const ModelSpec model = resnet50();
  const std::vector<std::pair<std::vector<std::string>, std::string>> table = {
      {{"layer3"}, "did you mean \"layer3.0\""},
      {{"conv-something-else"}, "are stem ... head"},
      {{"stem"}, "leaves stage 0 empty"},
      {{"layer3.0", "layer2.0"}, "does not come after \"layer3.0\""},
      {{"layer3.0", "layer3.0"}, "does not come after"},
      {{"layer3.0", "stem"}, "leaves stage 0 empty"},
      {{"layer2.0", "layer3.0", "layer4.0"}, "remove cuts or add lanes"},
  };
  for (const auto& [cuts, says] : table) {
    const Result<Placement> placement = placementFromCuts(model, cuts, lanes({0, 1, 2}));
    ASSERT_FALSE(placement.ok()) << says;
    EXPECT_EQ(placement.error().kind, Error::Kind::BadInput);
    EXPECT_NE(placement.error().message.find(says), std::string::npos) << placement.error().message;
  }
}

TEST(Placement, CostsOfTheStagesSumToTheModel) {
  const ModelSpec model = resnet50();
  const Placement placement = std::move(placementFromCuts(model, {"layer3.0"}, lanes({0, 1}))).value();
  const std::vector<Stage> stages = stagesOf(placement);
  const StageCost first = costOf(model, stages[0]), second = costOf(model, stages[1]);
  EXPECT_EQ(first.parameters + second.parameters, model.parameters());
  EXPECT_EQ(first.macs + second.macs, model.macs());
  EXPECT_NEAR(static_cast<double>(first.macs) / static_cast<double>(model.macs()), .4435,
              .001);  // the tutorial's shares
  EXPECT_EQ(first.boundary_bytes, 512 * 16 * 16 * 4);
  EXPECT_EQ(second.boundary_bytes, 0);

  std::int64_t whole = 0;
  for (const BlockSpec& block : model.blocks) whole += block.activation_bytes;
  EXPECT_EQ(first.activation_bytes + second.activation_bytes,
            whole + first.boundary_bytes);  // the second lane keeps its own copy of what crossed
}

}  // namespace
}  // namespace lanelab
