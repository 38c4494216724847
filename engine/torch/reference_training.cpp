#include "engine/torch/reference_training.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>
#include <stdexcept>

#include "engine/plan/micro_batches.h"
#include "engine/run/learning_rate.h"
#include "engine/torch/layers.h"
#include "engine/torch/training_loss.h"

namespace lanelab {

namespace {

/// What an optimizer remembers of one parameter.
struct Memory {
  at::Tensor master;  ///< fp32, of a bf16 parameter
  at::Tensor velocity, mean, square;
};

/// torch.optim.SGD as its documentation states it.
void sgdStep(const TrainingConfig& training, at::Tensor& weight, Memory& memory, double rate) {
  at::Tensor direction = weight.grad();
  if (training.weight_decay != 0) direction = direction.add(weight, training.weight_decay);
  if (training.momentum != 0) {
    if (memory.velocity.defined()) {
      memory.velocity = memory.velocity.mul(training.momentum).add(direction);
    } else {
      memory.velocity = direction.clone();
    }
    direction = training.nesterov ? direction.add(memory.velocity, training.momentum) : memory.velocity;
  }
  weight.add_(direction, -rate);
}

/// torch.optim.Adam as its documentation states it, with the operations of its single-tensor form. `step` counts from 1.
void adamStep(const TrainingConfig& training, at::Tensor& weight, Memory& memory, double rate, int step) {
  constexpr double beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
  at::Tensor gradient = weight.grad();
  if (training.weight_decay != 0) gradient = gradient.add(weight, training.weight_decay);
  if (!memory.mean.defined()) {
    memory.mean = at::zeros_like(weight);
    memory.square = at::zeros_like(weight);
  }
  memory.mean = memory.mean.lerp(gradient, 1 - beta1);
  memory.square = memory.square.mul(beta2).addcmul(gradient, gradient, 1 - beta2);
  const at::Tensor spread = memory.square.sqrt().div(std::sqrt(1 - std::pow(beta2, step))).add(eps);
  weight.addcdiv_(memory.mean, spread, -(rate / (1 - std::pow(beta1, step))));
}

class Reference {
 public:
  Reference(const Experiment& experiment, const ModelSpec& spec, const TrainingInputs& inputs, int split_size)
      : m_experiment(experiment), m_inputs(inputs), m_split{experiment.data.batch, split_size}, m_type(experiment.training.precision == "bf16" ? at::kBFloat16 : at::kFloat) {
    Result<NetworkBlocks> blocks = makeBlocks(spec);
    if (!blocks.ok()) throw std::runtime_error(blocks.error().message);
    m_blocks = std::move(*blocks);
    for (const auto& block : m_blocks) {
      installWeights(*block, inputs.weights, at::kCPU, imageFormat(experiment.training), m_type);
      for (NormLayer* const norm : block->norms()) norm->statistics = deferred() ? NormStatistics::Collect : NormStatistics::MoveEachTime;
      for (const TensorSlot& slot : block->slots()) {
        if (isParameter(slot.role) && slot.tensor->scalar_type() != at::kFloat) m_memory[slot.name].master = inputs.weights.at(slot.name).clone();
      }
    }
  }

  double step(int step) {
    forEachParameter([](at::Tensor& weight, Memory& memory) {
      weight.mutable_grad().reset();
      if (memory.master.defined()) memory.master.mutable_grad().reset();
    });
    double loss = 0;
    const StepRows rows = rowsOfStep(m_experiment.data, m_inputs.data.size(), step);
    const Samples batch = m_inputs.data.rows(rows.begin, rows.count);
    const MicroBatches split = m_split.ofBatch(rows.count);
    for (int k = 0; k < split.count(); ++k) loss += accumulate(batch, split, MicroBatchId{k});
    update(step);
    return loss;
  }

  void keep(PlainResult& result) {
    for (const auto& block : m_blocks) {
      for (const TensorSlot& slot : block->slots()) {
        const auto memory = m_memory.find(slot.name);
        const bool rounded = memory != m_memory.end() && memory->second.master.defined();
        const at::Tensor& tensor = rounded ? memory->second.master : *slot.tensor;
        result.weights[slot.name] = tensor.detach();
        if (tensor.grad().defined()) result.gradients[slot.name] = tensor.grad();
      }
    }
  }

 private:
  bool deferred() const { return m_experiment.training.batch_norm == "deferred"; }

  template <class Work>
  void forEachParameter(const Work& work) {
    for (const auto& block : m_blocks) {
      for (const TensorSlot& slot : block->slots()) {
        if (isParameter(slot.role)) work(*slot.tensor, m_memory[slot.name]);
      }
    }
  }

  double accumulate(const Samples& batch, const MicroBatches& split, MicroBatchId k) {
    at::Tensor x = batch.inputs.narrow(0, split.begin(k), split.size(k)).to(m_type);
    for (const auto& block : m_blocks) x = block->forward(x, /*training=*/true);
    const at::Tensor loss = weightedLoss(lossKindOf(m_experiment.training.loss), x.to(at::kFloat),
                                         batch.targets.narrow(0, split.begin(k), split.size(k)), split.weight(k));
    loss.backward();
    forEachParameter([](at::Tensor& weight, Memory& memory) {
      if (!memory.master.defined() || !weight.grad().defined()) return;
      const at::Tensor added = weight.grad().to(at::kFloat);
      at::Tensor& sum = memory.master.mutable_grad();
      sum = sum.defined() ? sum.add(added) : added;
      weight.mutable_grad().reset();
    });
    return loss.item<double>();
  }

  void update(int step) {
    const at::NoGradGuard no_grad;
    const TrainingConfig& training = m_experiment.training;
    const double rate = learningRate(training, m_experiment.data.steps, step);
    for (const auto& block : m_blocks) {
      for (NormLayer* const norm : block->norms()) norm->commit();
    }
    forEachParameter([&](at::Tensor& rounded, Memory& memory) {
      at::Tensor& weight = memory.master.defined() ? memory.master : rounded;
      if (!weight.grad().defined()) return;
      if (training.optimizer == "adam") {
        adamStep(training, weight, memory, rate, step + 1);
      } else {
        sgdStep(training, weight, memory, rate);
      }
      if (memory.master.defined()) rounded.copy_(memory.master);
    });
  }

  const Experiment& m_experiment;
  const TrainingInputs& m_inputs;
  const MicroBatches m_split;
  const at::ScalarType m_type;
  NetworkBlocks m_blocks;
  std::map<std::string, Memory> m_memory;
};

}  // namespace

PlainResult trainPlainly(const Experiment& experiment, const ModelSpec& spec, const TrainingInputs& inputs, int split_size, std::stop_token stop) {
  Reference reference(experiment, spec, inputs, split_size);
  PlainResult result;
  for (int step = 0; step < experiment.data.steps && !stop.stop_requested(); ++step) result.losses.push_back(reference.step(step));
  reference.keep(result);
  return result;
}

}  // namespace lanelab
