// SPDX-License-Identifier: GPL-3.0-only
// Groups of GPUs that pass tensors by NCCL, in PyTorch's own ProcessGroupNCCL.
#pragma once

#include <c10/core/Device.h>
#include <c10/util/intrusive_ptr.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>

namespace lanelab {

/// See CudaPlatform::ncclGroup().
c10::intrusive_ptr<c10d::Backend> makeNcclGroup(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                                                c10::DeviceIndex device, std::chrono::milliseconds timeout);

}  // namespace lanelab
