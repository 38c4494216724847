// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/inference/read_ahead.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace lanelab {

ReadAhead::ReadAhead(std::vector<FetchedTensor> tensors, std::int64_t most_bytes, std::int64_t passes)
    : m_tensors(std::move(tensors)), m_most_bytes(most_bytes) {
  if (m_tensors.empty()) return;
  for (const FetchedTensor& tensor : m_tensors) m_most_bytes = std::max(m_most_bytes, tensor.bytes);
  m_thread = std::thread([this, passes] { fetchAll(passes); });
}

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(m_mutex);
    m_stopped = true;
  }
  m_changed.notify_all();
  if (m_thread.joinable()) m_thread.join();
}

void ReadAhead::fetchAll(std::int64_t passes) try {
  const at::NoGradGuard no_grad;
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    for (const FetchedTensor& next : m_tensors) {
      {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_stopped || m_in_flight + next.bytes <= m_most_bytes; });
        if (m_stopped) return;
        m_in_flight += next.bytes;
      }
      at::Tensor tensor = next.fetch();
      const std::lock_guard lock(m_mutex);
      m_ready.push_back(std::move(tensor));
      m_changed.notify_all();
    }
  }
} catch (...) {
  const std::lock_guard lock(m_mutex);
  m_failure = std::current_exception();
  m_changed.notify_all();
}

at::Tensor ReadAhead::acquire() {
  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, [&] { return !m_ready.empty() || m_failure; });
  m_waited += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (m_ready.empty()) std::rethrow_exception(m_failure);
  at::Tensor tensor = std::move(m_ready.front());
  m_ready.pop_front();
  return tensor;
}

void ReadAhead::release() {
  const FetchedTensor& done = m_tensors[m_using];
  m_using = (m_using + 1) % m_tensors.size();
  if (done.drop) done.drop();
  {
    const std::lock_guard lock(m_mutex);
    m_in_flight -= done.bytes;
  }
  m_changed.notify_all();
}

}  // namespace lanelab
