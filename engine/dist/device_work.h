// SPDX-License-Identifier: GPL-3.0-only
// Finds out when work on a GPU has ended.
//
// A future of NCCL's is done as soon as the work is launched, and whoever uses it makes a stream wait for the rest,
// without limit. So this thread asks the work itself, which also tells of NCCL's asynchronous errors, and the lane goes
// on when the result is there, a fault is known or the time is over.
#pragma once

#include <c10/core/Event.h>
#include <torch/csrc/distributed/c10d/Work.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "profiler/trace/span.h"

namespace lanelab {

/// Thread: follow() from one thread.
class DeviceWorkWatch {
 public:
  /// Host times; `error` is empty where it ended well.
  struct End {
    TimeRange time;
    std::string error;
  };
  using Ended = std::function<void(const End& end)>;

  /// Work of `device` that has not ended after `timeout` ends with an error.
  DeviceWorkWatch(c10::Device device, std::chrono::milliseconds timeout);
  ~DeviceWorkWatch();  ///< forgets what has not ended
  DeviceWorkWatch(const DeviceWorkWatch&) = delete;
  DeviceWorkWatch& operator=(const DeviceWorkWatch&) = delete;

  /// Recorded on the calling thread's current stream: what is launched next begins after it. Nothing for a device
  /// without events.
  std::optional<c10::Event> now() const;
  /// Work in the order in which it was launched, each begun after `begin`. `ended` is called once, on the watch's
  /// thread.
  void follow(c10::intrusive_ptr<c10d::Work> work, std::optional<c10::Event> begin, Ended ended);

 private:
  struct State;
  c10::Device m_device;
  std::shared_ptr<State> m_state;  ///< shared with the thread, which may hang in the driver
};

}  // namespace lanelab
