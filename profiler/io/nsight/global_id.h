// SPDX-License-Identifier: GPL-3.0-only
// Nsight Systems packs machine, process and thread into one number.
#pragma once

#include <cstdint>

#include "profiler/io/source/imported_id.h"

namespace lanelab {

inline ImportedId processOfGlobal(std::int64_t global) { return numberId(global >> 24 & 0xFFFFFF); }
inline ImportedId threadOfGlobal(std::int64_t global) { return numberId(global & 0xFFFFFF); }

}  // namespace lanelab
