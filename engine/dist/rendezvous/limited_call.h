// SPDX-License-Identifier: GPL-3.0-only
// Calls that may block for ever, such as a look-up of a name or a question to a store whose machine is gone.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "engine/dist/rendezvous/awake_time.h"

namespace lanelab {

/// Calls `work` on a thread of its own and returns what it returns, or throws what it throws; nothing when it has not
/// ended within `limit`. `work` must own all that it uses, since it may run on.
template <class Value>
std::optional<Value> withinLimit(std::chrono::milliseconds limit, std::function<Value()> work) {
  constexpr std::chrono::milliseconds kLook(100);
  std::promise<Value> promise;
  std::future<Value> answer = promise.get_future();
  std::thread([promise = std::move(promise), work = std::move(work)]() mutable {
    try {
      Value value = std::exchange(work, nullptr)();  // what it owns is gone before the caller continues
      promise.set_value(std::move(value));
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  }).detach();
  AwakeTime awake(2 * kLook);
  while (answer.wait_for(kLook) != std::future_status::ready) {
    if (awake.passed() >= limit) return std::nullopt;
  }
  return answer.get();
}

}  // namespace lanelab
