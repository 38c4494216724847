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
/// Whether oneDNN computes convolutions in bf16 on this processor, which takes AVX-512. Else those of the layout
/// contiguous were 5.5 times slower than those of channels_last (ResNet-18, measured in PyTorch without oneDNN).
bool hasBf16Convolutions();
/// A sentence for variants that train in bf16 on CPU lanes of a processor with these bf16Instructions() and
/// hasBf16Convolutions(), and what to do; empty for others. The experiment has the shape of its samples.
std::string slowBf16Warning(const Experiment& experiment, const std::string& instructions, bool convolutions);

/// Missing devices and more threads than cores.
Status checkLanes(const std::vector<LaneConfig>& lanes, std::vector<std::string>& warnings);

}  // namespace lanelab
