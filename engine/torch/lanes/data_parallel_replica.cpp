// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/data_parallel_replica.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

#include <utility>

namespace lanelab {

namespace {

std::int64_t rowsOf(const at::Tensor& output) { return output.defined() ? output.size(0) : 0; }

}  // namespace

DataParallelReplica::DataParallelReplica(const LaneParts& lane)
    : m_lane(lane), m_parameters(lane.stages.at(StageId{0}).network().parameters()) {}

void DataParallelReplica::join(const std::string&, Peers*) {
  m_round = 0;
  if (first()) exchange().offerWeights(m_parameters);
  m_source = exchange().awaitWeights();
}

at::Tensor DataParallelReplica::here(const at::Tensor& tensor) const { return tensor.to(m_lane.device.device()); }

bool DataParallelReplica::await(const Action& action) {
  const Nanoseconds began = monotonicNow();
  const auto done = [&](const char* what, Phase phase) {
    m_lane.spans.add(what, {began, monotonicNow()}, phase);
    return true;
  };
  if (action.kind == ActionKind::Forward) {
    if (first()) return false;
    copyWeights();
    return done("replicate weights", Phase::Forward);
  }
  if (action.kind == ActionKind::Backward && first()) {
    m_outputs = exchange().awaitOutputs(m_round);
    return done("gather outputs", Phase::Backward);
  }
  if (action.kind == ActionKind::Backward) {
    m_gradient = exchange().awaitGradient(m_lane.replica, m_round);
    return done("wait for the gradient", Phase::Backward);
  }
  m_weight_gradients = exchange().awaitWeightGradients(m_round);
  return done("wait for the gradients", Phase::Update);
}

void DataParallelReplica::copyWeights() {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < m_parameters.size(); ++i) m_parameters[i].copy_(m_source[i]);
  m_lane.device.finish();
}

void DataParallelReplica::offerOutput(const at::Tensor& output) {
  m_lane.device.finish();
  exchange().offerOutput(m_lane.replica, m_round, output.defined() ? output.detach() : output);
}

at::Tensor DataParallelReplica::gatherOutputs() {
  std::vector<at::Tensor> parts;
  for (const at::Tensor& output : m_outputs) {
    if (output.defined()) parts.push_back(here(output));
  }
  return at::cat(parts).requires_grad_();
}

void DataParallelReplica::scatterGradient(const at::Tensor& gradient) {
  m_lane.device.finish();
  std::vector<std::int64_t> sizes;
  for (const at::Tensor& output : m_outputs) sizes.push_back(rowsOf(output));
  std::vector<at::Tensor> gradients = gradient.split_with_sizes(sizes);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (sizes[i] == 0) gradients[i] = at::Tensor();
  }
  m_gradient = gradients[0];
  exchange().scatter(m_round, std::move(gradients));
  m_outputs.clear();
}

at::Tensor DataParallelReplica::outputGradient() {
  return m_gradient.defined() ? here(std::exchange(m_gradient, {})) : at::Tensor();
}

void DataParallelReplica::afterBackward() {
  if (first()) return;  // its gradients are where the others' are added
  m_lane.device.finish();
  std::vector<at::Tensor> gradients;
  for (const at::Tensor& parameter : m_parameters) gradients.push_back(parameter.grad());
  exchange().offerWeightGradients(m_lane.replica, m_round, std::move(gradients));
}

void DataParallelReplica::beforeUpdate() {
  const at::NoGradGuard no_grad;
  for (const std::vector<at::Tensor>& gradients : m_weight_gradients) {
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
      if (gradients[i].defined()) m_parameters[i].mutable_grad().add_(here(gradients[i]));
    }
  }
  m_weight_gradients.clear();
}

}  // namespace lanelab
