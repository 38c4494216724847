// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/lanes/norm_exchange.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace lanelab {

void NormExchange::open() {
  const std::lock_guard lock(m_mutex);
  m_closed = false;
  m_offered.clear();
}

void NormExchange::close() {
  {
    const std::lock_guard lock(m_mutex);
    m_closed = true;
  }
  m_changed.notify_all();
}

void NormExchange::offer(LaneId lane, int round, GradientNorms norms) {
  {
    const std::lock_guard lock(m_mutex);
    m_offered[lane] = {round, std::move(norms)};
  }
  m_changed.notify_all();
}

GradientNorms NormExchange::awaitAll(int replica, int round) {
  const std::vector<LaneId>& lanes = m_lanes[static_cast<std::size_t>(replica)];
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, [&] {
    return m_closed || std::ranges::all_of(lanes, [&](LaneId lane) { return m_offered[lane].round == round; });
  });
  if (m_closed) throw std::runtime_error("another lane left the step.");
  GradientNorms all;
  for (const LaneId lane : lanes) all.insert(m_offered[lane].norms.begin(), m_offered[lane].norms.end());
  return all;
}

}  // namespace lanelab
