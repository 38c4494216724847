// SPDX-License-Identifier: GPL-3.0-only
// Built-in networks as graphs against the same written by hand: weights, losses and gradients to the bit.
#include "engine/networks/built_network.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/torch/graph/graph_stage.h"
#include "engine/torch/nn/block_chain.h"
#include "engine/torch/nn/drawn_weights.h"

namespace lanelab {
namespace {

struct BuiltNet {
  const char* arch;
  int classes;
  Shape input;
  std::int64_t samples;
};

class BuiltGraphs : public ::testing::TestWithParam<BuiltNet> {
 protected:
  void SetUp() override { at::set_num_threads(1); }

  const BuiltNet& tested() const { return GetParam(); }
  ModelSpec model() const { return describeModel(tested().arch, tested().classes, tested().input).value(); }
  std::shared_ptr<const ExportedNetwork> network() const {
    return builtNetwork(tested().arch, tested().classes, tested().input).value();
  }
  TensorMap drawn(std::uint64_t seed) const {
    const auto graph = network();
    const TensorMap records = drawWeights(graph->program.draws, seed);
    TensorMap named;
    for (const auto& [name, tensor] : graph->program.tensors)
      named[name] = records.at(tensor.record).view(tensor.sizes);
    return named;
  }
};

/// Loss, gradients and buffers after a training pass.
std::map<std::string, at::Tensor> trained(StageModule& module, const TensorMap& weights, const at::Tensor& input,
                                          at::MemoryFormat format, at::ScalarType type = at::kFloat) {
  installWeights(module.slots(), weights, at::kCPU, format, type);
  const at::Tensor x = (input.dim() == 4 ? input.contiguous(format) : input).to(type);
  const at::Tensor loss = module.forward({x}, /*training=*/true, nullptr).front().square().mean();
  loss.backward();
  std::map<std::string, at::Tensor> made{{"loss", loss.detach()}};
  for (const TensorSlot& slot : module.slots())
    made[slot.name] = slot.traits.parameter ? slot.tensor->grad() : slot.tensor->clone();
  return made;
}

TEST_P(BuiltGraphs, HaveTheSlotsAndInitialWeightsOfTheBlocks) {
  const NetworkBlocks blocks = makeBlocks(model()).value();
  const TensorMap wanted = drawInitialWeights(blocks, 7), got = drawn(7);
  const auto graph = network();
  GraphStage stage(graph, BlockId(0), BlockId(graph->blocks.blocks.size()), {});
  std::vector<std::string> names, slot_names;
  for (const TensorSlot& slot : slotsOf(blocks)) names.push_back(slot.name);
  for (const TensorSlot& slot : stage.slots()) slot_names.push_back(slot.name);
  EXPECT_EQ(slot_names, names);
  ASSERT_EQ(got.size(), wanted.size());
  for (const auto& [name, tensor] : wanted) EXPECT_TRUE(got.at(name).equal(tensor)) << name;
}

TEST_P(BuiltGraphs, GiveTheBitsOfTheBlocksByAllRules) {
  const at::Generator generator = at::detail::createCPUGenerator(5);
  std::vector<std::int64_t> shape = tested().input;
  shape.insert(shape.begin(), tested().samples);
  const at::Tensor input = at::empty(shape).normal_(0, 1, generator);
  const TensorMap weights = drawn(3);
  const auto graph = network();
  // By hand, products and split backwards are always there.
  const Rules always = {Rule::ConvolutionProduct, Rule::FoldedLinear};
  for (const auto format : {at::MemoryFormat::ChannelsLast, at::MemoryFormat::Contiguous}) {
    for (const Rules& rules : {always, always.with(Rule::FusedNorm), always.with(Rule::RemadeActivation),
                               always.with(Rule::FusedNorm).with(Rule::RemadeActivation)}) {
      BlockChain chain(makeBlocks(model()).value());
      GraphStage stage(graph, BlockId(0), BlockId(graph->blocks.blocks.size()), {});
      chain.follow(rules);
      stage.follow(rules);
      for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
        const auto wanted = trained(chain, weights, input, format, type),
                   got = trained(stage, weights, input, format, type);
        for (const auto& [name, tensor] : wanted) EXPECT_TRUE(got.at(name).equal(tensor)) << name << " " << type;
      }
    }
  }
}

TEST_P(BuiltGraphs, EvaluateTheSame) {
  const at::Generator generator = at::detail::createCPUGenerator(5);
  std::vector<std::int64_t> shape = tested().input;
  shape.insert(shape.begin(), tested().samples);
  const at::Tensor input = at::empty(shape).normal_(0, 1, generator);
  const auto graph = network();
  BlockChain chain(makeBlocks(model()).value());
  GraphStage stage(graph, BlockId(0), BlockId(graph->blocks.blocks.size()), {});
  stage.follow({Rule::ConvolutionProduct, Rule::FoldedLinear});
  for (StageModule* const module : std::initializer_list<StageModule*>{&chain, &stage})
    installWeights(module->slots(), drawn(3), at::kCPU, at::MemoryFormat::Contiguous);
  const at::NoGradGuard none;
  EXPECT_TRUE(chain.forward({input}, false, nullptr).front().equal(stage.forward({input}, false, nullptr).front()));
}

INSTANTIATE_TEST_SUITE_P(Architectures, BuiltGraphs,
                         ::testing::Values(BuiltNet{"resnet18", 10, {3, 32, 32}, 8},
                                           BuiltNet{"resnet50", 10, {3, 64, 64}, 2}, BuiltNet{"toy", 5, {10}, 4},
                                           BuiltNet{"linear", 2, {5}, 3}, BuiltNet{"linear", 3, {3, 4, 4}, 3}),
                         [](const auto& tested) {
                           return std::string(tested.param.arch) + "_" + std::to_string(tested.index);
                         });

}  // namespace
}  // namespace lanelab
