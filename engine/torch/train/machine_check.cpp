// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/train/machine_check.h"

#include <algorithm>

#include "base/text.h"
#include "engine/torch/devices/cpu_cores.h"
#include "engine/torch/devices/cuda_platform.h"
#include "engine/torch/devices/lane_memory.h"

namespace lanelab {

namespace {

Error missing(std::size_t lane, const std::string& what) {
  return Error::badInput("lanes[{}].device: {}.", lane, what);
}

Status checkCuda(std::size_t lane, Device device) {
  std::string why_not;
  const CudaPlatform* const platform = cudaPlatform(&why_not);
  if (!platform)
    return missing(lane, toString(device) + " is not there: " + why_not + ". Use a CPU core such as cpu:0");
  const auto devices = platform->devices();
  if (static_cast<std::size_t>(device.index) < devices.size()) return {};
  return missing(lane, toString(device) + " is not there: this machine has " + std::to_string(devices.size()) +
                           " GPUs, counted from cuda:0. Use one of these");
}

}  // namespace

std::vector<DeviceInfo> devicesHere() {
  const CpuCores& cores = CpuCores::ofThisMachine();
  const std::int64_t free = freeForLanes();
  std::vector<DeviceInfo> infos;
  for (int i = 0; i < cores.count(); ++i) {
    const std::string name = "core " + std::to_string(i);
    infos.push_back({Device::cpu(i), cores.processor().empty() ? name : name + " of " + cores.processor(), free});
  }
  if (const CudaPlatform* const platform = cudaPlatform()) {
    int i = 0;
    for (const CudaDevice& device : platform->devices()) {
      infos.push_back({Device::cuda(i++), device.name + ", " + formatBytes(device.bytes), device.bytes, device.limits});
    }
  }
  return infos;
}

std::string bf16Instructions() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("amx-bf16")) return "AMX";
  if (__builtin_cpu_supports("avx512bf16")) return "AVX-512 BF16";
#endif
  return "none";
}

bool hasFastBf16() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
#else
  return true;
#endif
}

std::string slowBf16Warning(const Experiment& experiment, const std::string& instructions, bool fast) {
  const bool cpu = std::any_of(experiment.lanes.begin(), experiment.lanes.end(),
                               [](const LaneConfig& lane) { return lane.device.isCpu(); });
  const bool bf16 =
      std::any_of(experiment.variants.begin(), experiment.variants.end(), [&](const VariantConfig& variant) {
        return variant.precision.value_or(experiment.training.precision) == Precision::Bf16;
      });
  if (!cpu || !bf16 || instructions != "none") return {};
  if (fast) return "This processor has no instructions for bf16: on CPU lanes it saves memory, not time.";
  return "This processor has no AVX-512, without which PyTorch has no fast bf16: linear layers and convolutions were "
         "10 "
         "to 25 times slower than in fp32, convolutions in the layout contiguous up to 49 times. Set the precision to "
         "fp32, or use GPU lanes.";
}

Status checkLanes(const std::vector<LaneConfig>& lanes) {
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    if (lanes[i].device.isCpu()) continue;
    if (const Status there = checkCuda(i, lanes[i].device); !there.ok()) return there;
  }
  return {};
}

}  // namespace lanelab
