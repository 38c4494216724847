// SPDX-License-Identifier: GPL-3.0-only
// What a recording of GPU activity got, and what it lost or could not place.
#pragma once

#include <algorithm>
#include <cstdint>

#include "profiler/trace/trace.h"

namespace lanelab {

struct GpuActivity {
  std::int64_t kernels = 0;  ///< on lanes' rows
  std::int64_t copies = 0;
  std::int64_t memsets = 0;
  std::int64_t graph_nodes = 0;    ///< of these, what CUDA graphs launched
  std::int64_t dropped = 0;        ///< records for which there was no room, and buffers that could not be read
  std::int64_t without_time = 0;   ///< records whose time the device lost
  std::int64_t unattributed = 0;   ///< kernels of no known action or step, also where no lane is known
  std::int64_t before_launch = 0;  ///< kernels that began before their launch call: the clocks disagree
  std::int64_t clock_steps = 0;    ///< times that the system's clock was set
  Nanoseconds clock_residual = 0;  ///< as far as the GPU's and the host's times may be apart
  Nanoseconds overhead = 0;        ///< that the recorder itself took of the lanes' host threads, as far as it tells

  bool operator==(const GpuActivity&) const = default;
  /// Several recordings: counts add up, of residuals the largest counts.
  GpuActivity& operator+=(const GpuActivity& other) {
    for (const auto count :
         {&GpuActivity::kernels, &GpuActivity::copies, &GpuActivity::memsets, &GpuActivity::graph_nodes,
          &GpuActivity::dropped, &GpuActivity::without_time, &GpuActivity::unattributed, &GpuActivity::before_launch,
          &GpuActivity::clock_steps, &GpuActivity::overhead})
      this->*count += other.*count;
    clock_residual = std::max(clock_residual, other.clock_residual);
    return *this;
  }
};

}  // namespace lanelab
