// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/lane_ties.h"

#include <algorithm>

namespace lanelab {

void LaneTies::beginStep() {
  m_done.clear();
  ++m_round;
}

template <class Work>
void LaneTies::forEachTied(StageId stage, const Work& work) {
  const StageNetwork& network = m_stages.at(stage).network();
  for (const auto& [name, users] : m_job.ties->stages()) {
    if (std::ranges::find(users, stage) == users.end()) continue;
    const auto place = std::ranges::find(network.parameterNames(), name) - network.parameterNames().begin();
    work(name, network.parameters()[static_cast<std::size_t>(place)]);
  }
}

void LaneTies::afterBackward(StageId stage) {
  if (!m_job.ties || ++m_done[stage] < m_job.plan.micro_batches.count()) return;
  // On the host, where lanes of other devices can read it.
  forEachTied(stage, [&](const std::string& name, const at::Tensor& parameter) {
    m_job.ties->offer({name, stage}, m_round,
                      parameter.grad().defined() ? parameter.grad().to(at::kCPU) : at::Tensor());
  });
}

bool LaneTies::await(StageId stage) {
  bool waited = false;
  if (!m_job.ties) return waited;
  forEachTied(stage, [&](const std::string& name, const at::Tensor& parameter) {
    const at::Tensor sum = m_job.ties->awaitSum(name, m_round);
    parameter.mutable_grad() = sum.defined() ? sum.to(parameter.device()) : sum;
    waited = true;
  });
  return waited;
}

void LaneTies::leave() {
  if (m_job.ties) m_job.ties->close();
}

}  // namespace lanelab
