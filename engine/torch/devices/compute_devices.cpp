// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/devices/compute_devices.h"

#include <ATen/Context.h>

#include <algorithm>
#include <utility>

#include "engine/placement/map_lookup.h"
#include "engine/torch/devices/cuda_platform.h"

namespace lanelab {
namespace {

at::Device gpu(int number) { return at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(number)); }

}  // namespace

ComputeDevices::ComputeDevices(DeviceMap map, int gpus) : m_map(std::move(map)), m_gpus(gpus), m_main(at::kCPU) {
  int main = gpus;
  for (const auto& [path, place] : m_map.places) {
    if (place.kind != MapDevice::Kind::Gpu) continue;
    main = std::min(main, place.gpu);
    if (place.gpu >= gpus && std::find(m_missing.begin(), m_missing.end(), place.gpu) == m_missing.end())
      m_missing.push_back(place.gpu);
  }
  std::sort(m_missing.begin(), m_missing.end());
  if (main < gpus) m_main = gpu(main);
}

bool ComputeDevices::onDisk(std::string_view path) const { return placeOf(m_map, path).kind == MapDevice::Kind::Disk; }

at::Device ComputeDevices::home(std::string_view path) const {
  const MapDevice place = placeOf(m_map, path);
  return place.kind == MapDevice::Kind::Gpu && place.gpu < m_gpus ? gpu(place.gpu) : at::Device(at::kCPU);
}

at::Device ComputeDevices::compute(std::string_view path) const {
  const at::Device kept = home(path);
  return kept.is_cpu() ? m_main : kept;
}

void useFullPrecisionOn(const ComputeDevices& devices) {
  if (!devices.useGpus()) return;
  at::globalContext().setAllowTF32CuBLAS(false);
  at::globalContext().setAllowTF32CuDNN(false);
}

int usableGpus() {
  const CudaPlatform* const platform = cudaPlatform();
  return platform ? static_cast<int>(platform->devices().size()) : 0;
}

}  // namespace lanelab
