// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/truncated_normal.h"

#include <ATen/ops/empty_like.h>
#include <ATen/ops/where.h>
#include <torch/version.h>

#include <algorithm>
#include <cmath>

#include "engine/torch/nn/tensor_pieces.h"

namespace lanelab {

namespace {

// The expressions are PyTorch's, so that rounding agrees.

constexpr bool kRejects = TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 12;
/// The share of normal numbers between the bounds from which on PyTorch draws normal ones.
constexpr double kShareOfNormal = 0.3;

/// Of the standard normal distribution.
double shareBelow(double bound) { return (1.0 + std::erf(bound / std::sqrt(2.0))) / 2.0; }
double shareBelow(double bound, const WeightDraw& draw) { return shareBelow((bound - draw.mean) / draw.deviation); }

void drawByInverse(const at::Tensor& tensor, const WeightDraw& draw, const at::Generator& generator) {
  inPieces(tensor, [&](at::Tensor piece) {
    piece.uniform_(2 * shareBelow(draw.low, draw) - 1, 2 * shareBelow(draw.high, draw) - 1, generator);
    piece.erfinv_().mul_(draw.deviation * std::sqrt(2.0)).add_(draw.mean).clamp_(draw.low, draw.high);
  });
}

/// Each pass draws for every element, and only those outside the bounds take the new number.
void drawByNormal(const at::Tensor& tensor, const WeightDraw& draw, const at::Generator& generator) {
  const auto bound = [&](double value) { return tensor.new_full({}, value).item().toDouble(); };
  const double low = bound(draw.low), high = bound(draw.high);
  const auto outside = [&](const at::Tensor& values) { return values.lt(low).logical_or_(values.gt(high)); };
  bool again = false;
  inPieces(tensor, [&](at::Tensor piece) {
    piece.normal_(draw.mean, draw.deviation, generator);
    again = again || outside(piece).any().item().toBool();
  });
  while (again) {
    again = false;
    inPieces(tensor, [&](at::Tensor piece) {
      const at::Tensor drawn = at::empty_like(piece).normal_(draw.mean, draw.deviation, generator);
      piece.copy_(at::where(outside(piece), drawn, piece));
      again = again || outside(piece).any().item().toBool();
    });
  }
}

/// Each pass draws a candidate and then its chance for every element; not in pieces, which would mix the two.
void drawByUniform(const at::Tensor& tensor, const WeightDraw& draw, const at::Generator& generator) {
  const double mode = std::max(draw.low, std::min(draw.mean, draw.high));
  const double highest = -0.5 * std::pow((mode - draw.mean) / draw.deviation, 2);
  at::Tensor pending = at::empty_like(tensor, at::kBool).fill_(true);
  while (pending.any().item().toBool()) {
    stopPoint();
    at::Tensor candidates = at::empty_like(tensor).uniform_(draw.low, draw.high, generator);
    tensor.copy_(at::where(pending, candidates, tensor));
    candidates.sub_(draw.mean).div_(draw.deviation).pow_(2).mul_(-0.5).sub_(highest);
    pending.logical_and_(at::empty_like(tensor).uniform_(0, 1, generator).log_().gt(candidates));
  }
}

}  // namespace

void drawTruncatedNormal(at::Tensor& tensor, const WeightDraw& draw, const at::Generator& generator) {
  if constexpr (!kRejects) return drawByInverse(tensor, draw, generator);
  const bool mostly_inside = shareBelow(draw.high, draw) - shareBelow(draw.low, draw) > kShareOfNormal;
  mostly_inside ? drawByNormal(tensor, draw, generator) : drawByUniform(tensor, draw, generator);
}

}  // namespace lanelab
