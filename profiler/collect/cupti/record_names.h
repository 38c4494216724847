// SPDX-License-Identifier: GPL-3.0-only
// The words for CUPTI's kinds of copies, waits and overhead, and the names of CUDA's functions.
#pragma once

#include <cupti.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace lanelab {

std::string_view copyName(std::uint8_t kind);  ///< a CUpti_ActivityMemcpyKind
std::string_view syncName(CUpti_ActivitySynchronizationType type);
std::string_view overheadName(CUpti_ActivityOverheadKind kind);
/// Whether the time would be spent without CUPTI, too.
bool isUpkeepOfCuda(CUpti_ActivityOverheadKind kind);
std::string functionName(bool runtime, std::uint32_t callback);  ///< "cudaLaunchKernel", else "driver call 307"

}  // namespace lanelab
