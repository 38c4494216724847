// SPDX-License-Identifier: GPL-3.0-only
// Graphs whose file lies about sizes or reaches beyond its tensors, and calls that draw random numbers.
#include <ATen/ops/ones.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/torch/devices/lane_memory.h"
#include "engine/torch/graph/graph_stage.h"
#include "tests/unit/exported/built_program.h"

namespace lanelab {
namespace {

using test::BuiltProgram;
using testing::HasSubstr;

/// Calls on the user's [2,3], of which the last is returned.
class StageOf {
 public:
  explicit StageOf(BuiltProgram& built, ValueId result, GraphUse use = GraphUse::Training) {
    built.program.batch_symbol.clear();
    built.program.static_batch = 2;
    m_network = networkOf(built.returning(result), {}, {.path = "built.pt2"}).value();
    m_stage =
        std::make_unique<GraphStage>(m_network, BlockId(0), BlockId(m_network->blocks.blocks.size()), TensorMap(), use);
  }

  at::Tensor forward(std::uint64_t seed = 1, bool training = true) {
    m_stage->beginMicroBatch(seed);
    return m_stage->forward({at::ones({2, 3})}, training, nullptr).front();
  }
  /// What forward() throws; "" where it does not.
  std::string failure() {
    try {
      forward();
      return {};
    } catch (const std::exception& error) {
      return error.what();
    }
  }

 private:
  std::shared_ptr<const ExportedNetwork> m_network;
  std::unique_ptr<GraphStage> m_stage;
};

/// x plus the sum of what a call makes, whose results the file declares to be [2,3].
struct AddedTo : BuiltProgram {
  ValueId result;

  AddedTo(const std::string& target, std::vector<NamedArgument> arguments)
      : result(made(target, std::move(arguments))) {}

 private:
  ValueId made(const std::string& target, std::vector<NamedArgument> arguments) {
    const ValueId product = call("aten.mul.Tensor", {user, user}, "a");
    const ValueId one = call(target, {}, "a");
    for (NamedArgument& argument : arguments) last().inputs.push_back(std::move(argument));
    const ValueId sum = call("aten.sum.default", {one}, "a");
    program.graph.values[sum.index()].sizes.clear();
    program.graph.values[sum.index()].strides.clear();
    return call("aten.add.Tensor", {product, sum}, "a");
  }
};

using Integers = std::vector<std::int64_t>;

TEST(HostileGraph, ThatMakesOtherSizesThanItDeclaresIsRefused) {
  AddedTo built("aten.ones.default", {{"size", Integers{5}}});
  EXPECT_THAT(StageOf(built, built.result).failure(),
              HasSubstr("aten.ones.default of module a: it makes 5, and the file declares 2x3"));
}

TEST(HostileGraph, ThatMakesFarMoreThanItDeclaresIsRefusedBeforeThat) {
  installLaneAllocator();
  for (const auto& [target, arguments] : std::vector<std::pair<std::string, std::vector<NamedArgument>>>{
           {"aten.ones.default", {{"size", Integers{700'000'000}}}},
           {"aten.repeat.default", {{"self", ValueId(0)}, {"repeats", Integers{10'000, 10'000}}}}}) {
    AddedTo built(target, arguments);
    EXPECT_THAT(StageOf(built, built.result).failure(), HasSubstr("far more than the sizes that the file declares"))
        << target;
  }
}

TEST(HostileGraph, ThatDeclaresItsSizesRuns) {
  AddedTo built("aten.ones.default", {{"size", Integers{2, 3}}});
  EXPECT_TRUE(StageOf(built, built.result).forward().equal(at::ones({2, 3}) * 7));
}

TEST(HostileGraph, ThatReachesBeyondATensorIsRefused) {
  for (const Integers& strides : {Integers{3, 1000}, Integers{1'000'000, 1}}) {
    AddedTo built("aten.as_strided.default", {{"self", ValueId(0)}, {"size", Integers{2, 3}}, {"stride", strides}});
    EXPECT_THAT(StageOf(built, built.result).failure(), HasSubstr("out of bounds"));
  }
}

TEST(GraphNoise, IsTheSameForTheSameSeed) {
  for (const auto& [target, arguments] : std::vector<std::pair<std::string, std::vector<NamedArgument>>>{
           {"aten.randn_like.default", {{"self", ValueId(0)}}},
           {"aten.rand.default", {{"size", Integers{2, 3}}}},
           {"aten.randint.low", {{"low", std::int64_t{0}}, {"high", std::int64_t{1000}}, {"size", Integers{2, 3}}}},
           {"aten.normal.Tensor_float", {{"mean", ValueId(0)}, {"std", 2.0}}}}) {
    AddedTo built(target, arguments);
    StageOf stage(built, built.result);
    const at::Tensor first = stage.forward(1);
    EXPECT_TRUE(stage.forward(1).equal(first)) << target;
    EXPECT_FALSE(stage.forward(2).equal(first)) << target;
  }
}

TEST(GraphNoise, ThatCannotBeRepeatedIsRefusedInTrainingOnly) {
  const auto alpha = [] {
    return AddedTo("aten.alpha_dropout.default", {{"input", ValueId(0)}, {"p", 0.5}, {"train", true}});
  };
  AddedTo trained = alpha();
  try {
    StageOf(trained, trained.result).forward();
    FAIL() << "it was built";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("its random numbers cannot be repeated; use nn.Dropout"));
  }
  AddedTo inferred = alpha();
  EXPECT_TRUE(StageOf(inferred, inferred.result, GraphUse::Inference).forward(1, false).equal(at::ones({2, 3}) * 7));
}

}  // namespace
}  // namespace lanelab
