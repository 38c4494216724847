// SPDX-License-Identifier: GPL-3.0-only
#include "engine/cuda/nccl_group.h"

#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

namespace lanelab {

c10::intrusive_ptr<c10d::Backend> makeNcclGroup(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                                                c10::DeviceIndex device, std::chrono::milliseconds timeout) {
  // Not on a stream of high priority: the reduction shall not take multiprocessors from the backward pass that it runs
  // beside. DistributedDataParallel's default.
  auto options = c10d::ProcessGroupNCCL::Options::create(/*is_high_priority_stream=*/false);
  options->timeout = timeout;
  auto group = c10::make_intrusive<c10d::ProcessGroupNCCL>(store, rank, size, options);
  // Otherwise the first collective would wait for all members, on its lane.
  group->eagerConnectSingleDevice(at::Device(at::kCUDA, device));
  return group;
}

}  // namespace lanelab
