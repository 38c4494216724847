// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/tied_gradients.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace lanelab {

void TiedGradients::open() {
  const std::lock_guard lock(m_mutex);
  m_closed = false;
  m_offered.clear();
}

void TiedGradients::close() {
  {
    const std::lock_guard lock(m_mutex);
    m_closed = true;
  }
  m_changed.notify_all();
}

void TiedGradients::offer(const std::string& parameter, StageId stage, int round, at::Tensor gradient) {
  {
    const std::lock_guard lock(m_mutex);
    m_offered[parameter][stage] = {round, std::move(gradient)};
  }
  m_changed.notify_all();
}

at::Tensor TiedGradients::awaitSum(const std::string& parameter, int round) {
  const std::vector<StageId>& stages = m_stages.at(parameter);
  std::unique_lock lock(m_mutex);
  const auto& offered = m_offered[parameter];
  m_changed.wait(lock, [&] {
    return m_closed || (offered.size() == stages.size() &&
                        std::ranges::all_of(offered, [&](const auto& one) { return one.second.round == round; }));
  });
  if (m_closed) throw std::runtime_error("another lane left the step.");
  std::vector<at::Tensor> parts;
  for (const auto& [stage, part] : offered)
    if (part.gradient.defined()) parts.push_back(part.gradient);
  lock.unlock();
  at::Tensor sum;
  for (const at::Tensor& part : parts) sum = sum.defined() ? sum.add(part) : part;
  return sum;
}

}  // namespace lanelab
