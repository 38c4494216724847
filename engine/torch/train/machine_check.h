// SPDX-License-Identifier: GPL-3.0-only
// What of an experiment this machine cannot do, or does badly.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/lanes/executor.h"

namespace lanelab {

/// Every device a lane may name here: one a CPU core, one a GPU.
std::vector<DeviceInfo> devicesHere();

/// The processor's instructions for bf16 ("AVX-512 BF16"), or "none".
std::string bf16Instructions();
/// Whether PyTorch computes bf16 by oneDNN on this processor, which takes AVX-512. Without it, measured with one thread
/// and oneDNN held to AVX2 (PyTorch 2.11 and 2.15; pytorch/pytorch, issue 183815): 3x3 convolutions were 10 to 16 times
/// slower than in fp32 in channels_last and 25 to 49 times in contiguous, linear layers of 128 to 512 12 to 25 times.
bool hasFastBf16();
/// A sentence for variants that train in bf16 on CPU lanes of a processor with these bf16Instructions() and
/// hasFastBf16(), and what to do; empty for others.
std::string slowBf16Warning(const Experiment& experiment, const std::string& instructions, bool fast);

/// Missing devices.
Status checkLanes(const std::vector<LaneConfig>& lanes);

}  // namespace lanelab
