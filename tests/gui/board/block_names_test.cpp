// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/block_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ui/board/board_facts.h"

namespace lanelab {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

ModelSpec modelOf(const std::vector<std::string>& names) {
  ModelSpec model;
  model.arch = "net";
  for (const std::string& name : names) model.blocks.emplace_back().name = name;
  return model;
}

struct NamesCase {
  std::vector<std::string> names;
  std::vector<QString> shortened;
};

TEST(BlockNames, AreShortenedToWhatTellsThemApart) {
  const std::vector<NamesCase> cases = {
      {{"stem", "layer1.0", "layer1.1", "layer2.0", "head"}, {"stem", "1.0", "1.1", "2.0", "head"}},
      {{"inner.transformer.wte", "inner.transformer.h.0", "inner.transformer.h.11", "inner.lm_head"},
       {"wte", "h.0", "h.11", "lm_head"}},
      {{"encoder.block.0", "decoder.block.0", "decoder.block.1"}, {"encoder.block.0", "decoder.block.0", "block.1"}},
      {{"encoder.layers.encoder_layer_3", "encoder.layers.encoder_layer_4", "heads"}, {"layer_3", "layer_4", "heads"}},
      {{"a.part_1", "b.other_part_1"}, {"part_1", "other_part_1"}},
      {{"0", "1", "mlp.0@1"}, {"0", "1", "mlp.0@1"}},
      {{"net", "net@1"}, {"net", "net@1"}},
      {{}, {}},
  };
  for (const NamesCase& c : cases) EXPECT_THAT(shortBlockNames(modelOf(c.names)), ElementsAreArray(c.shortened));
}

TEST(BlockNames, AreFoundByAllWords) {
  const ModelSpec model = modelOf({"encoder.h.1", "encoder.h.11", "decoder.h.1"});
  EXPECT_THAT(blocksNamed(model, "H.1"), ElementsAre(BlockId(0), BlockId(1), BlockId(2)));
  EXPECT_THAT(blocksNamed(model, "enc 11"), ElementsAre(BlockId(1)));
  EXPECT_THAT(blocksNamed(model, "  "), ElementsAre());
  EXPECT_THAT(blocksNamed(model, "conv"), ElementsAre());
}

Placement onLanes(const std::vector<int>& lanes) {
  Placement placement;
  for (const int lane : lanes) placement.lane_of_block.emplace_back(lane);
  return placement;
}

struct TiesCase {
  const char* what;
  std::vector<int> users;
  std::vector<int> before;
  std::vector<int> after;  ///< empty: not possible
};

TEST(BoardNotes, UsersOfOneParameterComeTogetherWhereAllStagesStay) {
  const std::vector<TiesCase> cases = {
      {"the cut moves behind them", {0, 2}, {0, 0, 1, 1, 1}, {0, 0, 0, 1, 1}},
      {"or before them", {2, 4}, {0, 0, 0, 1, 1}, {0, 0, 1, 1, 1}},
      {"the first and the last block", {0, 4}, {0, 0, 1, 1, 1}, {}},
      {"the stage between would be gone", {0, 3}, {0, 1, 1, 2, 2}, {}},
      {"together already", {3, 4}, {0, 0, 0, 1, 1}, {}},
  };
  for (const TiesCase& c : cases) {
    ModelSpec model = modelOf({"a", "b", "c", "d", "e"});
    model.shared = {{"a.weight", {BlockId(c.users[0]), BlockId(c.users[1])}}};
    const auto together = withTiesOnOneLane(model, onLanes(c.before));
    EXPECT_EQ(together.has_value(), !c.after.empty()) << c.what;
    EXPECT_EQ(together.value_or(onLanes({})), onLanes(c.after)) << c.what;
  }
}

TEST(BoardNotes, SayWhatTheNetworkAsksForAndWhatACutMeans) {
  ModelSpec model = modelOf({"a", "b", "c"});
  EXPECT_EQ(samplesNote(model, 16), "");
  model.least_samples = model.most_samples = 4;
  EXPECT_TRUE(samplesNote(model, 16).startsWith("net takes 4 sample")) << "the plural is in the translation";
  model.least_samples = 2;
  model.most_samples = 4096;
  EXPECT_EQ(samplesNote(model, 16), "net takes at least 2 samples in a micro-batch.");
  model.most_samples = 8;
  EXPECT_EQ(samplesNote(model, 16), "net takes 2 to 8 samples in a micro-batch.");
  EXPECT_EQ(tiesNote(model, stagesOf(onLanes({0, 1, 1}))), "");
  model.shared = {{"a.weight", {BlockId(0), BlockId(2)}}};
  EXPECT_EQ(tiesNote(model, stagesOf(onLanes({0, 1, 1}))),
            "Stages 0 and 1 both hold a.weight; their gradients are added up in each step, so sums round in another "
            "order.");
}

}  // namespace
}  // namespace lanelab
