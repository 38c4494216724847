// SPDX-License-Identifier: GPL-3.0-only
#include "tests/unit/torch/reference_trainer.h"

#include <ATen/core/grad_mode.h>

#include <stdexcept>

#include "engine/torch/nn/layers.h"

namespace lanelab {

namespace {

double accumulate(const NetworkBlocks& blocks, const Samples& samples, Loss kind, double weight) {
  at::Tensor x = samples.inputs;
  for (const auto& block : blocks) x = block->forward(x, true);
  const at::Tensor loss = weightedLoss(kind, x, samples.targets, weight);
  loss.backward();
  return loss.item<double>();
}

template <class Work>
void forEachParameter(const NetworkBlocks& blocks, const Work& work) {
  for (const auto& block : blocks) {
    for (const TensorSlot& slot : block->slots()) {
      if (slot.traits.parameter) work(slot);
    }
  }
}

}  // namespace

ReferenceResult trainReference(const Experiment& experiment, int split_size) {
  const auto resolution = resolve(experiment);
  if (!resolution->hasModel()) throw std::runtime_error("The experiment describes no model.");
  const ModelSpec& spec = resolution->model();
  const auto inputs = loadTrainingInputs(experiment, spec);
  if (!inputs.ok()) throw std::runtime_error(inputs.error().message);
  const auto made = makeBlocks(spec);
  const NetworkBlocks& blocks = *made;
  for (const auto& block : blocks) {
    installWeights(block->slots(), (*inputs)->weights, at::kCPU, imageFormat(experiment.training));
    for (NormLayer* const norm : block->norms()) norm->fused = rulesOf(experiment.training, spec).has(Rule::FusedNorm);
  }
  const MicroBatches split{experiment.data.batch, split_size};
  ReferenceResult result;
  for (int step = 0; step < experiment.data.steps; ++step) {
    forEachParameter(blocks, [](const TensorSlot& slot) { slot.tensor->mutable_grad().reset(); });
    double loss = 0;
    for (int k = 0; k < split.count(); ++k) {
      const MicroBatchId id{k};
      const Samples rows = (*inputs)->data.rows(std::int64_t{step} * split.batch + split.begin(id), split.size(id));
      loss += accumulate(blocks, rows, experiment.training.loss, split.weight(id));
    }
    result.losses.push_back(loss);
    const at::NoGradGuard no_grad;
    forEachParameter(blocks,
                     [&](const TensorSlot& slot) { slot.tensor->add_(slot.tensor->grad(), -experiment.training.lr); });
  }
  for (const auto& block : blocks) {
    for (const TensorSlot& slot : block->slots()) {
      result.weights[slot.name] = slot.tensor->detach();
      if (slot.traits.parameter) result.gradients[slot.name] = slot.tensor->grad();
    }
  }
  return result;
}

}  // namespace lanelab
