// SPDX-License-Identifier: GPL-3.0-only
// On which device each module under a device map keeps its weights, and on which it computes.
//
// As dispatch_model of Hugging Face accelerate (big_modeling.py): a module on a GPU computes there; one that the map
// puts on the CPU or on disk computes on the main device, to which its weights are brought for each use. The main
// device is a GPU where the map names one (here the one of the lowest number), else the CPU.
#pragma once

#include <c10/core/Device.h>

#include <string_view>
#include <vector>

#include "engine/placement/device_map.h"

namespace lanelab {

class ComputeDevices {
 public:
  /// `gpus` of this machine are used. What the map puts on others is kept in memory, and the CPU computes it unless
  /// there is another main device.
  ComputeDevices(DeviceMap map, int gpus);

  /// Of a module or a tensor.
  bool onDisk(std::string_view path) const;
  at::Device home(
      std::string_view path) const;  ///< where its weights are kept; where those on disk are put when they are read
  at::Device compute(std::string_view path) const;

  /// Anything is computed on a GPU.
  bool useGpus() const { return m_main.is_cuda(); }

  /// GPUs that the map names and this machine has not.
  const std::vector<int>& missing() const { return m_missing; }

 private:
  DeviceMap m_map;
  int m_gpus;
  at::Device m_main;
  std::vector<int> m_missing;
};

/// Where `devices` use GPUs, these multiply fp32 from now on as the CPU does, not in tf32, which cuDNN would choose.
/// For the whole process, until a session says otherwise.
void useFullPrecisionOn(const ComputeDevices& devices);

/// GPUs of this machine that CUDA can use; 0 where its part of LaneLab is not at hand. Any thread.
int usableGpus();

}  // namespace lanelab
