// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/exported_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/exported/built_program.h"
#include "tests/unit/exported/sample_networks.h"

namespace lanelab::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

DescribedModel described(const ExportedProgram& program) {
  return describeExported(program, blocksOf(program, {.depth = 1}).value());
}

/// A network of 2 x 3 tensors, the batch first.
class SavedByOperators : public testing::Test {
 protected:
  static constexpr std::int64_t kTensor = 3 * 4;  ///< bytes a sample

  SavedByOperators() {
    weight = m_built.parameter("w");
    m_built.batched(m_built.user);
    hidden = call("aten.linear.default", {m_built.user, weight}, "a");
    inputs = kTensor;  // the input of the linear layer is saved for the weight
  }

  ValueId call(const std::string& target, std::vector<ExportedArgument> arguments, const std::string& module) {
    return m_built.batched(m_built.call(target, std::move(arguments), module));
  }
  /// Bytes of all blocks, without those of the first layer.
  std::int64_t saved(ValueId output) {
    std::int64_t bytes = 0;
    for (const BlockSpec& block : described(m_built.returning(output)).model.blocks) bytes += block.activation_bytes;
    return bytes - inputs;
  }

  BuiltProgram m_built;
  ValueId weight, hidden;
  std::int64_t inputs = 0;
};

TEST_F(SavedByOperators, AreTheirResultOrTheirInput) {
  EXPECT_EQ(saved(call("aten.relu.default", {hidden}, "b")), kTensor);
  EXPECT_EQ(saved(call("aten.add.Tensor", {hidden, hidden}, "b")), kTensor) << "that of the relu before it";
}

TEST_F(SavedByOperators, CountATensorOnceThatTwoOfThemSave) {
  const ValueId a = call("aten.relu.default", {hidden}, "b");
  const ValueId b = call("aten.sin.default", {a}, "c");  // its input is saved already
  const ValueId c = call("aten.view.default", {b, std::vector<std::int64_t>{-1, 3}}, "d");
  const ValueId d = call("aten.exp.default", {c}, "e");  // its result
  EXPECT_EQ(saved(call("aten.mul.Tensor", {c, d}, "f")), kTensor * 3) << "relu, exp, and what c is a view of";
}

TEST_F(SavedByOperators, AreNoWeightsAndNothingWithoutGradients) {
  const ValueId a = call("aten.mul.Tensor", {hidden, weight}, "b");
  EXPECT_EQ(saved(a), kTensor) << "hidden, for the weight";
  const ValueId b = call("aten.detach.default", {a}, "c");
  EXPECT_EQ(saved(call("aten.exp.default", {b}, "d")), kTensor);
  EXPECT_EQ(saved(call("aten.exp.default", {m_built.user}, "e")), kTensor);
}

TEST_F(SavedByOperators, AreCopiesOfWhatACallInPlaceOverwrites) {
  const ValueId a = call("aten.add.Tensor", {hidden, 1.0}, "b");
  EXPECT_EQ(saved(call("aten.silu_.default", {a}, "b")), kTensor);
  EXPECT_EQ(saved(call("aten.relu_.default", {a}, "b")), 2 * kTensor) << "its result, besides";
}

TEST_F(SavedByOperators, AreAllTensorsIfThereIsNoRule) {
  const ValueId a = call("other.made_up.default", {hidden}, "b");
  EXPECT_EQ(saved(a), 2 * kTensor);
  EXPECT_THAT(described(m_built.program).notes,
              ElementsAre(HasSubstr("a lower bound: what other.made_up.default takes in training is not known")));
}

TEST_F(SavedByOperators, ArriveInACopyWhereAStageBegins) {
  const ValueId a = call("aten.relu.default", {hidden}, "b");
  const ValueId b = call("aten.sin.default", {a}, "c");
  const ValueId c = call("aten.add.Tensor", {b, 1.0}, "d");
  const ValueId d = call("aten.cos.default", {c}, "e");
  const std::vector<BlockSpec> blocks = described(m_built.returning(d)).model.blocks;
  std::vector<std::int64_t> received, kept;
  for (const BlockSpec& block : blocks) {
    received.push_back(block.received_bytes);
    kept.push_back(block.activation_bytes);
  }
  EXPECT_THAT(kept, ElementsAre(kTensor, kTensor, 0, 0, kTensor));
  EXPECT_THAT(received, ElementsAre(0, 0, kTensor, 0, 0)) << "only relu's result is saved on both sides";
}

TEST(ExportedModel, OfResnetHasItsBlocksLayersAndShapes) {
  const ExportedProgram program = sampleNetwork("resnet18");
  const ModelSpec model = describeExported(program, blocksOf(program).value()).model;
  EXPECT_EQ(model.arch, "exported");
  EXPECT_EQ(model.classes, 10);
  EXPECT_EQ(model.input, (Shape{3, 32, 32}));
  EXPECT_EQ(model.parameters(), 45102);
  const BlockSpec& block = model.blocks[3];
  EXPECT_EQ(block.name, "layer1.0");
  EXPECT_EQ(block.type, "BasicBlock");
  EXPECT_EQ(block.output, (Shape{4, 8, 8}));
  EXPECT_EQ(block.output_bytes, 4 * 8 * 8 * 4);
  EXPECT_EQ(block.parameters, 2 * (4 * 4 * 9 + 2 * 4));
  EXPECT_EQ(block.parameter_bytes, 4 * block.parameters);
  EXPECT_EQ(block.buffer_bytes, 2 * (2 * 4 * 4 + 8));
  EXPECT_EQ(block.macs, 2 * 4 * 4 * 9 * 8 * 8);
  std::vector<std::string> names;
  for (const LayerSpec& layer : block.layers) names.push_back(layer.name);
  EXPECT_THAT(names, ElementsAre("layer1.0.conv1", "layer1.0.bn1", "layer1.0.relu", "layer1.0.conv2", "layer1.0.bn2"));
  EXPECT_EQ(block.layers[0].type, "Conv2d");
  EXPECT_EQ(block.layers[0].parameters, 4 * 4 * 9);
  EXPECT_EQ(block.layers[0].macs, block.macs / 2);
  EXPECT_EQ(block.layers[0].output, (Shape{4, 8, 8}));
}

TEST(ExportedModel, OfGpt2CountsTheTiedTableOnceAndSaysSo) {
  const ExportedProgram program = sampleNetwork("gpt2");
  const DescribedModel described = describeExported(program, blocksOf(program).value());
  EXPECT_EQ(described.model.blocks.front().parameters, 50 * 16);
  EXPECT_EQ(described.model.blocks.back().parameters, 0);
  EXPECT_EQ(described.model.classes, 50);
  ASSERT_EQ(described.notes.size(), 1);
  EXPECT_THAT(described.notes.front(),
              HasSubstr("inner.transformer.wte.weight is used by inner.transformer.wte and inner.lm_head"));
}

TEST(ExportedModel, OfMixtralNamesTheOperatorWithoutARule) {
  const ExportedProgram program = sampleNetwork("mixtral");
  const DescribedModel described = describeExported(program, blocksOf(program).value());
  ASSERT_FALSE(described.notes.empty());
  EXPECT_THAT(described.notes.back(), HasSubstr("transformers.grouped_mm_fallback.default"));
}

}  // namespace
}  // namespace lanelab::test
