// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/lane_stages.h"

#include <ATen/core/grad_mode.h>

#include <functional>

#include "engine/torch/devices/torch_errors.h"

namespace lanelab {

LaneStages::LaneStages(const TrainingJob& job, LaneId lane, int replica, DeviceLane& device)
    : m_job(job), m_replica(replica), m_device(device) {
  withPlainErrors([&] {
    const StageLanes lanes = m_job.plan.stageLanes();
    for (const Stage& stage : m_job.plan.stages) {
      if (lanes[static_cast<std::size_t>(replica)][stage.id.index()] == lane)
        m_stages.try_emplace(stage.id, stage, m_job, m_device.device());
    }
  });
}

std::vector<StageId> LaneStages::ids() const {
  std::vector<StageId> ids;
  for (const auto& [id, stage] : m_stages) ids.push_back(id);
  return ids;
}

void LaneStages::beginRepeat() {
  for (auto& [id, stage] : m_stages) stage.beginRepeat(m_job.inputs->weights);
}

void LaneStages::beginStep(int step) {
  for (auto& [id, stage] : m_stages) stage.beginStep(stepSeed(m_job.experiment.training.seed, step, m_replica));
}

template <class TensorsOf>
NamedTensors LaneStages::onHost(const TensorsOf& tensorsOf) const {
  return withPlainErrors([&] {
    m_device.finish();
    NamedTensors all;
    for (const auto& [id, stage] : m_stages) {
      for (auto& [name, tensor] : tensorsOf(stage.network())) all.emplace_back(name, tensor.detach().to(at::kCPU));
    }
    return all;
  });
}

NamedTensors LaneStages::weights() const { return onHost(std::mem_fn(&StageNetwork::tensors)); }
NamedTensors LaneStages::state() const { return onHost(std::mem_fn(&StageNetwork::state)); }

NamedTensors LaneStages::gradients() const {
  return onHost([](const StageNetwork& network) {
    NamedTensors gradients;
    for (const auto& [name, tensor] : network.tensors()) {
      if (tensor.grad().defined()) gradients.emplace_back(name, tensor.grad());
    }
    return gradients;
  });
}

void LaneStages::setState(const TensorMap& state, int steps) {
  withPlainErrors([&] {
    for (auto& [id, stage] : m_stages) stage.network().setState(state, steps);
    m_device.finish();
  });
}

TensorList LaneStages::evaluate(StageId stage, const TensorList& inputs) {
  return withPlainErrors([&] {
    const at::NoGradGuard no_grad;
    TensorList values;
    for (const at::Tensor& input : inputs) {
      const at::Tensor value = m_device.fromHost(input);
      values.push_back(stage.value == 0 ? asModelInput(value, m_job.plan.modes) : value);
    }
    values = m_stages.at(stage).network().evaluate(values);
    m_device.finish();
    for (at::Tensor& value : values) value = value.to(at::kCPU);
    return values;
  });
}

}  // namespace lanelab
