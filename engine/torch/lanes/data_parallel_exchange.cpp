// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/data_parallel_exchange.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace lanelab {

DataParallelExchange::DataParallelExchange(int replicas)
    : m_outputs(static_cast<std::size_t>(replicas)), m_weight_gradients(static_cast<std::size_t>(replicas)) {}

void DataParallelExchange::open() {
  const std::lock_guard lock(m_mutex);
  m_closed = false;
  std::fill(m_outputs.begin(), m_outputs.end(), Offered<at::Tensor>{});
  std::fill(m_weight_gradients.begin(), m_weight_gradients.end(), Offered<std::vector<at::Tensor>>{});
  m_scattered = {};
  m_weights.clear();
}

void DataParallelExchange::close() {
  {
    const std::lock_guard lock(m_mutex);
    m_closed = true;
  }
  m_changed.notify_all();
}

template <class Ready>
std::unique_lock<std::mutex> DataParallelExchange::await(Ready ready) {
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, [&] { return m_closed || ready(); });
  if (m_closed) throw std::runtime_error("another replica left the step.");
  return lock;
}

void DataParallelExchange::offerWeights(std::vector<at::Tensor> parameters) {
  {
    const std::lock_guard lock(m_mutex);
    m_weights = std::move(parameters);
  }
  m_changed.notify_all();
}

std::vector<at::Tensor> DataParallelExchange::awaitWeights() {
  const auto lock = await([&] { return !m_weights.empty(); });
  return m_weights;
}

void DataParallelExchange::offerOutput(int replica, int round, at::Tensor output) {
  {
    const std::lock_guard lock(m_mutex);
    m_outputs[static_cast<std::size_t>(replica)] = {round, std::move(output)};
  }
  m_changed.notify_all();
}

std::vector<at::Tensor> DataParallelExchange::awaitOutputs(int round) {
  const auto lock = await([&] {
    return std::all_of(m_outputs.begin(), m_outputs.end(), [&](const auto& one) { return one.round == round; });
  });
  std::vector<at::Tensor> outputs;
  for (auto& one : m_outputs) outputs.push_back(std::move(one.value));
  return outputs;
}

void DataParallelExchange::scatter(int round, std::vector<at::Tensor> gradients) {
  {
    const std::lock_guard lock(m_mutex);
    m_scattered = {round, std::move(gradients)};
  }
  m_changed.notify_all();
}

at::Tensor DataParallelExchange::awaitGradient(int replica, int round) {
  const auto lock = await([&] { return m_scattered.round == round; });
  return std::move(m_scattered.value[static_cast<std::size_t>(replica)]);
}

void DataParallelExchange::offerWeightGradients(int replica, int round, std::vector<at::Tensor> gradients) {
  {
    const std::lock_guard lock(m_mutex);
    m_weight_gradients[static_cast<std::size_t>(replica)] = {round, std::move(gradients)};
  }
  m_changed.notify_all();
}

std::vector<std::vector<at::Tensor>> DataParallelExchange::awaitWeightGradients(int round) {
  const auto others = [&] {
    return std::all_of(m_weight_gradients.begin() + 1, m_weight_gradients.end(),
                       [&](const auto& one) { return one.round == round; });
  };
  const auto lock = await(others);
  std::vector<std::vector<at::Tensor>> gradients;
  for (std::size_t replica = 1; replica < m_weight_gradients.size(); ++replica)
    gradients.push_back(std::move(m_weight_gradients[replica].value));
  return gradients;
}

}  // namespace lanelab
