// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/tensor_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "tests/unit/exported/built_program.h"

namespace lanelab::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Lies = TensorProgram::Gradient::Lies;

constexpr std::int64_t kTensor = 3 * 4;      // bytes a sample
constexpr std::int64_t kWeight = 2 * 3 * 4;  // bytes

/// Tensors of batch x 3, a linear layer first.
class TensorCalls : public testing::Test {
 protected:
  TensorCalls() {
    m_built.batched(m_built.user);
    hidden = call("aten.linear.default", {m_built.user, m_built.parameter("w")}, "a");
  }

  ValueId call(const std::string& target, std::vector<ExportedArgument> arguments, const std::string& module) {
    return m_built.batched(m_built.call(target, std::move(arguments), module));
  }
  TensorProgram of(ValueId output) {
    const ExportedProgram& program = m_built.returning(output);
    const ExportedBlocks blocks = blocksOf(program, {.depth = 1}).value();
    const SampleSizes sizes(program);
    const TensorMemory memory = tensorMemoryOf(program.graph, sizes);
    return tensorProgram(program, blocks, sizes, memory, graphRulesOf(program.graph, blocks, sizes, memory));
  }
  int number(ValueId id) const { return static_cast<int>(id.index()); }

  BuiltProgram m_built;
  ValueId hidden;
};

TEST_F(TensorCalls, HaveWhatTheyReadMakeAndSave) {
  const ValueId result = call("aten.relu.default", {hidden}, "b");
  const TensorProgram program = of(result);
  ASSERT_EQ(program.calls.size(), 2u);
  const TensorProgram::Call &linear = program.calls[0], &relu = program.calls[1];
  EXPECT_EQ(linear.block, 0);
  EXPECT_THAT(linear.reads, ElementsAre(number(m_built.user))) << "a weight is no value";
  EXPECT_THAT(linear.makes, ElementsAre(number(hidden)));
  EXPECT_THAT(linear.saves, ElementsAre(number(m_built.user)));
  EXPECT_THAT(linear.gradients, IsEmpty()) << "data has no gradient";
  ASSERT_EQ(linear.weights.size(), 1u);
  EXPECT_EQ(linear.weights[0].bytes, kWeight);
  EXPECT_EQ(relu.block, 1);
  EXPECT_THAT(relu.saves, ElementsAre(number(result)));
  EXPECT_THAT(relu.gradients, ElementsAre(TensorProgram::Gradient{number(hidden), Lies::Apart}));
  EXPECT_EQ(program.storages[hidden.index()], kTensor);
  EXPECT_THAT(program.crossing,
              ElementsAre(ElementsAre(number(m_built.user)), ElementsAre(number(hidden)), ElementsAre(number(result))));
}

TEST_F(TensorCalls, ShareTheStorageOfWhatTheyView) {
  const ValueId view = call("aten.view.default", {hidden, std::vector<std::int64_t>{-1, 3}}, "b");
  const TensorProgram program = of(call("aten.exp.default", {view}, "c"));
  EXPECT_EQ(program.values[view.index()].storage, number(hidden));
  EXPECT_EQ(program.storages[view.index()], 0);
}

TEST_F(TensorCalls, HaveAWeightPartThatNeedsTheirInput) {
  const ValueId own = m_built.parameter("own");
  const ValueId made = call("aten.linear.default", {hidden, own}, "b");
  m_built.last().inputs[0].name = "input", m_built.last().inputs[1].name = "weight";
  const TensorProgram program = of(call("aten.relu.default", {made}, "c"));
  EXPECT_EQ(program.calls[1].deferrable, number(hidden));
  EXPECT_EQ(program.calls[2].deferrable, TensorProgram::Call::kNone);
}

TEST_F(TensorCalls, GradientsPassSumsAndViewsOnly) {
  struct Case {
    const char* target;
    bool passes;
  };
  for (const Case& c : {Case{"aten.add.Tensor", true}, Case{"aten.alias.default", true}, Case{"aten.mul.Tensor", false},
                        Case{"aten.slice.Tensor", false}, Case{"aten.expand.default", false},
                        Case{"aten.relu.default", false}, Case{"aten.relu_.default", false}}) {
    call(c.target, {hidden}, "b");
    const SampleSizes sizes(m_built.program);
    const TensorMemory memory = tensorMemoryOf(m_built.program.graph, sizes);
    EXPECT_EQ(passesGradient(m_built.program.graph, m_built.last(), hidden, sizes, memory), c.passes) << c.target;
  }
}

/// A convolution's result, normed, added to another, and rectified.
TEST_F(TensorCalls, FusedNormsAreOneCallThatSavesItsInput) {
  const auto image = [&](ValueId id) {
    m_built.program.graph.values[id.index()].sizes = {2, 3, 8, 8};
    return m_built.batched(id);
  };
  image(hidden);
  const ValueId beside = image(call("aten.exp.default", {hidden}, "b"));
  const ValueId normed =
      image(call("aten.batch_norm.default", {hidden, m_built.parameter("g"), m_built.parameter("b"), true}, "b"));
  for (std::size_t i = 0; i < 4; ++i)
    m_built.last().inputs[i].name = std::array{"input", "weight", "bias", "training"}[i];
  const ValueId sum = image(call("aten.add_.Tensor", {normed, beside}, "b"));
  const ValueId result = image(call("aten.relu_.default", {sum}, "b"));
  const TensorProgram program = of(result);
  ASSERT_EQ(program.calls.size(), 5u);
  ASSERT_EQ(program.joined.size(), 1u);
  EXPECT_EQ(program.joined[0].rule, Rule::FusedNorm);
  EXPECT_THAT(program.joined[0].calls, ElementsAre(2u, 3u, 4u));
  EXPECT_EQ(program.joined[0].place, 4u);
  const TensorProgram::Call& call = program.joined[0].call;
  EXPECT_THAT(call.reads, ElementsAre(number(hidden), number(beside)));
  EXPECT_THAT(call.makes, ElementsAre(number(result)));
  EXPECT_THAT(call.saves, ElementsAre(number(hidden), program.values[result.index()].storage));
  EXPECT_THAT(call.gradients, ElementsAre(TensorProgram::Gradient{number(hidden), Lies::Apart},
                                          TensorProgram::Gradient{number(beside), Lies::InPlace}));
  EXPECT_EQ(call.weights.size(), 2u);
  EXPECT_EQ(call.backward_workspace, 0);
}

/// A norm and its ReLU, which a convolution keeps: by PyTorch's kernels one call, too, where it is made again.
TEST_F(TensorCalls, ActivationsThatAreMadeAgainAreMadeByOneCall) {
  const auto image = [&](ValueId id, std::vector<SizeExpression> sizes = {2, 3, 8, 8}) {
    m_built.program.graph.values[id.index()].sizes = std::move(sizes);
    return id;
  };
  m_built.batched(image(hidden));
  const ValueId normed = m_built.batched(
      image(call("aten.batch_norm.default", {hidden, m_built.parameter("g"), m_built.parameter("b"), true}, "b")));
  for (std::size_t i = 0; i < 4; ++i)
    m_built.last().inputs[i].name = std::array{"input", "weight", "bias", "training"}[i];
  const ValueId result = m_built.batched(image(call("aten.relu.default", {normed}, "b")));
  const ValueId kernel = image(m_built.parameter("k"), {5, 3, 3, 3});
  const ValueId made = call("aten.conv2d.default", {result, kernel}, "b");
  m_built.last().inputs[0].name = "input", m_built.last().inputs[1].name = "weight";
  m_built.last().inputs.push_back({"padding", std::vector<std::int64_t>{1, 1}});
  m_built.batched(image(made, {2, 5, 8, 8}));
  const TensorProgram program = of(made);
  ASSERT_EQ(program.joined.size(), 2u);
  const TensorProgram::Joined &fused = program.joined[0], &remade = program.joined[1];
  EXPECT_EQ(fused.rule, Rule::FusedNorm);
  EXPECT_EQ(remade.rule, Rule::RemadeActivation);
  EXPECT_THAT(remade.calls, ElementsAre(1u, 2u));
  EXPECT_EQ(remade.call.remakes, number(result));
  EXPECT_THAT(remade.call.saves, ElementsAre(number(hidden), number(result))) << "for the mask";
  EXPECT_EQ(fused.call.remakes, number(result));
  EXPECT_THAT(fused.call.saves, ElementsAre(number(hidden)));
  EXPECT_EQ(program.calls[3].conv, (ConvGeometry{1, 3, 8, 8, 5, 3, 1}));
  EXPECT_THAT(program.calls[3].saves, ElementsAre(number(result)));
}

TEST_F(TensorCalls, ConvolutionsCopyTheirWeights) {
  struct Case {
    Shape weight;
    std::int64_t groups, forward, backward;  ///< in numbers
  };
  const ValueId weight = m_built.parameter("k");
  for (const Case& c : {Case{{8, 4, 3, 3}, 1, 288, 3 * 288}, Case{{6, 1, 7, 7}, 6, 294, 294 + 6 * 16 * 16 * 49}}) {
    m_built.program.graph.values[weight.index()].sizes = {c.weight.begin(), c.weight.end()};
    call("aten.conv2d.default", {hidden, weight}, "b");
    m_built.last().inputs.push_back({"groups", c.groups});
    const SampleSizes sample(m_built.program);
    const TensorMemory memory = tensorMemoryOf(m_built.program.graph, sample);
    EXPECT_EQ(forwardPassing(m_built.program.graph, m_built.last(), sample).fixed, c.forward * 4);
    EXPECT_EQ(backwardPassing(m_built.program.graph, m_built.last(), sample, memory).fixed, c.backward * 4);
  }
}

}  // namespace
}  // namespace lanelab::test
