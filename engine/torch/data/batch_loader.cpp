// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/data/batch_loader.h"

#include <ATen/Parallel.h>

#include "base/stop_point.h"
#include "engine/torch/devices/thread_team.h"

namespace lanelab {

namespace {

constexpr int kAhead = 2;  ///< batches made before they are asked for

}  // namespace

BatchLoader::BatchLoader(std::shared_ptr<const TrainingInputs> inputs, DataConfig data, int threads)
    : m_inputs(std::move(inputs)), m_data(std::move(data)), m_threads(threads) {}

BatchLoader::~BatchLoader() { stop(); }

void BatchLoader::start(int first, int end) {
  stop();
  m_wanted = first;
  if (m_inputs->data.needsWork())
    m_thread = std::jthread([this, first, end](std::stop_token stop) { load(std::move(stop), first, end); });
}

void BatchLoader::stop() {
  m_thread = {};  // asks it to stop and joins
  m_ready.clear();
  m_failure = nullptr;
}

std::shared_ptr<const Samples> BatchLoader::made(int step) const {
  const StepRows rows = rowsOf(step);
  return std::make_shared<const Samples>(m_inputs->data.rows(rows.begin, rows.count));
}

void BatchLoader::load(std::stop_token stop, int first, int end) {
  at::set_num_threads(m_threads);
  const StopScope scope(stop);
  try {
    for (int step = first; step < end; ++step) {
      {
        std::unique_lock lock(m_mutex);
        if (!m_changed.wait(lock, stop, [&] { return step <= m_wanted + kAhead; })) return;
      }
      auto batch = made(step);
      dismissThreadTeam();
      const std::lock_guard lock(m_mutex);
      m_ready.emplace(step, std::move(batch));
      m_changed.notify_all();
    }
  } catch (...) {
    const std::lock_guard lock(m_mutex);
    m_failure = std::current_exception();
    m_changed.notify_all();
  }
}

std::shared_ptr<const Samples> BatchLoader::batch(int step) {
  if (!m_thread.joinable()) return made(step);
  std::unique_lock lock(m_mutex);
  m_wanted = std::max(m_wanted, step);
  m_ready.erase(m_ready.begin(), m_ready.lower_bound(m_wanted));
  m_changed.notify_all();
  m_changed.wait(lock, currentStopToken(), [&] { return m_failure || m_ready.count(step) > 0; });
  const auto found = m_ready.find(step);
  if (found == m_ready.end() && !m_failure) throw Stopped();
  if (found == m_ready.end()) std::rethrow_exception(m_failure);
  return found->second;
}

}  // namespace lanelab
