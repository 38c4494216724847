// SPDX-License-Identifier: GPL-3.0-only
// Ranges for NVIDIA's tools: steps, actions and blocks under the names that our traces have ("step 3", "1F3",
// "layer3.0").
//
// NVTX loads a tool at the first call, from where NVTX_INJECTION64_PATH points (Nsight Systems sets it). Without one
// nothing is ever recorded, and a range costs a look at a flag. All ranges lie in the domain "LaneLab".
#pragma once

#include <string>

namespace lanelab {

/// Whether a tool is attached, which does not change while the process lives. Any thread.
bool nvtxListens();

/// A range on the calling thread from here to the end of its life, which must be on the same thread, innermost first.
class NvtxRange {
 public:
  explicit NvtxRange(const std::string& name);
  ~NvtxRange();
  NvtxRange(const NvtxRange&) = delete;
  NvtxRange& operator=(const NvtxRange&) = delete;
};

}  // namespace lanelab
