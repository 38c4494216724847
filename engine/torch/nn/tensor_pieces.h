// SPDX-License-Identifier: GPL-3.0-only
// A large tensor filled piece by piece, so that the work can be cancelled in between (stop_point.h).
#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstdint>

#include "base/stop_point.h"

namespace lanelab {

/// Numbers of a piece: some milliseconds of random numbers. PyTorch draws normal numbers by sixteens, so pieces of a
/// multiple of that, and none that is shorter, give the same numbers as the whole.
constexpr std::int64_t kPiece = std::int64_t{1} << 20;

/// Calls `fill` for each piece of a contiguous tensor, in order.
template <class Fill>
void inPieces(const at::Tensor& tensor, const Fill& fill) {
  const at::Tensor flat = tensor.view({-1});
  const std::int64_t pieces = std::max<std::int64_t>(1, flat.numel() / kPiece);
  for (std::int64_t i = 0; i < pieces; ++i) {
    stopPoint();
    const std::int64_t begin = i * kPiece;
    fill(flat.narrow(0, begin, i + 1 < pieces ? kPiece : flat.numel() - begin));
  }
}

}  // namespace lanelab
