// SPDX-License-Identifier: GPL-3.0-only
// A network made by hand in place of the toy's blocks, with all that may cross a boundary: a skip past a stage, a value
// that a stage uses and passes on, token ids, a floating-point value without parameters, and one that nobody uses.
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/tanh.h>

#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "engine/networks/built_network.h"
#include "engine/torch/graph/split_linear.h"
#include "engine/torch/nn/stage_module.h"
#include "engine/torch/train/reference_training.h"

namespace lanelab::test {

/// The blocks [first, end) of three, which have the toy's names and shapes of input and output.
///
/// net1: x -> hidden, used, passed, ids, scale, unused. relu: hidden', used, passed, ids, scale. net2: the output.
class SkipModule final : public StageModule {
 public:
  SkipModule(int first, int end) : m_first(first), m_end(end) {
    if (has(0)) {
      for (Layer* layer : {&m_net1, &m_used, &m_passed}) addLayer(*layer);
    }
    if (has(1)) addLayer(m_middle);
    if (!has(2)) return;
    m_slots.push_back({"embedding.weight", SlotTraits{}, {kFeatures, kFeatures}, &m_embedding});
    addLayer(m_net2);
  }

  TensorList forward(const TensorList& inputs, bool training, BlockListener* listener) override {
    if (training) checkInputs(inputs);
    TensorList values = inputs;
    for (int block = m_first; block < m_end; ++block) {
      if (listener) listener->beginForward(kNames[block]);
      TensorList produced = compute(block, values);
      if (listener) listener->endForward(produced);
      // A block's own values come first; of the others, the skips stay where they are.
      for (std::size_t i = produced.size(); block == 1 && i < 5; ++i) produced.push_back(values[i]);
      values = std::move(produced);
    }
    return values;
  }

  bool differentiable(std::size_t input) const override { return input != kScale; }
  const std::vector<TensorSlot>& slots() const override { return m_slots; }

 private:
  static constexpr int kFeatures = 10, kClasses = 5;
  static constexpr std::size_t kHidden = 0, kUsed = 1, kPassed = 2, kIds = 3, kScale = 4;
  static constexpr const char* kNames[] = {"net1", "relu", "net2"};

  struct Layer {
    std::string name;
    std::int64_t in, out;
    at::Tensor weight = {}, bias = {};
    at::Tensor operator()(const at::Tensor& x) const { return linearInParts(x, weight, bias); }
  };

  bool has(int block) const { return m_first <= block && block < m_end; }
  void addLayer(Layer& layer) {
    m_slots.push_back(
        {layer.name + ".weight", SlotTraits{.in_compute_type = true}, {layer.out, layer.in}, &layer.weight});
    m_slots.push_back({layer.name + ".bias", SlotTraits{.in_compute_type = true}, {layer.out}, &layer.bias});
  }

  /// Gradients are collected of what depends on a parameter, and of nothing else.
  void checkInputs(const TensorList& inputs) const {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool wanted = m_first > 0 && inputs[i].is_floating_point() && i != kScale;
      if (inputs[i].requires_grad() != wanted) throw std::runtime_error("value " + std::to_string(i) + " is wrong");
    }
  }

  TensorList compute(int block, const TensorList& values) const {
    const at::Tensor& x = values[kHidden];
    if (block == 0) {
      const at::Tensor hidden = m_net1(x);
      return {hidden, at::tanh(m_used(x)), at::tanh(m_passed(x)), x.argmax(1), x.abs().mean({1}, true), hidden * 2};
    }
    if (block == 1) return {at::relu(m_middle(x)) * values[kScale] + values[kUsed] * 0.5};
    const at::Tensor embedded = at::embedding(m_embedding, values[kIds]).to(x.scalar_type());
    return {m_net2(x + values[kUsed] * values[kScale] + values[kPassed] * embedded)};
  }

  const int m_first, m_end;
  Layer m_net1{"net1", kFeatures, kFeatures}, m_used{"used", kFeatures, kFeatures};
  Layer m_passed{"passed", kFeatures, kFeatures}, m_middle{"middle", kFeatures, kFeatures};
  Layer m_net2{"net2", kFeatures, kClasses};
  at::Tensor m_embedding;
  std::vector<TensorSlot> m_slots;
};

/// The toy's data for this network, with weights drawn from a seed.
inline std::shared_ptr<const TrainingInputs> skipInputs(const Experiment& experiment, const ModelSpec& toy) {
  const auto loaded = loadTrainingInputs(experiment, *builtNetwork(toy.arch, toy.classes, toy.input));
  if (!loaded.ok()) throw std::runtime_error(loaded.error().message);
  TrainingInputs inputs = **loaded;
  inputs.weights.clear();
  const at::Generator generator = at::detail::createCPUGenerator(7);
  const SkipModule whole(0, 3);
  for (const TensorSlot& slot : whole.slots())
    inputs.weights[slot.name] = at::empty(slot.shape).normal_(0, 0.3, generator);
  inputs.modules = [](BlockId first, BlockId end) {
    return Result<std::unique_ptr<StageModule>>(std::make_unique<SkipModule>(first.value, end.value));
  };
  return std::make_shared<const TrainingInputs>(std::move(inputs));
}

/// The undivided network, on one thread.
inline PlainResult trainUndivided(const Experiment& experiment, const ModelSpec& toy, const TrainingInputs& inputs,
                                  int split_size) {
  PlainResult result;
  std::thread([&] {
    at::set_num_threads(1);
    result = trainPlainly(experiment, toy, inputs, {split_size}, {});
  }).join();
  return result;
}

}  // namespace lanelab::test
