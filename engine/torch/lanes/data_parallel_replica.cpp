// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/data_parallel_replica.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

#include <utility>

namespace lanelab {

DataParallelReplica::DataParallelReplica(std::shared_ptr<DataParallelExchange> room, int replica,
                                         std::vector<at::Tensor> parameters, DeviceLane& device, ReplicaSpans& spans)
    : m_room(std::move(room)),
      m_replica(replica),
      m_parameters(std::move(parameters)),
      m_device(device),
      m_spans(spans) {}

void DataParallelReplica::join() {
  m_round = 0;
  if (first()) m_room->offerWeights(m_parameters);
  m_source = m_room->awaitWeights();
}

at::Tensor DataParallelReplica::here(const at::Tensor& tensor) const { return tensor.to(m_device.device()); }

bool DataParallelReplica::await(ActionKind kind) {
  const Nanoseconds began = monotonicNow();
  const auto done = [&](const char* what, Phase phase) {
    m_spans.add(what, {began, monotonicNow()}, phase);
    return true;
  };
  if (kind == ActionKind::Forward) {
    if (first()) return false;
    copyWeights();
    return done("replicate weights", Phase::Forward);
  }
  if (kind == ActionKind::Backward && first()) {
    m_outputs = m_room->awaitOutputs(m_round);
    return done("gather outputs", Phase::Backward);
  }
  if (kind == ActionKind::Backward) {
    m_gradient = m_room->awaitGradient(m_replica, m_round);
    return done("wait for the gradient", Phase::Backward);
  }
  m_weight_gradients = m_room->awaitWeightGradients(m_round);
  return done("wait for the gradients", Phase::Update);
}

void DataParallelReplica::copyWeights() {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < m_parameters.size(); ++i) m_parameters[i].copy_(m_source[i]);
  m_device.finish();
}

void DataParallelReplica::offerOutput(const at::Tensor& output) {
  m_device.finish();
  m_room->offerOutput(m_replica, m_round, output.defined() ? output.detach() : output);
}

at::Tensor DataParallelReplica::scatterLossGradient(const std::function<at::Tensor(const at::Tensor&)>& loss) {
  std::vector<at::Tensor> parts;
  std::vector<std::int64_t> sizes;
  for (const at::Tensor& output : m_outputs) {
    if (output.defined()) parts.push_back(here(output));
    sizes.push_back(output.defined() ? output.size(0) : 0);
  }
  m_gathered = at::cat(parts).requires_grad_();
  at::Tensor of_all = loss(m_gathered);
  of_all.backward();
  m_device.finish();
  std::vector<at::Tensor> gradients = m_gathered.grad().split_with_sizes(sizes);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (sizes[i] == 0) gradients[i] = at::Tensor();
  }
  m_gradient = gradients[0];
  m_room->scatter(m_round, std::move(gradients));
  m_outputs.clear();
  return of_all.detach();
}

at::Tensor DataParallelReplica::outputGradient() {
  return m_gradient.defined() ? here(std::exchange(m_gradient, {})) : at::Tensor();
}

void DataParallelReplica::offerWeightGradients() {
  m_device.finish();
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& parameter : m_parameters) gradients.push_back(parameter.grad());
  m_room->offerWeightGradients(m_replica, m_round, std::move(gradients));
}

void DataParallelReplica::addWeightGradients() {
  const at::NoGradGuard no_grad;
  for (const std::vector<at::Tensor>& gradients : m_weight_gradients) {
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
      if (gradients[i].defined()) m_parameters[i].mutable_grad().add_(here(gradients[i]));
    }
  }
  m_weight_gradients.clear();
  m_gathered = at::Tensor();
}

}  // namespace lanelab
