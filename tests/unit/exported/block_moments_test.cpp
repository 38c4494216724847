// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/block_moments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/exported/built_program.h"

namespace lanelab::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kTensor = 3 * 4;      // bytes a sample
constexpr std::int64_t kWeight = 2 * 3 * 4;  // bytes

/// Tensors of batch x 3, a linear layer first.
class Moments : public testing::Test {
 protected:
  Moments() {
    withBatch(m_built.user);
    hidden = call("aten.linear.default", {m_built.user, m_built.parameter("w")}, "a");
  }

  ValueId call(const std::string& target, std::vector<ExportedArgument> arguments, const std::string& module) {
    const ValueId id = m_built.call(target, std::move(arguments), module);
    withBatch(id);
    return id;
  }
  void withBatch(ValueId id) {
    m_built.program.graph.values[id.index()].sizes.front() = SizeExpression::parse("Symbol('s0')").value();
  }
  std::vector<BlockMoments> of(ValueId output) {
    const ExportedProgram& program = m_built.returning(output);
    const SampleSizes sizes(program);
    return momentsOf(program, blocksOf(program, {.depth = 1}).value(), sizes, tensorMemoryOf(program.graph, sizes));
  }

  BuiltProgram m_built;
  ValueId hidden;
};

TEST_F(Moments, OfAForwardAreWhatIsNotKeptBesides) {
  const std::vector<BlockMoments> moments = of(call("aten.relu.default", {hidden}, "b"));
  EXPECT_THAT(moments[0].forward, ElementsAre(MemoryMoment{kTensor}));
  EXPECT_THAT(moments[1].forward, ElementsAre(MemoryMoment{kTensor})) << "relu keeps its result, not what it reads";
}

TEST_F(Moments, OfAForwardThatKeepsNothingAreAllValuesInUse) {
  const std::vector<BlockMoments> moments = of(call("aten.relu.default", {hidden}, "b"));
  EXPECT_THAT(moments[0].passing, ElementsAre(MemoryMoment{kTensor}));
  EXPECT_THAT(moments[1].passing, ElementsAre(MemoryMoment{2 * kTensor}));
}

TEST_F(Moments, OfABackwardAreGradientsOfValuesAndWeights) {
  const std::vector<BlockMoments> moments = of(call("aten.relu.default", {hidden}, "b"));
  EXPECT_THAT(moments[1].backward, ElementsAre(MemoryMoment{2 * kTensor}));
  EXPECT_THAT(moments[0].backward, ElementsAre(MemoryMoment{kTensor, kWeight, 0, kTensor}));
}

TEST_F(Moments, OfASkipHaveItsGradientUntilItsMaker) {
  const ValueId a = call("aten.relu.default", {hidden}, "b");
  const ValueId b = call("aten.sin.default", {a}, "c");
  const std::vector<BlockMoments> moments = of(call("aten.add.Tensor", {b, hidden}, "d"));
  const SkippingGradient skip{BlockId(3), kTensor};
  EXPECT_THAT(moments[3].skipping, IsEmpty());
  EXPECT_THAT(moments[2].skipping, ElementsAre(skip));
  EXPECT_THAT(moments[1].skipping, ElementsAre(skip));
  EXPECT_THAT(moments[0].skipping, IsEmpty());
}

TEST_F(Moments, GradientsPassSumsAndViewsOnly) {
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

TEST_F(Moments, ConvolutionsCopyTheirWeights) {
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
