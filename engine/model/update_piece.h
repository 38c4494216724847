// SPDX-License-Identifier: GPL-3.0-only
// How much of a parameter a CPU lane updates at a time: what an optimizer reads and writes of a piece stays in a core's
// cache between its operators (engine/torch/nn/update_pieces.h). The forecast of memory counts temporaries by it.
#pragma once

#include <cstdint>

namespace lanelab {

/// Numbers of a piece: 64 KiB of each tensor in fp32.
constexpr std::int64_t kUpdatePieceNumbers = std::int64_t{1} << 14;

}  // namespace lanelab
