// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/train/reference_training.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/clamp_max.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/ne.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/sum.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>
#include <memory>
#include <optional>

#include "base/stop_point.h"
#include "engine/experiment/learning_rate.h"
#include "engine/placement/micro_batches.h"
#include "engine/torch/nn/random_seed.h"
#include "engine/torch/nn/training_loss.h"
#include "engine/torch/train/tensor_comparison.h"

namespace lanelab {

namespace {

/// What an optimizer remembers of one parameter.
struct Memory {
  at::Tensor master;  ///< fp32, of a bf16 parameter
  at::Tensor velocity, mean, square;

  /// What is updated of a parameter that the network holds so.
  at::Tensor& updated(at::Tensor& held) { return master.defined() ? master : held; }
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

/// torch.optim.Adam as its documentation states it, with the operations of its single-tensor form. `step` counts
/// from 1.
void adamStep(const TrainingConfig& training, at::Tensor& weight, Memory& memory, double rate, int step) {
  constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEps = 1e-8;
  at::Tensor gradient = weight.grad();
  if (training.weight_decay != 0) gradient = gradient.add(weight, training.weight_decay);
  if (!memory.mean.defined()) {
    memory.mean = at::zeros_like(weight);
    memory.square = at::zeros_like(weight);
  }
  memory.mean = memory.mean.lerp(gradient, 1 - kBeta1);
  memory.square = memory.square.mul(kBeta2).addcmul(gradient, gradient, 1 - kBeta2);
  const at::Tensor spread = memory.square.sqrt().div(std::sqrt(1 - std::pow(kBeta2, step))).add(kEps);
  weight.addcdiv_(memory.mean, spread, -(rate / (1 - std::pow(kBeta1, step))));
}

/// The valid targets of a batch; none if all are.
std::optional<std::int64_t> validBesidePadding(const TrainingConfig& training, const at::Tensor& targets) {
  if (training.loss != Loss::CrossEntropy || targets.is_floating_point()) return {};
  const at::Tensor valid = at::ne(training.loss_shift ? targets.slice(1, 1) : targets, kPaddingTarget);
  const auto count = at::sum(valid).item<std::int64_t>();
  return count < valid.numel() ? std::optional(count) : std::nullopt;
}

/// One copy of the network on one thread.
class PlainNetwork {
 public:
  PlainNetwork(const Experiment& experiment, const ModelSpec& spec, const TrainingInputs& inputs)
      : m_experiment(experiment),
        m_type(experiment.training.precision == Precision::Bf16 ? at::kBFloat16 : at::kFloat),
        m_module(wholeModule(inputs.modules, spec.blocks.size())) {
    installWeights(m_module->slots(), inputs.weights, at::kCPU, imageFormat(experiment.training), m_type);
    for (const TensorSlot& slot : m_module->slots()) {
      if (slot.traits.parameter && at::isReducedFloatingType(slot.tensor->scalar_type()))
        m_memory[slot.name].master = inputs.weights.at(slot.name).to(at::kFloat, /*non_blocking=*/false, /*copy=*/true);
    }
    const bool deferred = experiment.training.batch_norm == BatchNormMode::Deferred;
    m_module->setStatistics(deferred ? NormStatistics::Collect : NormStatistics::MoveEachTime);
    m_module->follow(rulesOf(experiment.training, spec).without(Rule::RemadeActivation).without(Rule::SplitBackward));
  }

  void beginStep() {
    m_module->forgetStatistics();
    forEachParameter([](at::Tensor& weight, Memory& memory) {
      weight.mutable_grad().reset();
      if (memory.master.defined()) memory.master.mutable_grad().reset();
    });
  }

  at::Tensor forward(const at::Tensor& inputs, std::uint64_t seed) {
    m_module->beginMicroBatch(seed);
    const at::Tensor x = inputs.is_floating_point() ? inputs.to(m_type) : inputs;
    return m_module->forward({x}, /*training=*/true, nullptr).front();
  }

  /// After a backward: bf16's gradients go to the masters.
  void collectGradients() {
    forEachParameter([](at::Tensor& weight, Memory& memory) {
      if (!memory.master.defined() || !weight.grad().defined()) return;
      const at::Tensor added = weight.grad().to(at::kFloat);
      at::Tensor& sum = memory.master.mutable_grad();
      sum = sum.defined() ? sum.add(added) : added;
      weight.mutable_grad().reset();
    });
  }

  /// All parameters and buffers as there.
  void copyFrom(const PlainNetwork& first) {
    const at::NoGradGuard no_grad;
    for (std::size_t i = 0; i < m_module->slots().size(); ++i)
      m_module->slots()[i].tensor->copy_(*first.m_module->slots()[i].tensor);
  }

  /// Of the masters in bf16; undefined where a parameter has none.
  std::vector<at::Tensor*> gradients() {
    std::vector<at::Tensor*> all;
    forEachParameter(
        [&](at::Tensor& weight, Memory& memory) { all.push_back(&memory.updated(weight).mutable_grad()); });
    return all;
  }

  /// The first parameter whose gradient has an infinite number or one that is not a number; empty if none has.
  std::string gradientNotFinite() {
    const at::NoGradGuard no_grad;
    for (const TensorSlot& slot : m_module->slots()) {
      stopPoint();
      if (!slot.traits.isTrained()) continue;
      const at::Tensor& gradient = m_memory[slot.name].updated(*slot.tensor).grad();
      if (gradient.defined() && !isFinite(gradient)) return slot.name;
    }
    return {};
  }

  void update(int step) {
    const at::NoGradGuard no_grad;
    const TrainingConfig& training = m_experiment.training;
    if (training.clip_grad_norm) clip(*training.clip_grad_norm);
    const double rate = learningRate(training, m_experiment.data.steps, step);
    m_module->commitStatistics();
    forEachParameter([&](at::Tensor& rounded, Memory& memory) {
      at::Tensor& weight = memory.updated(rounded);
      if (!weight.grad().defined()) return;
      if (training.optimizer == OptimizerKind::Adam) {
        adamStep(training, weight, memory, rate, step + 1);
      } else {
        sgdStep(training, weight, memory, rate);
      }
      if (memory.master.defined()) rounded.copy_(memory.master);
    });
  }

  void store(PlainResult& result) {
    for (const TensorSlot& slot : m_module->slots()) {
      const at::Tensor& tensor = m_memory[slot.name].updated(*slot.tensor);
      result.weights[slot.name] = tensor.detach();
      if (slot.traits.parameter) result.parameters.insert(slot.name);
      if (tensor.grad().defined()) result.gradients[slot.name] = tensor.grad();
    }
  }

 private:
  /// torch.nn.utils.clip_grad_norm_ as its documentation states it, with the parameters in the order of their names.
  void clip(double most) {
    std::map<std::string, at::Tensor> gradients;
    for (const TensorSlot& slot : m_module->slots()) {
      const at::Tensor& gradient = m_memory[slot.name].updated(*slot.tensor).grad();
      if (slot.traits.parameter && gradient.defined()) gradients.emplace(slot.name, gradient);
    }
    if (gradients.empty()) return;
    std::vector<at::Tensor> norms;
    for (const auto& [name, gradient] : gradients) norms.push_back(at::linalg_vector_norm(gradient));
    const at::Tensor total = at::linalg_vector_norm(at::stack(norms));
    const at::Tensor factor = at::clamp_max(total.add(1e-6).reciprocal().mul(most), 1);
    for (const auto& [name, gradient] : gradients) gradient.mul_(factor);
  }

  template <class Work>
  void forEachParameter(const Work& work) {
    for (const TensorSlot& slot : m_module->slots()) {
      if (slot.traits.isTrained()) work(*slot.tensor, m_memory[slot.name]);
    }
  }

  const Experiment& m_experiment;
  const at::ScalarType m_type;
  std::unique_ptr<StageModule> m_module;
  std::map<std::string, Memory> m_memory;
};

class Reference {
 public:
  Reference(const Experiment& experiment, const ModelSpec& spec, const TrainingInputs& inputs, const PlainOrder& order)
      : m_experiment(experiment), m_inputs(inputs), m_order(order), m_loss(experiment.training) {
    for (int r = 0; r < order.replicas; ++r)
      m_networks.push_back(std::make_unique<PlainNetwork>(experiment, spec, inputs));
  }

  double step(int step) {
    for (const auto& network : m_networks) {
      network->beginStep();
      if (network != m_networks.front()) network->copyFrom(*m_networks.front());
    }
    const StepRows rows = rowsOfStep(m_experiment.data, m_inputs.data.size(), step);
    const Samples batch = m_inputs.data.rows(rows.begin, rows.count);
    const double loss = m_order.gathered ? gathered(batch, step) : averaged(batch, step);
    if (!m_not_finite) m_not_finite = notFinite(loss, step);
    m_networks.front()->update(step);
    return loss;
  }

  void store(PlainResult& result) {
    m_networks.front()->store(result);
    result.not_finite = m_not_finite;
  }

 private:
  std::uint64_t seedOf(int step, int replica) const { return stepSeed(m_experiment.training.seed, step, replica); }

  std::optional<NotFinite> notFinite(double loss, int step) {
    if (!std::isfinite(loss)) return NotFinite{step, ""};
    const std::string gradient = m_networks.front()->gradientNotFinite();
    return gradient.empty() ? std::nullopt : std::optional(NotFinite{step, gradient});
  }

  double averaged(const Samples& batch, int step) {
    const int replicas = m_order.replicas;
    const std::optional<std::int64_t> valid = validBesidePadding(m_experiment.training, batch.targets);
    const auto valid_each = valid ? std::optional(static_cast<double>(*valid) / replicas) : std::nullopt;
    double loss = 0;
    for (int r = 0; r < replicas; ++r) {
      const auto rowsOf = [&](const at::Tensor& all) {
        return replicas == 1 ? all : all.slice(0, r, all.size(0), replicas);
      };
      loss += accumulated(*m_networks[static_cast<std::size_t>(r)], {rowsOf(batch.inputs), rowsOf(batch.targets)},
                          seedOf(step, r), valid_each);
    }
    if (replicas > 1) addUp(1.0 / replicas);
    return loss / replicas;
  }

  /// The loss of a network on its rows; its gradients are kept. With `valid` each target that is no padding has the
  /// same weight, so that the mean over replicas is the mean over the whole batch.
  double accumulated(PlainNetwork& network, const Samples& rows, std::uint64_t seed, std::optional<double> valid) {
    const MicroBatches planned{(m_experiment.data.batch + m_order.replicas - 1) / m_order.replicas, m_order.split_size};
    const MicroBatches split = planned.ofBatch(static_cast<int>(rows.inputs.size(0)));
    double sum = 0;
    for (MicroBatchId k{0}; k.value < split.count(); ++k.value) {
      const auto part = [&](const at::Tensor& all) { return all.narrow(0, split.begin(k), split.size(k)); };
      const at::Tensor output =
          network.forward(part(rows.inputs), mixedSeed(seed, static_cast<std::uint64_t>(k.value)));
      const at::Tensor numbers = output.to(at::kFloat), targets = part(rows.targets);
      const at::Tensor loss = valid ? lossPerValidTarget(m_loss, numbers, targets, *valid)
                                    : weightedLoss(m_loss, numbers, targets, split.weight(k));
      if (loss.requires_grad()) loss.backward();
      network.collectGradients();
      sum += loss.item<double>();
    }
    return sum;
  }

  /// What the loss is taken of: the outputs, or the mean of the losses that they are.
  at::Tensor gatheredOutput(const at::Tensor& all, const std::vector<at::Tensor>& chunks) const {
    if (m_loss.kind != Loss::Output) return all;
    std::vector<int> samples;
    for (const at::Tensor& chunk : chunks) samples.push_back(static_cast<int>(chunk.size(0)));
    return meanOfLosses(all, samples);
  }

  double gathered(const Samples& batch, int step) {
    const std::vector<at::Tensor> chunks = batch.inputs.chunk(m_order.replicas);
    std::vector<at::Tensor> outputs, leaves;
    for (std::size_t r = 0; r < chunks.size(); ++r) {
      outputs.push_back(m_networks[r]->forward(chunks[r], mixedSeed(seedOf(step, static_cast<int>(r)), 0)));
      const at::Tensor leaf = outputs.back().detach();
      leaves.push_back(leaf.dim() == 0 ? leaf.reshape({1}) : leaf);
    }
    const at::Tensor all = at::cat(leaves).requires_grad_();
    const at::Tensor loss = weightedLoss(m_loss, gatheredOutput(all.to(at::kFloat), chunks), batch.targets, 1);
    loss.backward();
    const std::vector<at::Tensor> gradients = all.grad().chunk(m_order.replicas);
    for (std::size_t r = 0; r < chunks.size(); ++r) {
      if (outputs[r].requires_grad()) outputs[r].backward(gradients[r].reshape(outputs[r].sizes()));
      m_networks[r]->collectGradients();
    }
    addUp(1);
    return loss.item<double>();
  }

  /// The first network's gradients become the sum of all, each times `factor`.
  void addUp(double factor) {
    const std::vector<at::Tensor*> sums = m_networks.front()->gradients();
    for (const auto& network : m_networks) {
      const std::vector<at::Tensor*> own = network->gradients();
      for (std::size_t i = 0; i < sums.size(); ++i) {
        if (!own[i]->defined()) continue;
        const at::Tensor part = factor == 1 ? *own[i] : own[i]->mul(factor);
        *sums[i] = network == m_networks.front() ? part : sums[i]->add(part);
      }
    }
  }

  const Experiment& m_experiment;
  const TrainingInputs& m_inputs;
  const PlainOrder m_order;
  const LossRule m_loss;
  std::vector<std::unique_ptr<PlainNetwork>> m_networks;
  std::optional<NotFinite> m_not_finite;
};

}  // namespace

PlainResult trainPlainly(const Experiment& experiment, const ModelSpec& spec, const TrainingInputs& inputs,
                         const PlainOrder& order, std::stop_token stop) {
  Reference reference(experiment, spec, inputs, order);
  PlainResult result;
  for (int step = 0; step < experiment.data.steps && !stop.stop_requested(); ++step)
    result.losses.push_back(reference.step(step));
  reference.store(result);
  return result;
}

}  // namespace lanelab
