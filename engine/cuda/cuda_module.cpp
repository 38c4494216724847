// SPDX-License-Identifier: GPL-3.0-only
// The module's face: the platform that engine/torch opens at run time.
#include <ATen/Context.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <c10/cuda/CUDAException.h>
#include <cuda_runtime_api.h>
#include <torch/csrc/cuda/nccl.h>
#include <torch/csrc/distributed/c10d/ProcessGroupNCCL.hpp>

#include <array>

#include "engine/cuda/cuda_lane.h"
#include "engine/cuda/nvml.h"
#include "engine/torch/devices/cuda_platform.h"

namespace lanelab {

namespace {

std::string busAddress(int device) {
  std::array<char, 32> address{};
  return cudaDeviceGetPCIBusId(address.data(), static_cast<int>(address.size()), device) == cudaSuccess
             ? address.data()
             : "GPU " + std::to_string(device);
}

std::string dotted(int version) { return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10); }

/// 91002 is 9.10.2.
std::string cudnnVersion() {
  const at::CUDAHooksInterface& hooks = at::detail::getCUDAHooks();
  if (!hooks.hasCuDNN()) return {};
  const long version = hooks.versionRuntimeCuDNN();
  return std::to_string(version / 10000) + "." + std::to_string(version % 10000 / 100) + "." +
         std::to_string(version % 100);
}

/// torch packs major, minor and patch into 32, 16 and 16 bits.
std::string ncclVersion() {
  const std::uint64_t version = torch::cuda::nccl::version();
  return std::to_string(version >> 32U) + "." + std::to_string(version >> 16U & 0xFFFFU) + "." +
         std::to_string(version & 0xFFFFU);
}

class Platform final : public CudaPlatform {
 public:
  std::vector<CudaDevice> devices() const override {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) return {};
    std::vector<CudaDevice> found;
    for (int i = 0; i < count; ++i) {
      cudaDeviceProp properties{};
      if (cudaGetDeviceProperties(&properties, i) != cudaSuccess) break;
      const std::string bus = busAddress(i);
      found.push_back(
          {properties.name, static_cast<std::int64_t>(properties.totalGlobalMem), bus, gpuLimits(nvmlHere(), bus)});
    }
    return found;
  }

  std::string driverVersion() const override {
    int driver = 0, runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    return "CUDA " + dotted(driver) + " (runtime " + dotted(runtime) + ")";
  }

  std::string gpuDriver() const override { return lanelab::gpuDriver(nvmlHere()); }

  Packages packages() const override {
    int runtime = 0;
    cudaRuntimeGetVersion(&runtime);
    return {{"CUDA", dotted(runtime)}, {"cuDNN", cudnnVersion()}, {"NCCL", ncclVersion()}};
  }

  std::unique_ptr<DeviceLane> makeLane(int device, LaneId lane) const override {
    return makeCudaLane(device, lane.value, m_streams);
  }

  std::unique_ptr<Collector> makeCollector(bool call_rows) const override {
    CuptiOptions options;
    options.lane_of_stream = [this](CudaStream stream) { return m_streams.laneOf(stream); };
    options.lane_of_context = [this](std::uint32_t context) { return m_streams.laneOfContext(context); };
    options.call_rows = call_rows;
    return std::make_unique<CuptiCollector>(std::move(options));
  }

  c10::intrusive_ptr<c10d::Backend> ncclGroup(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                                              int device, std::chrono::milliseconds timeout) const override {
    at::globalContext().lazyInitDevice(at::kCUDA);  // NCCL may be a process's first use of the GPU
    // Not on a stream of high priority: the reduction shall not take multiprocessors from the backward pass that it
    // runs beside. DistributedDataParallel's default.
    auto options = c10d::ProcessGroupNCCL::Options::create(/*is_high_priority_stream=*/false);
    options->timeout = timeout;
    auto group = c10::make_intrusive<c10d::ProcessGroupNCCL>(store, rank, size, options);
    // Otherwise the first collective would wait for all members, on its lane.
    group->eagerConnectSingleDevice(at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(device)));
    return group;
  }

 private:
  mutable StreamLanes m_streams;
};

}  // namespace

}  // namespace lanelab

/// See kCudaFactoryName. The platform is never destroyed, since lanes and the driver's own threads may outlive every
/// static object.
extern "C" __attribute__((visibility("default"))) lanelab::CudaPlatform* lanelabCudaPlatform() {
  static lanelab::Platform* const platform = new lanelab::Platform;
  return platform->devices().empty() ? nullptr : platform;
}
