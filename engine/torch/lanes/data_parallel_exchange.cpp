// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/data_parallel_exchange.h"

#include <algorithm>
#include <stdexcept>

namespace lanelab {

DataParallelExchange::DataParallelExchange(int replicas)
    : m_outputs(static_cast<std::size_t>(replicas)), m_weight_gradients(static_cast<std::size_t>(replicas)) {}

void DataParallelExchange::open() {
  const std::lock_guard lock(m_mutex);
  m_closed = false;
  m_outputs.assign(m_outputs.size(), {});
  m_weight_gradients.assign(m_weight_gradients.size(), {});
  m_scattered = {};
  m_weights.clear();
}

template <class Ready>
std::unique_lock<std::mutex> DataParallelExchange::await(Ready ready) {
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, [&] { return m_closed || ready(); });
  if (m_closed) throw std::runtime_error("another replica left the step.");
  return lock;
}

template <class T>
std::vector<T> DataParallelExchange::awaitAll(std::vector<Offered<T>>& offered, std::size_t first, int round) {
  const auto begin = offered.begin() + static_cast<std::ptrdiff_t>(first);
  const auto lock = await(
      [&] { return std::all_of(begin, offered.end(), [&](const Offered<T>& one) { return one.round == round; }); });
  std::vector<T> values;
  for (auto one = begin; one != offered.end(); ++one) values.push_back(std::move(one->value));
  return values;
}

std::vector<at::Tensor> DataParallelExchange::awaitWeights() {
  const auto lock = await([&] { return !m_weights.empty(); });
  return m_weights;
}

std::vector<at::Tensor> DataParallelExchange::awaitOutputs(int round) { return awaitAll(m_outputs, 0, round); }

at::Tensor DataParallelExchange::awaitGradient(int replica, int round) {
  const auto lock = await([&] { return m_scattered.round == round; });
  return std::move(m_scattered.value[static_cast<std::size_t>(replica)]);
}

std::vector<std::vector<at::Tensor>> DataParallelExchange::awaitWeightGradients(int round) {
  return awaitAll(m_weight_gradients, 1, round);
}

}  // namespace lanelab
