// SPDX-License-Identifier: GPL-3.0-only
// Lets long loops end soon after a request to stop.
#pragma once

#include <cstdint>
#include <exception>
#include <stop_token>
#include <utility>

namespace lanelab {

class StoppedError : public std::exception {
 public:
  const char* what() const noexcept override { return "stopped on request"; }
};

/// Call it once a step; it costs next to nothing, since the token is looked at in every 1024th step only. One thread.
class StopCheck {
 public:
  explicit StopCheck(std::stop_token stop) : m_stop(std::move(stop)) {}
  /// Throws StoppedError once a stop was requested.
  void operator()() {
    constexpr std::uint32_t kEvery = 1024;
    if (++m_steps % kEvery == 0) now();
  }
  void now() const {
    if (m_stop.stop_requested()) throw StoppedError();
  }

 private:
  std::stop_token m_stop;
  std::uint32_t m_steps = 0;
};

}  // namespace lanelab
