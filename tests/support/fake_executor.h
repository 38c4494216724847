// SPDX-License-Identifier: GPL-3.0-only
// An executor whose stages only take time (or nothing): tests of the loop, the runner and the window need no torch.
#pragma once

#include <functional>

#include "engine/lanes/executor.h"

namespace lanelab {

struct FakeBehaviour {
  /// Nanoseconds to keep the lane busy (spinning) for an action; empty: no-op.
  std::function<std::int64_t(const Action&)> busy_ns;
  /// Called on the lane's thread before each action: may throw to plant a failure, or block on a latch.
  std::function<void(LaneId, const Action&, int step)> before;
  /// Called by measureBlocks() before each size: may block until something happens, or a stop is requested.
  std::function<void(int samples, std::stop_token stop)> before_size;
  std::int64_t training_rows =
      40;  ///< of an epoch; accuracy rises from epoch to epoch: 1/2, 2/3, 3/4 ..., validation a tenth below
  Status network = {};  ///< the answer of checkNetwork()
  std::vector<DeviceInfo> devices = {{Device::cpu(0), "fake core 0"}, {Device::cpu(1), "fake core 1"}};
};

std::unique_ptr<Executor> makeFakeExecutor(FakeBehaviour behaviour = {});

}  // namespace lanelab
