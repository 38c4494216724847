// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/exported_blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/unit/exported/built_program.h"
#include "tests/unit/exported/sample_networks.h"

namespace lanelab::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> namesOf(const ExportedGraph& graph, const std::vector<ValueId>& ids) {
  std::vector<std::string> names;
  for (const ValueId id : ids) names.push_back(graph.value(id).name);
  return names;
}

std::vector<std::string> blockNames(const ExportedBlocks& blocks) {
  std::vector<std::string> names;
  for (const ExportedBlock& block : blocks.blocks) names.push_back(block.name);
  return names;
}

/// Targets of a stage's calls, those of no block in brackets.
std::vector<std::string> targetsOf(const ExportedGraph& graph, const StageGraph& stage) {
  std::vector<std::string> targets;
  for (const StageNode& node : stage.nodes)
    targets.push_back(node.block ? graph.nodes[node.node].target : "(" + graph.nodes[node.node].target + ")");
  return targets;
}

// ---- networks of PyTorch -------------------------------------------------------------------------------------------

struct KnownCut {
  const char* network;
  std::size_t blocks;
  std::size_t most_crossing;  ///< behind any block
};

class NetworksCut : public testing::TestWithParam<KnownCut> {};

TEST_P(NetworksCut, ExchangeAsFewTensorsAsTheyCan) {
  const ExportedProgram program = sampleNetwork(GetParam().network);
  const ExportedBlocks blocks = blocksOf(program).value();
  EXPECT_EQ(blocks.blocks.size(), GetParam().blocks) << testing::PrintToString(blockNames(blocks));
  std::size_t most = 0;
  for (const auto& crossing : blocks.crossing) most = std::max(most, crossing.size());
  EXPECT_EQ(most, GetParam().most_crossing);
}

INSTANTIATE_TEST_SUITE_P(ExportedBlocks, NetworksCut,
                         testing::Values(KnownCut{"resnet18", 13, 1}, KnownCut{"convnext", 10, 1},
                                         KnownCut{"efficientnet", 14, 1}, KnownCut{"densenet", 10, 1},
                                         KnownCut{"swin", 11, 1}, KnownCut{"vit", 6, 1}, KnownCut{"gpt2", 8, 1},
                                         KnownCut{"llama", 6, 1}, KnownCut{"mixtral", 5, 1}, KnownCut{"bert", 8, 1},
                                         KnownCut{"lstm", 3, 1}, KnownCut{"t5", 19, 3}, KnownCut{"unet", 11, 4}),
                         [](const auto& test) { return test.param.network; });

TEST(ExportedBlocks, OfUNetPassSkipsThroughBlocksThatDoNotReadThem) {
  const ExportedProgram program = sampleNetwork("unet");
  const ExportedBlocks blocks = blocksOf(program).value();
  std::vector<std::size_t> crossing;
  for (const auto& values : blocks.crossing) crossing.push_back(values.size());
  EXPECT_THAT(crossing, ElementsAre(1, 2, 3, 4, 4, 3, 3, 2, 2, 1, 1, 1));
}

TEST(ExportedBlocks, AreNamedByTheirModules) {
  const ExportedBlocks resnet = blocksOf(sampleNetwork("resnet18")).value();
  EXPECT_THAT(blockNames(resnet), ElementsAre("conv1", "bn1", "maxpool", "layer1.0", "layer1.1", "layer2.0", "layer2.1",
                                              "layer3.0", "layer3.1", "layer4.0", "layer4.1", "avgpool", "fc"));
  EXPECT_EQ(resnet.blocks[3].type, "BasicBlock");
  EXPECT_EQ(resnet.blocks[3].group, "layer1");
  ASSERT_EQ(resnet.notes.size(), 1);
  EXPECT_THAT(resnet.notes.front(), HasSubstr("bn1 and relu are in one block, since relu_ (aten.relu_.default)"));
  const ExportedBlocks t5 = blocksOf(sampleNetwork("t5")).value();
  EXPECT_EQ(t5.blocks.front().group, "encoder");
  EXPECT_EQ(t5.blocks[7].name, "inner.encoder.dropout@1");
  EXPECT_EQ(t5.blocks.back().group, "lm_head");
}

TEST(ExportedBlocks, CanBeChosenByDepthOrByModules) {
  const ExportedProgram program = sampleNetwork("resnet18");
  EXPECT_THAT(blockNames(blocksOf(program, {.depth = 1}).value()),
              ElementsAre("conv1", "bn1", "maxpool", "layer1", "layer2", "layer3", "layer4", "avgpool", "fc"));
  EXPECT_EQ(blocksOf(program, {.depth = 2}).value().blocks.size(), 13);
  EXPECT_GT(blocksOf(program, {.depth = 9}).value().blocks.size(), 30);
  const ExportedBlocks listed = blocksOf(program, {.modules = {"layer2", "layer3.1"}}).value();
  EXPECT_THAT(blockNames(listed), ElementsAre("layer2", "layer3.1"));
  EXPECT_EQ(listed.blocks[0].nodes.front(), 0);
}

TEST(ExportedBlocks, RefuseModulesAndDepthsThatAreNotThere) {
  const ExportedProgram program = sampleNetwork("resnet18");
  const auto refused = [&](const ExportedBlockChoice& choice) { return blocksOf(program, choice).error().message; };
  EXPECT_EQ(refused({.modules = {"layer2", "layer3.7"}}),
            "The network calls no module \"layer3.7\": did you mean \"layer3.0\"?");
  EXPECT_THAT(refused({.modules = {""}}), HasSubstr("calls no module"));
  EXPECT_THAT(refused({.depth = 0}), HasSubstr("choose 1 or more"));
}

/// All pairs of a beginning and an end.
void checkStages(const ExportedProgram& program, const ExportedBlocks& blocks) {
  const ExportedGraph& graph = program.graph;
  const auto count = static_cast<int>(blocks.blocks.size());
  for (int first = 0; first < count; ++first)
    for (int end = first + 1; end <= count; ++end) {
      const StageGraph stage = stageOf(program, blocks, BlockId(first), BlockId(end));
      const std::string place = std::to_string(first) + " to " + std::to_string(end);
      std::set<ValueId> there(stage.received.begin(), stage.received.end());
      for (const std::size_t weight : stage.weights) there.insert(graph.inputs[weight].value);
      for (const ValueId size : stage.sizes) {
        ASSERT_TRUE(graph.value(size).size) << place;
        there.insert(size);
      }
      std::set<std::size_t> own;  // storages that the stage makes, or has by itself
      for (const ValueId id : there)
        if (std::ranges::find(stage.received, id) == stage.received.end() || first == 0)
          own.insert(blocks.flow.storages[id.index()]);
      for (const StageNode& node : stage.nodes) {
        for (const ValueId id : valuesRead(graph.nodes[node.node]))
          ASSERT_TRUE(there.contains(id))
              << place << " " << graph.nodes[node.node].name << " reads " << graph.value(id).name;
        for (const auto& id : graph.nodes[node.node].outputs) {
          if (!id) continue;
          there.insert(*id);
          own.insert(blocks.flow.storages[id->index()]);
        }
        for (const ValueId id : blocks.flow.written[node.node])
          ASSERT_TRUE(own.contains(blocks.flow.storages[id.index()])) << place << " " << graph.nodes[node.node].name;
      }
      for (const ValueId id : stage.sent) ASSERT_TRUE(there.contains(id)) << place << " " << graph.value(id).name;
    }
}

class StagesOfNetworks : public testing::TestWithParam<std::string> {};

TEST_P(StagesOfNetworks, MakeEachValueBeforeItIsUsed) {
  const ExportedProgram program = sampleNetwork(GetParam());
  checkStages(program, blocksOf(program).value());
  checkStages(program, blocksOf(program, {.depth = 2}).value());
}

TEST_P(StagesOfNetworks, RunEachCallOfABlockOnceAndInOrder) {
  const ExportedProgram program = sampleNetwork(GetParam());
  for (const int depth : {1, 3, 5}) {
    const ExportedBlocks blocks = blocksOf(program, {.depth = depth}).value();
    std::vector<std::size_t> nodes, expected;
    for (const ExportedBlock& block : blocks.blocks) {
      EXPECT_FALSE(block.nodes.empty());
      nodes.insert(nodes.end(), block.nodes.begin(), block.nodes.end());
    }
    for (std::size_t i = 0; i < program.graph.nodes.size(); ++i)
      if (blocks.flow.roles[i] == NodeRole::Block) expected.push_back(i);
    EXPECT_EQ(nodes, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(ExportedBlocks, StagesOfNetworks, testing::ValuesIn(sampleNetworkNames()),
                         [](const auto& test) { return test.param; });

TEST(StageGraph, NamesTiedParametersThatAnotherStageUses) {
  const ExportedProgram program = sampleNetwork("gpt2");
  const ExportedBlocks blocks = blocksOf(program).value();
  const BlockId begin(0), middle(3), end(blocks.blocks.size());
  EXPECT_THAT(stageOf(program, blocks, begin, middle).tied, ElementsAre("inner.lm_head.weight"));
  EXPECT_THAT(stageOf(program, blocks, middle, end).tied, ElementsAre("inner.lm_head.weight"));
  EXPECT_TRUE(stageOf(program, blocks, begin, end).tied.empty());
}

TEST(StageGraph, OfTheLastBlocksOfLlamaMakesMasksAgain) {
  const ExportedProgram program = sampleNetwork("llama");
  const ExportedBlocks blocks = blocksOf(program).value();
  const StageGraph stage = stageOf(program, blocks, BlockId(3), BlockId(4));
  EXPECT_EQ(stage.received.size(), 1);
  EXPECT_EQ(stage.sizes.size(), 1);
  const auto repeated = std::ranges::count_if(stage.nodes, [](const StageNode& node) { return !node.block; });
  EXPECT_GT(repeated, 20);
  std::set<std::string> buffers;
  for (const std::size_t i : stage.weights)
    if (program.graph.inputs[i].kind == ExportedInput::Kind::Buffer) buffers.insert(program.graph.inputs[i].name);
  EXPECT_THAT(buffers, ElementsAre("inner.model.rotary_emb.inv_freq"));
}

// ---- graphs made for one rule each ---------------------------------------------------------------------------------

TEST(ExportedBlocks, OfACallThatWritesToWhatAnotherModuleMakesAreOne) {
  BuiltProgram built;
  const ValueId weight = built.parameter("w");
  const ValueId a = built.call("aten.linear.default", {built.user, weight}, "a");
  const ValueId b = built.call("aten.relu.default", {a}, "b");
  const ValueId c = built.call("aten.view.default", {b, std::vector<std::int64_t>{6}}, "c");
  const ValueId d = built.call("aten.tanh.default", {c}, "d");
  built.call("aten.add_.Tensor", {c, d}, "e");  // writes to b by its view
  const ValueId f = built.call("aten.exp.default", {b}, "f");
  const ExportedProgram& program = built.returning(f);
  const ExportedBlocks blocks = blocksOf(program, {.depth = 1}).value();
  EXPECT_THAT(blockNames(blocks), ElementsAre("a", "b", "f"));
  EXPECT_EQ(blocks.blocks[1].nodes.size(), 4);
  ASSERT_EQ(blocks.notes.size(), 1);
  EXPECT_THAT(blocks.notes.front(), HasSubstr("b and e are in one block"));
  EXPECT_EQ(namesOf(program.graph, blocks.crossing[2]), namesOf(program.graph, {b}));
  checkStages(program, blocks);
}

TEST(ExportedBlocks, WithAWrittenBufferStayWithAllThatReadIt) {
  BuiltProgram built;
  const ValueId mean = built.buffer("mean");
  const ValueId a = built.call("aten.relu.default", {built.user}, "a");
  const ValueId b = built.call("aten.add.Tensor", {a, mean}, "b");
  built.call("aten.add_.Tensor", {mean, std::int64_t{1}}, "b");
  const ValueId c = built.call("aten.mul.Tensor", {b, mean}, "c");
  const ValueId d = built.call("aten.exp.default", {c}, "d");
  const ExportedProgram& program = built.returning(d);
  const ExportedBlocks blocks = blocksOf(program, {.depth = 1}).value();
  EXPECT_THAT(blockNames(blocks), ElementsAre("a", "b", "d"));
  checkStages(program, blocks);
}

TEST(ExportedBlocks, LeaveMasksToEachStageButNotWhatDependsOnDataOrChance) {
  BuiltProgram built;
  const ValueId weight = built.parameter("w");
  const ValueId table = built.buffer("table");
  const ValueId mask = built.call("aten.cos.default", {table}, "");
  const ValueId noise = built.call("aten.empty.memory_format", {std::vector<std::int64_t>{2, 3}}, "");
  built.call("aten.bernoulli_.float", {noise, 0.5}, "");
  const ValueId pads = built.call("aten.ne.Scalar", {built.user, std::int64_t{0}}, "a");
  const ValueId a = built.call("aten.linear.default", {built.user, weight}, "a");
  const ValueId b = built.call("aten.mul.Tensor", {a, mask}, "b");
  const ValueId c = built.call("aten.mul.Tensor", {b, noise}, "c");
  const ValueId d = built.call("aten.mul.Tensor", {c, pads}, "d");
  const ExportedProgram& program = built.returning(built.call("aten.mul.Tensor", {d, mask}, "d"));
  const ExportedBlocks blocks = blocksOf(program, {.depth = 1}).value();
  EXPECT_THAT(blockNames(blocks), ElementsAre("a", "b", "c", "d"));
  EXPECT_EQ(blocks.crossing[1], (std::vector{noise, pads, a}));
  EXPECT_EQ(blocks.crossing[3], (std::vector{pads, c}));
  const StageGraph last = stageOf(program, blocks, BlockId(3), BlockId(4));
  EXPECT_THAT(targetsOf(program.graph, last), ElementsAre("(aten.cos.default)", "aten.mul.Tensor", "aten.mul.Tensor"));
  EXPECT_EQ(last.weights.size(), 1) << "the table, without the parameter";
  checkStages(program, blocks);
}

TEST(StageGraph, MakesAMaskAgainWithTheCallsThatWriteToIt) {
  BuiltProgram built;
  const ValueId mask = built.call("aten.ones.default", {std::vector<std::int64_t>{2, 3}}, "");
  const ValueId view = built.call("aten.select.int", {mask, std::int64_t{0}}, "");
  built.call("aten.fill_.Scalar", {view, 0.0}, "");
  const ValueId a = built.call("aten.relu.default", {built.user}, "a");
  const ValueId b = built.call("aten.mul.Tensor", {a, mask}, "b");
  built.call("aten.zero_.default", {mask}, "b");  // behind all that read it
  const ExportedProgram& program = built.returning(b);
  const ExportedBlocks blocks = blocksOf(program, {.depth = 1}).value();
  EXPECT_THAT(targetsOf(program.graph, stageOf(program, blocks, BlockId(1), BlockId(2))),
              ElementsAre("(aten.ones.default)", "(aten.select.int)", "(aten.fill_.Scalar)", "aten.mul.Tensor"));
  EXPECT_THAT(targetsOf(program.graph, stageOf(program, blocks, BlockId(0), BlockId(1))),
              ElementsAre("aten.relu.default"));
}

TEST(StageGraph, HasSizesAsValuesAndNoChecks) {
  BuiltProgram built;
  const ValueId batch = built.call("aten.sym_size.int", {built.user, std::int64_t{0}}, "");
  built.lastIsSize(SizeExpression::parse("Symbol('s0')").value());
  const ValueId twice = built.call("_operator.mul", {batch, std::int64_t{2}}, "a");
  built.lastIsSize(SizeExpression::parse("Mul(Integer(2), Symbol('s0'))").value());
  const ValueId a = built.call("aten.relu.default", {built.user}, "a");
  built.call("aten._assert_tensor_metadata.default", {built.user}, "b");
  built.last().outputs.clear();
  const ValueId b = built.call("aten.view.default", {a, std::vector<IntArgument>{twice, std::int64_t{-1}}}, "b");
  const ExportedProgram& program = built.returning(b);
  const ExportedBlocks blocks = blocksOf(program, {.depth = 1}).value();
  const StageGraph stage = stageOf(program, blocks, BlockId(1), BlockId(2));
  EXPECT_THAT(targetsOf(program.graph, stage), ElementsAre("aten.view.default"));
  EXPECT_EQ(stage.sizes, std::vector{twice});
  EXPECT_EQ(stage.received, std::vector{a});
  checkStages(program, blocks);
}

TEST(ExportedBlocks, RefuseAnIntegerThatDoesNotFollowFromTheBatch) {
  BuiltProgram built;
  built.call("aten.item.default", {built.user}, "a");
  built.lastIsSize(1);
  built.program.graph.values.back().size.reset();
  const Result<ExportedBlocks> blocks = blocksOf(built.returning(built.call("aten.relu.default", {built.user}, "b")));
  ASSERT_FALSE(blocks.ok());
  EXPECT_THAT(blocks.error().message, HasSubstr("(aten.item.default) makes an integer that does not follow"));
}

TEST(ExportedBlocks, SeeWhatNestedGraphsDo) {
  const auto nested = [](const char* target) {
    ExportedGraph inner;
    inner.values.resize(2);
    inner.inputs = {{ExportedInput::Kind::User, "y", ValueId(0)}};
    ExportedNode node;
    node.target = target;
    node.inputs = {{"self", ValueId(0)}};
    node.outputs = {ValueId(1)};
    node.modules = std::make_shared<const ModuleStack>();
    inner.nodes = {node};
    inner.outputs = {ValueId(1)};
    return std::make_shared<const ExportedGraph>(inner);
  };
  const auto joined = [&](const char* first, const char* second) {
    BuiltProgram built;
    const ValueId a = built.call("aten.relu.default", {built.user}, "a");
    const ValueId b = built.call("higher_order.wrap", {nested(first), a}, "b");
    const ValueId c = built.call("higher_order.wrap", {nested(second), b}, "c");
    return blocksOf(built.returning(c), {.depth = 1}).value().blocks.size();
  };
  EXPECT_EQ(joined("aten.exp.default", "aten.exp.default"), 3);
  EXPECT_EQ(joined("aten.exp.default", "aten.exp_.default"), 2) << "c writes to what b makes";
  EXPECT_EQ(joined("aten.view.default", "aten.exp_.default"), 1) << "which is a view of what a makes";
  BuiltProgram built;
  const ValueId table = built.buffer("table");
  const ValueId cos = built.call("higher_order.wrap", {nested("aten.cos.default"), table}, "a");
  const ValueId noise = built.call("higher_order.wrap", {nested("aten.rand_like.default"), table}, "a");
  const ValueId a = built.call("aten.add.Tensor", {built.user, cos}, "a");
  const ExportedBlocks blocks = blocksOf(built.returning(built.call("aten.add.Tensor", {a, noise}, "b"))).value();
  EXPECT_EQ(blocks.flow.roles[0], NodeRole::Repeated);
  EXPECT_EQ(blocks.flow.roles[1], NodeRole::Block);
}

TEST(ExportedBlocks, AreAtMostSixtyUnlessAskedFor) {
  BuiltProgram built;
  ValueId at = built.user;
  for (int i = 0; i < 150; ++i) {
    const std::string layer = "model.layers." + std::to_string(i);
    at = built.call("aten.add.Tensor", {at, built.call("aten.relu.default", {at}, layer + ".act")}, layer);
  }
  const ExportedProgram& program = built.returning(built.call("aten.exp.default", {at}, "head"));
  const ExportedBlocks blocks = blocksOf(program).value();
  EXPECT_EQ(blocks.blocks.size(), 51);
  EXPECT_EQ(blocks.blocks[1].nodes.size(), 6);
  EXPECT_EQ(blocks.blocks.back().name, "head");
  EXPECT_EQ(blocksOf(program, {.depth = 3}).value().blocks.size(), 151);
  for (ExportedNode& node : built.program.graph.nodes) {  // all of different classes
    ModuleStack stack = *node.modules;
    for (ModuleCall& call : stack) call.class_name = call.path;
    node.modules = std::make_shared<const ModuleStack>(stack);
  }
  EXPECT_LE(blocksOf(built.program).value().blocks.size(), 60);
}

}  // namespace
}  // namespace lanelab::test
