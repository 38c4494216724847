#include "engine/torch/lanes/data_parallel.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace lanelab {

DataParallelRoom::DataParallelRoom(int replicas)
    : m_outputs(static_cast<std::size_t>(replicas)), m_weight_gradients(static_cast<std::size_t>(replicas)) {}

void DataParallelRoom::open() {
  const std::lock_guard lock(m_mutex);
  m_closed = false;
  std::fill(m_outputs.begin(), m_outputs.end(), Offered<at::Tensor>{});
  std::fill(m_weight_gradients.begin(), m_weight_gradients.end(), Offered<std::vector<at::Tensor>>{});
  m_scattered = {};
  m_weights.clear();
}

void DataParallelRoom::close() {
  {
    const std::lock_guard lock(m_mutex);
    m_closed = true;
  }
  m_changed.notify_all();
}

template <class Ready>
std::unique_lock<std::mutex> DataParallelRoom::await(Ready ready) {
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, [&] { return m_closed || ready(); });
  if (m_closed) throw std::runtime_error("another replica left the step.");
  return lock;
}

void DataParallelRoom::offerWeights(std::vector<at::Tensor> parameters) {
  {
    const std::lock_guard lock(m_mutex);
    m_weights = std::move(parameters);
  }
  m_changed.notify_all();
}

std::vector<at::Tensor> DataParallelRoom::awaitWeights() {
  const auto lock = await([&] { return !m_weights.empty(); });
  return m_weights;
}

void DataParallelRoom::offerOutput(int replica, int round, at::Tensor output) {
  {
    const std::lock_guard lock(m_mutex);
    m_outputs[static_cast<std::size_t>(replica)] = {round, std::move(output)};
  }
  m_changed.notify_all();
}

std::vector<at::Tensor> DataParallelRoom::awaitOutputs(int round) {
  const auto lock = await([&] { return std::all_of(m_outputs.begin(), m_outputs.end(), [&](const auto& one) { return one.round == round; }); });
  std::vector<at::Tensor> outputs;
  for (auto& one : m_outputs) outputs.push_back(std::move(one.value));
  return outputs;
}

void DataParallelRoom::scatter(int round, std::vector<at::Tensor> gradients) {
  {
    const std::lock_guard lock(m_mutex);
    m_scattered = {round, std::move(gradients)};
  }
  m_changed.notify_all();
}

at::Tensor DataParallelRoom::awaitGradient(int replica, int round) {
  const auto lock = await([&] { return m_scattered.round == round; });
  return std::move(m_scattered.value[static_cast<std::size_t>(replica)]);
}

void DataParallelRoom::offerWeightGradients(int replica, int round, std::vector<at::Tensor> gradients) {
  {
    const std::lock_guard lock(m_mutex);
    m_weight_gradients[static_cast<std::size_t>(replica)] = {round, std::move(gradients)};
  }
  m_changed.notify_all();
}

std::vector<std::vector<at::Tensor>> DataParallelRoom::awaitWeightGradients(int round) {
  const auto others = [&] {
    return std::all_of(m_weight_gradients.begin() + 1, m_weight_gradients.end(), [&](const auto& one) { return one.round == round; });
  };
  const auto lock = await(others);
  std::vector<std::vector<at::Tensor>> gradients;
  for (std::size_t replica = 1; replica < m_weight_gradients.size(); ++replica) gradients.push_back(std::move(m_weight_gradients[replica].value));
  return gradients;
}

}  // namespace lanelab
