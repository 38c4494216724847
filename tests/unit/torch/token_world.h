// SPDX-License-Identifier: GPL-3.0-only
// A small network of tokens in place of the toy's blocks: an embedding, a linear layer, and the logits of each
// position or their loss. Padded tokens, and the cross entropy of a whole batch of them by PyTorch alone.
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/tanh.h>
#include <gtest/gtest.h>

#include "engine/torch/files/tensor_file.h"
#include "engine/torch/nn/stage_module.h"
#include "engine/torch/nn/training_loss.h"
#include "tests/unit/torch/training_world.h"

namespace lanelab::test {

constexpr std::int64_t kTokens = 10, kVocabulary = 256, kHidden = 12;  ///< the toy's input has 10 numbers

/// The toy's blocks [first, end) of net1, relu and net2.
class TokenModule final : public StageModule {
 public:
  TokenModule(int first, int end, bool gives_loss) : m_first(first), m_end(end), m_gives_loss(gives_loss) {
    if (has(0)) add("embedding", {kVocabulary, kHidden}, m_embedding);
    if (has(1)) add("middle", {kHidden, kHidden}, m_middle);
    if (has(2)) add("head", {kVocabulary, kHidden}, m_head);
  }

  TensorList forward(const TensorList& inputs, bool, BlockListener* listener) override {
    TensorList values = inputs;
    for (int block = m_first; block < m_end; ++block) {
      if (listener) listener->beginForward(block == 0 ? "net1" : block == 1 ? "relu" : "net2");
      values = compute(block, values);
      if (listener) listener->endForward(values);
    }
    return values;
  }

  const std::vector<TensorSlot>& slots() const override { return m_slots; }

 private:
  bool has(int block) const { return m_first <= block && block < m_end; }
  void add(const char* name, Shape shape, at::Tensor& tensor) {
    m_slots.push_back({std::string(name) + ".weight", SlotTraits{}, std::move(shape), &tensor});
  }

  /// A network that gives its loss sends the tokens along, since they are what it predicts.
  TensorList compute(int block, const TensorList& values) const {
    const at::Tensor& x = values[0];
    if (block == 0 && m_gives_loss) return {at::embedding(m_embedding, x), x};
    if (block == 0) return {at::embedding(m_embedding, x)};
    if (block == 1) {
      TensorList all = values;
      all[0] = at::tanh(at::linear(x, m_middle));
      return all;
    }
    const at::Tensor logits = at::linear(x, m_head);
    if (!m_gives_loss) return {logits};
    return {weightedLoss({Loss::CrossEntropy, /*shifts=*/true}, logits, values[1], 1)};
  }

  const int m_first, m_end;
  const bool m_gives_loss;
  at::Tensor m_embedding, m_middle, m_head;
  std::vector<TensorSlot> m_slots;
};

/// On three lanes, as the toy is planned, whose blocks it has.
inline Experiment tokens(int batch, int steps, DataSource source = DataSource::Random, const std::string& path = "") {
  Experiment experiment = toy(batch, steps);
  experiment.data.source = source;
  experiment.data.path = path;
  experiment.training.loss = Loss::CrossEntropy;
  experiment.training.lr = 1;
  return experiment;
}

inline ModelSpec tokenModel(bool gives_loss = false) {
  ModelSpec spec = modelIn(toy(1, 1));
  spec.vocabulary = kVocabulary;
  spec.gives_loss = gives_loss;
  spec.blocks[0].output = spec.blocks[1].output = {kTokens, kHidden};
  spec.blocks[2].output = gives_loss ? Shape{} : Shape{kTokens, kVocabulary};
  return spec;
}

/// Data of the experiment and weights from a seed.
inline std::shared_ptr<const TrainingInputs> tokenInputs(const Experiment& experiment, const ModelSpec& spec) {
  Result<Dataset> data = Dataset::load(experiment, spec);
  if (!data.ok()) throw std::runtime_error(data.error().message);
  TensorMap weights;
  const at::Generator generator = at::detail::createCPUGenerator(11);
  const TokenModule whole(0, 3, spec.gives_loss);
  for (const TensorSlot& slot : whole.slots()) weights[slot.name] = at::empty(slot.shape).normal_(0, 0.3, generator);
  const auto modules = [gives_loss = spec.gives_loss](BlockId first, BlockId end) {
    return Result<std::unique_ptr<StageModule>>(std::make_unique<TokenModule>(first.value, end.value, gives_loss));
  };
  return std::make_shared<const TrainingInputs>(TrainingInputs{{std::move(weights), modules}, std::move(data).value()});
}

/// `inputs` on the lanes of the variant, planned with the toy's blocks.
inline Trained trainTokens(const Experiment& experiment, const ModelSpec& spec, const VariantConfig& variant,
                           const std::shared_ptr<const TrainingInputs>& inputs, const PeersFactory& peers = {}) {
  const VariantPlan plan = planned(experiment, variant);
  installLaneAllocator();
  const auto opened = TorchSession::open(
      std::make_shared<const TrainingJob>(TrainingJob{experiment, spec, plan, inputs, nullptr, peers}));
  EXPECT_TRUE(opened.ok()) << opened.error().message;
  auto& session = static_cast<TorchSession&>(**opened);
  Trained trained;
  trained.outcome = session.runRepeat({});
  EXPECT_TRUE(trained.outcome.failure.ok()) << trained.outcome.failure.error().message;
  trained.weights = session.gather(TorchSession::Which::Weights).value();
  trained.gradients = session.gather(TorchSession::Which::Gradients).value();
  return trained;
}

inline Trained trainTokens(const Experiment& experiment, const ModelSpec& spec, const VariantConfig& variant) {
  return trainTokens(experiment, spec, variant, tokenInputs(experiment, spec));
}

constexpr int kPaddedBatch = 8;

/// One batch. The first three rows, which a micro-batch of three and a replica of several may have alone, are all
/// padding; the others have different numbers of targets.
inline void writePaddedTokens(const std::string& path) {
  const at::Generator generator = at::detail::createCPUGenerator(4);
  const auto ids = [&] { return at::randint(kVocabulary, {kPaddedBatch, kTokens}, generator).to(at::kLong); };
  const at::Tensor inputs = ids(), targets = ids();
  targets.narrow(0, 0, 3).fill_(-100);
  for (int row = 3; row < kPaddedBatch; ++row) targets[row].narrow(0, 2, row - 1).fill_(-100);
  EXPECT_TRUE(writeSafetensors(path, {{"inputs", inputs}, {"targets", targets}}).ok());
}

struct WholeBatch {
  double loss = 0;
  TensorMap gradients;
};

/// Of the first batch: the loss of all its rows together.
inline WholeBatch wholeBatch(const TrainingInputs& inputs, bool shift, double smoothing = 0) {
  TokenModule network(0, 3, /*gives_loss=*/false);
  installWeights(network.slots(), inputs.weights, at::kCPU, at::MemoryFormat::Contiguous);
  const Samples rows = inputs.data.rows(0, kPaddedBatch);
  at::Tensor logits = network.forward({rows.inputs}, true, nullptr).front(), targets = rows.targets;
  if (shift) logits = logits.slice(1, 0, kTokens - 1), targets = targets.slice(1, 1);
  const at::Tensor loss = at::cross_entropy_loss(logits.reshape({-1, kVocabulary}), targets.reshape({-1}), {},
                                                 at::Reduction::Mean, -100, smoothing);
  loss.backward();
  WholeBatch whole{loss.item<double>(), {}};
  for (const TensorSlot& slot : network.slots()) whole.gradients[slot.name] = slot.tensor->grad();
  return whole;
}

/// Within rounding.
inline void expectClose(const TensorMap& actual, const TensorMap& wanted) {
  ASSERT_EQ(actual.size(), wanted.size());
  for (const auto& [name, tensor] : wanted)
    EXPECT_LE((actual.at(name) - tensor).norm().item<double>(), 1e-6 * tensor.norm().item<double>()) << name;
}

}  // namespace lanelab::test
