// SPDX-License-Identifier: GPL-3.0-only
// Stages of exported networks: what a cut changes, and what becomes of batch norms and random numbers.
#include "engine/torch/graph/graph_stage.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randint.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/function.h>

#include <set>
#include <thread>

#include "engine/torch/data/exported_inputs.h"

namespace lanelab {
namespace {

std::string sample(const std::string& name) {
  return std::string(LANELAB_SOURCE_DIR) + "/tests/data/exported/" + name + ".pt2";
}

/// Loss, gradients and buffers after a training pass.
struct Pass {
  double loss = 0;
  TensorMap tensors;
};

/// A network cut before some of its blocks.
class CutNetwork {
 public:
  explicit CutNetwork(const std::string& name, const std::vector<std::size_t>& cuts = {},
                      at::MemoryFormat format = at::MemoryFormat::Contiguous) {
    m_network = openExported(sample(name)).value();
    inputs = loadExported(m_network, 0).value();
    std::vector<std::size_t> borders = cuts;
    borders.insert(borders.begin(), 0);
    borders.push_back(blocks());
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
      auto stage = inputs.modules(BlockId(borders[i]), BlockId(borders[i + 1]));
      stages.push_back(std::move(stage).value());
      installWeights(stages.back()->slots(), inputs.weights, at::kCPU, format);
    }
  }

  const ExportedNetwork& network() const { return *m_network; }
  const ModelSpec& model() const { return m_network->described.model; }
  std::size_t blocks() const { return model().blocks.size(); }

  at::Tensor someInput(std::int64_t samples) const {
    std::vector<std::int64_t> shape = model().input;
    shape.insert(shape.begin(), samples);
    const at::Generator generator = at::detail::createCPUGenerator(5);
    if (model().vocabulary > 0) return at::randint(model().vocabulary, shape, generator, at::TensorOptions(at::kLong));
    return at::empty(shape).normal_(0, 1, generator);
  }

  /// One micro-batch forward and backward, stage by stage, with the mean of the squared output as loss.
  Pass train(const at::Tensor& input, std::uint64_t seed = 3) {
    std::vector<TensorList> received = {{input}}, sent;
    for (const auto& stage : stages) {
      TensorList& leaves = received.back();
      for (std::size_t i = 0; i < leaves.size() && received.size() > 1; ++i)
        if (leaves[i].is_floating_point() && stage->differentiable(i)) leaves[i] = leaves[i].detach().requires_grad_();
      stage->beginMicroBatch(seed);
      sent.push_back(stage->forward(leaves, /*training=*/true, nullptr));
      received.emplace_back();
      for (const at::Tensor& value : sent.back()) received.back().push_back(value.detach());
    }
    // The leaves of the stage behind collect the gradients of what a stage sends.
    const at::Tensor loss = sent.back().front().square().mean();
    loss.backward();
    for (std::size_t s = stages.size() - 1; s-- > 0;) passBack(sent[s], received[s + 1]);
    Pass pass{loss.item<double>(), {}};
    for (const auto& stage : stages)
      for (const TensorSlot& slot : stage->slots())
        pass.tensors[slot.name] = slot.traits.parameter ? slot.tensor->grad() : slot.tensor->clone();
    return pass;
  }

  ExportedInputs inputs;
  std::vector<std::unique_ptr<StageModule>> stages;

 private:
  static void passBack(const TensorList& sent, const TensorList& leaves) {
    TensorList roots, gradients;
    for (std::size_t i = 0; i < sent.size(); ++i) {
      if (!sent[i].requires_grad() || !leaves[i].grad().defined()) continue;
      roots.push_back(sent[i]);
      gradients.push_back(leaves[i].grad());
    }
    torch::autograd::backward(roots, gradients);
  }

  std::shared_ptr<const ExportedNetwork> m_network;
};

/// Names of tensors that are not equal to the bit.
std::vector<std::string> differing(const Pass& a, const Pass& b) {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : a.tensors) {
    const at::Tensor& other = b.tensors.at(name);
    if (tensor.defined() != other.defined() || (tensor.defined() && !tensor.equal(other))) names.push_back(name);
  }
  return names;
}

struct CutCase {
  const char* name;
  std::vector<std::string> rounded = {};  ///< parameters of several stages, whose sums are made in another order
};
class GraphStageCuts : public ::testing::TestWithParam<CutCase> {};

TEST_P(GraphStageCuts, GiveTheSameBitsAsTheWholeNetwork) {
  at::set_num_threads(1);
  CutNetwork whole(GetParam().name);
  const at::Tensor input = whole.someInput(4);
  const Pass wanted = whole.train(input);
  const std::size_t blocks = whole.blocks();
  ASSERT_GE(blocks, 3U);
  for (const std::vector<std::size_t>& cuts :
       {std::vector<std::size_t>{blocks / 2}, std::vector<std::size_t>{1, blocks - 1}}) {
    CutNetwork cut(GetParam().name, cuts);
    const Pass got = cut.train(input);
    EXPECT_EQ(got.loss, wanted.loss);
    EXPECT_THAT(differing(wanted, got), ::testing::IsSubsetOf(GetParam().rounded)) << cuts.front();
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, GraphStageCuts,
                         ::testing::Values(CutCase{"resnet18"}, CutCase{"vit"}, CutCase{"encoder"}, CutCase{"convnext"},
                                           CutCase{"swin"}, CutCase{"efficientnet"}, CutCase{"densenet"},
                                           CutCase{"unet"}, CutCase{"lstm"},
                                           CutCase{"gpt2", {"inner.transformer.wte.weight"}},
                                           CutCase{"bert", {"inner.bert.embeddings.word_embeddings.weight"}},
                                           CutCase{"llama"}, CutCase{"t5", {"inner.shared.weight"}}),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(GraphStageCuts, GiveTheSameBitsWhereTheBackwardCanBeSplit) {
  at::set_num_threads(1);
  for (const std::int64_t samples : {2, 3, 4}) {
    CutNetwork plain(GetParam().name), split(GetParam().name);
    for (const auto& stage : split.stages) stage->follow({Rule::SplitBackward, Rule::FoldedLinear});
    const at::Tensor input = plain.someInput(samples);
    const Pass wanted = plain.train(input), got = split.train(input);
    EXPECT_EQ(got.loss, wanted.loss) << samples;
    EXPECT_THAT(differing(wanted, got), ::testing::IsEmpty()) << samples;
  }
}

TEST(GraphStage, GradientsOfStridedKernelsOfFewChannelsAreRight) {
  for (const std::int64_t samples : {2, 4, 32}) {
    CutNetwork plain("resnet18"), ordered("resnet18", {}, at::MemoryFormat::ChannelsLast);
    const at::Tensor input = plain.someInput(samples);
    const Pass wanted = plain.train(input), got = ordered.train(input.contiguous(at::MemoryFormat::ChannelsLast));
    for (const auto& [name, tensor] : wanted.tensors) {
      if (!tensor.defined() || !tensor.is_floating_point()) continue;
      EXPECT_LT((got.tensors.at(name) - tensor).norm().item<double>(), 1e-4 * (1 + tensor.norm().item<double>()))
          << name << " of " << samples;
    }
  }
}

TEST(GraphStage, RefusesWhatExistsInPythonOnlyByItsName) {
  const auto opened = openExported(sample("mixtral"));
  ASSERT_FALSE(opened.ok());
  EXPECT_THAT(opened.error().message, ::testing::HasSubstr("grouped_mm_fallback"));
}

TEST(GraphStage, CountsBatchesAndMovesStatisticsAsItIsTold) {
  CutNetwork network("resnet18");
  const at::Tensor input = network.someInput(4);
  const auto tensorOf = [&](const std::string& name) {
    for (const TensorSlot& slot : network.stages.front()->slots())
      if (slot.name == name) return slot.tensor->clone();
    throw std::runtime_error("no " + name);
  };
  const at::Tensor mean = tensorOf("bn1.running_mean");
  StageModule& stage = *network.stages.front();

  stage.setStatistics(NormStatistics::LeaveAlone);
  stage.forward({input}, true, nullptr);
  EXPECT_TRUE(tensorOf("bn1.running_mean").equal(mean));
  stage.setStatistics(NormStatistics::Collect);
  stage.forward({input}, true, nullptr);
  EXPECT_TRUE(tensorOf("bn1.running_mean").equal(mean));
  stage.commitStatistics();
  EXPECT_FALSE(tensorOf("bn1.running_mean").equal(mean));
  EXPECT_EQ(tensorOf("bn1.num_batches_tracked").item<std::int64_t>(), 1);

  const at::Tensor moved = tensorOf("bn1.running_mean");
  stage.forward({input}, false, nullptr);
  EXPECT_TRUE(tensorOf("bn1.running_mean").equal(moved));
  EXPECT_EQ(tensorOf("bn1.num_batches_tracked").item<std::int64_t>(), 1);
}

TEST(GraphStage, ComputesInBf16WithTheCastsOfAnFp32Network) {
  for (const char* name : {"resnet18", "vit", "llama", "gpt2", "t5"}) {
    CutNetwork network(name);
    at::Tensor input = network.someInput(2);
    const at::Tensor exact = network.stages.front()->forward({input}, true, nullptr).front();
    installWeights(network.stages.front()->slots(), network.inputs.weights, at::kCPU, at::MemoryFormat::ChannelsLast,
                   at::kBFloat16);
    SCOPED_TRACE(name);
    if (input.is_floating_point()) input = input.to(at::kBFloat16);
    const at::Tensor rough = network.stages.front()->forward({input}, true, nullptr).front();
    const double apart = (rough.to(at::kFloat) - exact).norm().item<double>() / exact.norm().item<double>();
    EXPECT_LT(apart, 0.1) << name;
    EXPECT_GT(apart, 0) << name;
    rough.to(at::kFloat).square().mean().backward();
  }
}

struct RuledCase {
  const char* name;
  std::size_t chains;    ///< norms of images
  std::size_t products;  ///< convolutions that products can do
  std::size_t joined;    ///< calls that are one in transformers
  std::size_t attentions = 0;
};

constexpr Rules kKernels = kFusedKernels.with(Rule::ConvolutionProduct).with(Rule::FoldedLinear);
constexpr auto kOrdered = at::MemoryFormat::ChannelsLast;

void expectClose(const Pass& wanted, const Pass& got, const char* name) {
  for (const auto& [tensor_name, tensor] : wanted.tensors) {
    if (!tensor.defined() || !tensor.is_floating_point()) continue;
    const double apart = (got.tensors.at(tensor_name) - tensor).norm().item<double>();
    EXPECT_LT(apart, 2e-3 * (1e-3 + tensor.norm().item<double>())) << name << " " << tensor_name;
  }
}

/// Also cut, and with the parts of the backward apart.
TEST(GraphRules, OfKernelsGiveTheValuesOfTheOperatorsToRounding) {
  at::set_num_threads(1);
  for (const RuledCase& c :
       {RuledCase{"resnet18", 20, 19, 0}, RuledCase{"densenet", 18, 16, 0}, RuledCase{"efficientnet", 16, 21, 0},
        RuledCase{"unet", 0, 15, 0}, RuledCase{"llama", 0, 0, 16}, RuledCase{"encoder", 0, 0, 2, 2}}) {
    CutNetwork plain(c.name, {}, kOrdered), ruled(c.name, {}, kOrdered), cut(c.name, {1, plain.blocks() / 2}, kOrdered);
    EXPECT_EQ(plain.network().described.rules.norms.size(), c.chains) << c.name;
    EXPECT_EQ(plain.network().described.rules.products.size(), c.products) << c.name;
    EXPECT_EQ(plain.network().described.rules.joined.size(), c.joined) << c.name;
    EXPECT_EQ(plain.network().described.rules.attentions.size(), c.attentions) << c.name;
    for (const auto& stage : ruled.stages) stage->follow(kKernels);
    for (const auto& stage : cut.stages) stage->follow(Rules::all().without(Rule::RemadeActivation));
    at::Tensor input = plain.someInput(4);
    if (input.dim() == 4) input = input.contiguous(kOrdered);
    const Pass wanted = plain.train(input), got = ruled.train(input), in_parts = cut.train(input);
    EXPECT_THAT(differing(got, in_parts), ::testing::IsEmpty()) << c.name;
    EXPECT_EQ(got.loss, in_parts.loss) << c.name;
    EXPECT_THAT(differing(wanted, got), ::testing::Not(::testing::IsEmpty())) << "nothing was done in " << c.name;
    expectClose(wanted, got, c.name);
  }
}

/// Whose embedding is the last layer, too: where it is cut, its gradient is added up in two stages.
TEST(GraphRules, OfTransformersWithTiedWeightsGiveTheValuesToRounding) {
  for (const auto& [name, joined] : {std::pair("gpt2", 3u), std::pair("t5", 12u)}) {
    CutNetwork plain(name), ruled(name);
    EXPECT_EQ(plain.network().described.rules.joined.size(), joined) << name;
    ruled.stages.front()->follow(kFusedKernels);
    const at::Tensor input = plain.someInput(4);
    const Pass wanted = plain.train(input), got = ruled.train(input);
    EXPECT_THAT(differing(wanted, got), ::testing::Not(::testing::IsEmpty())) << name;
    expectClose(wanted, got, name);
  }
}

/// Calls of a first stage's forward that cut a tensor in all its parts.
std::size_t callsInParts(CutNetwork& network, const at::Tensor& input) {
  network.stages.front()->beginMicroBatch(3);
  const at::Tensor made = network.stages.front()->forward({input}, true, nullptr).front();
  std::set<const torch::autograd::Node*> met;
  std::vector<const torch::autograd::Node*> open = {made.grad_fn().get()};
  std::size_t found = 0;
  while (!open.empty()) {
    const torch::autograd::Node* const node = open.back();
    open.pop_back();
    if (node == nullptr || !met.insert(node).second) continue;
    const std::string name = node->name();
    found += name.starts_with("Unbind") || name.starts_with("SplitWithSizes") ? 1 : 0;
    for (const torch::autograd::Edge& edge : node->next_edges()) open.push_back(edge.function.get());
  }
  return found;
}

TEST(GraphRules, OfPartsThatAreTakenTogetherChangeNoNumber) {
  for (const char* name : {"vit", "swin"}) {
    CutNetwork apart(name), together(name), cut(name, {1});
    EXPECT_FALSE(apart.network().described.rules.joined.empty()) << name;
    for (const auto& stage : together.stages) stage->follow({Rule::JoinedParts, Rule::FoldedLinear});
    for (const auto& stage : cut.stages) stage->follow({Rule::JoinedParts, Rule::FoldedLinear});
    const at::Tensor input = apart.someInput(3);
    EXPECT_GT(callsInParts(together, input), callsInParts(apart, input)) << name;
    const Pass wanted = apart.train(input);
    EXPECT_THAT(differing(wanted, together.train(input)), ::testing::IsEmpty()) << name;
    EXPECT_THAT(differing(wanted, cut.train(input)), ::testing::IsEmpty()) << name;
  }
}

TEST(GraphRules, OfWhatIsMadeAgainChangeNoBit) {
  at::set_num_threads(1);
  for (const char* name : {"resnet18", "densenet"}) {
    for (const Rules& kernels : {Rules{Rule::FoldedLinear}, kKernels}) {
      CutNetwork kept(name, {}, kOrdered), remade(name, {}, kOrdered), split(name, {1}, kOrdered);
      EXPECT_FALSE(kept.network().described.rules.remade.empty()) << name;
      for (const auto& stage : kept.stages) stage->follow(kernels);
      for (const auto& stage : remade.stages) stage->follow(kernels.with(Rule::RemadeActivation));
      for (const auto& stage : split.stages)
        stage->follow(kernels.with(Rule::RemadeActivation).with(Rule::SplitBackward));
      const at::Tensor input = kept.someInput(3).contiguous(kOrdered);
      const Pass wanted = kept.train(input), got = remade.train(input), in_parts = split.train(input);
      EXPECT_THAT(differing(wanted, got), ::testing::IsEmpty()) << name;
      EXPECT_THAT(differing(wanted, in_parts), ::testing::IsEmpty()) << name;
    }
  }
}

TEST(GraphRules, LeaveNoGraphWhereNothingIsRecorded) {
  CutNetwork network("resnet18", {}, kOrdered);
  network.stages.front()->follow(Rules::all());
  const at::Tensor input = network.someInput(2).contiguous(kOrdered);
  const at::NoGradGuard none;
  EXPECT_FALSE(network.stages.front()->forward({input}, true, nullptr).front().requires_grad());
}

}  // namespace
}  // namespace lanelab
