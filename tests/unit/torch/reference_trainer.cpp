// SPDX-License-Identifier: GPL-3.0-only
#include "tests/unit/torch/reference_trainer.h"

#include <ATen/core/grad_mode.h>

#include <stdexcept>

#include "engine/torch/nn/stage_module.h"

namespace lanelab {

namespace {

double accumulate(StageModule& network, const Samples& samples, Loss kind, double weight) {
  const at::Tensor output = network.forward({samples.inputs}, /*training=*/true, nullptr).front();
  const at::Tensor loss = weightedLoss(kind, output, samples.targets, weight);
  loss.backward();
  return loss.item<double>();
}

template <class Work>
void forEachParameter(const StageModule& network, const Work& work) {
  for (const TensorSlot& slot : network.slots())
    if (slot.traits.parameter) work(slot);
}

}  // namespace

ReferenceResult trainReference(const Experiment& experiment, int split_size) {
  const auto resolution = resolve(experiment);
  if (!resolution->hasModel()) throw std::runtime_error("The experiment describes no model.");
  const ModelSpec& spec = resolution->model();
  const auto inputs = loadTrainingInputs(experiment, resolution->network());
  if (!inputs.ok()) throw std::runtime_error(inputs.error().message);
  const auto network = wholeModule((*inputs)->modules, spec.blocks.size());
  installWeights(network->slots(), (*inputs)->weights, at::kCPU, imageFormat(experiment.training));
  network->follow(rulesOf(experiment.training, spec).without(Rule::SplitBackward).without(Rule::RemadeActivation));
  const MicroBatches split{experiment.data.batch, split_size};
  ReferenceResult result;
  for (int step = 0; step < experiment.data.steps; ++step) {
    forEachParameter(*network, [](const TensorSlot& slot) { slot.tensor->mutable_grad().reset(); });
    double loss = 0;
    for (int k = 0; k < split.count(); ++k) {
      const MicroBatchId id{k};
      const Samples rows = (*inputs)->data.rows(std::int64_t{step} * split.batch + split.begin(id), split.size(id));
      loss += accumulate(*network, rows, experiment.training.loss, split.weight(id));
    }
    result.losses.push_back(loss);
    const at::NoGradGuard no_grad;
    forEachParameter(*network,
                     [&](const TensorSlot& slot) { slot.tensor->add_(slot.tensor->grad(), -experiment.training.lr); });
  }
  for (const TensorSlot& slot : network->slots()) {
    result.weights[slot.name] = slot.tensor->detach();
    if (slot.traits.parameter) result.gradients[slot.name] = slot.tensor->grad();
  }
  return result;
}

}  // namespace lanelab
