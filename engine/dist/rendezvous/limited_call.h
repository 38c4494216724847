// SPDX-License-Identifier: GPL-3.0-only
// Calls that may block for ever, such as a look-up of a name or a question to a store whose machine is gone.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "engine/dist/rendezvous/awake_time.h"

namespace lanelab {

/// Calls `work` on a thread of its own and returns what it returns, or throws what it throws; nothing when it has not
/// ended within `limit`. `work` must own all that it uses, since it may run on.
template <class Value>
std::optional<Value> withinLimit(std::chrono::milliseconds limit, std::function<Value()> work) {
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<Value> value;
    std::exception_ptr error;
  };
  constexpr std::chrono::milliseconds kLook(100);
  const auto state = std::make_shared<State>();
  std::thread([state, work = std::move(work)]() mutable {
    std::optional<Value> value;
    std::exception_ptr error;
    try {
      value.emplace(work());
    } catch (...) {
      error = std::current_exception();
    }
    work = nullptr;
    const std::lock_guard lock(state->mutex);
    state->value = std::move(value);
    state->error = error;
    state->changed.notify_all();
  }).detach();
  AwakeTime awake(2 * kLook);
  std::unique_lock lock(state->mutex);
  while (!state->changed.wait_for(lock, kLook, [&] { return state->value || state->error; })) {
    if (awake.passed() >= limit) return std::nullopt;
  }
  if (state->error) std::rethrow_exception(state->error);
  return std::move(state->value);
}

}  // namespace lanelab
