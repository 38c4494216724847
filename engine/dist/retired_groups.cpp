// SPDX-License-Identifier: GPL-3.0-only
#include "engine/dist/retired_groups.h"

#include <exception>
#include <thread>
#include <utility>

namespace lanelab {

RetiredGroups::~RetiredGroups() { await(std::chrono::seconds(10)); }

void RetiredGroups::retire(std::function<void()> end) {
  {
    const std::lock_guard lock(m_state->mutex);
    ++m_state->open;
  }
  std::thread([state = m_state, end = std::move(end)]() mutable {
    try {
      end();
    } catch (const std::exception&) {
      // What broke was told where it broke; here it is only put away.
    }
    end = nullptr;
    const std::lock_guard lock(state->mutex);
    --state->open;
    state->changed.notify_all();
  }).detach();
}

bool RetiredGroups::await(std::chrono::milliseconds limit) {
  std::unique_lock lock(m_state->mutex);
  return m_state->changed.wait_for(lock, limit, [this] { return m_state->open == 0; });
}

}  // namespace lanelab
