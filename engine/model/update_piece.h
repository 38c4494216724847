// SPDX-License-Identifier: GPL-3.0-only
// How much of a parameter a thread of a CPU lane updates at a time (engine/torch/kernels/parameter_update.h). The
// forecast of memory counts temporaries by it.
#pragma once

#include <cstdint>

namespace lanelab {

/// Numbers of a piece: 64 KiB of each tensor in fp32.
constexpr std::int64_t kUpdatePieceNumbers = std::int64_t{1} << 14;

}  // namespace lanelab
