// SPDX-License-Identifier: GPL-3.0-only
// The CUDA half, opened at run time: an interface that the module engine/cuda implements, and the way to find it.
#pragma once

#include <c10/util/intrusive_ptr.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/packages.h"
#include "engine/torch/devices/device_lane.h"
#include "profiler/collect/collector.h"

namespace c10d {
class Backend;
class Store;
}  // namespace c10d

namespace lanelab {

struct CudaDevice {
  std::string name;
  std::int64_t bytes = 0;
  std::string bus;     ///< its address there, "0000:3b:00.0"
  std::string limits;  ///< of power and clocks: "power 700 W, SM 1980 MHz, memory 2619 MHz"; "unknown" is said
};

/// One an open module; lives to the end of the process. Any thread.
class CudaPlatform {
 public:
  virtual ~CudaPlatform() = default;
  virtual std::vector<CudaDevice> devices() const = 0;
  virtual std::string driverVersion() const = 0;
  /// NVIDIA's own number of the driver, "580.95.05"; "unknown" if it cannot be asked.
  virtual std::string gpuDriver() const = 0;
  /// CUDA's runtime, cuDNN and NCCL.
  virtual Packages packages() const = 0;
  /// On the own thread of the experiment's lane `lane`: a stream of its own, and backward on this thread.
  virtual std::unique_ptr<DeviceLane> makeLane(int device, LaneId lane) const = 0;
  /// Kernels, copies and synchronisation of the GPU, for the tracks of the lanes; with `call_rows` also the lanes'
  /// calls into CUDA, a span each.
  virtual std::unique_ptr<Collector> makeCollector(bool call_rows) const = 0;
  /// A group of NCCL of which this device is a member; all are on different GPUs. Returns when all members are
  /// connected, which may be never when one is gone. Work of the group that is not done within `timeout` is an error.
  /// Throws c10::Error.
  virtual c10::intrusive_ptr<c10d::Backend> ncclGroup(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                                                      int device, std::chrono::milliseconds timeout) const = 0;
};

/// The platform, or null with a sentence why not: no driver (libcuda.so.1), no module beside the program, no device.
/// The first call loads; cheap where no driver is. Any thread.
const CudaPlatform* cudaPlatform(std::string* why_not = nullptr);

/// What the module exports under kCudaFactoryName; null when there is no usable device.
using CudaFactory = CudaPlatform* (*)();
inline constexpr const char* kCudaFactoryName = "lanelabCudaPlatform";

}  // namespace lanelab
