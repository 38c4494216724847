// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/drawn_weights.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

#include <cmath>

#include "engine/torch/nn/scalar_types.h"
#include "engine/torch/nn/tensor_pieces.h"

namespace lanelab {

namespace {

/// trunc_normal_ of torch.nn.init in PyTorch 2.11; the expressions are PyTorch's, so that rounding agrees.
void drawTruncated(at::Tensor& piece, const WeightDraw& draw, const at::Generator& generator) {
  const auto below = [&](double bound) {
    return (1.0 + std::erf((bound - draw.mean) / draw.deviation / std::sqrt(2.0))) / 2.0;
  };
  piece.uniform_(2 * below(draw.low) - 1, 2 * below(draw.high) - 1, generator);
  piece.erfinv_().mul_(draw.deviation * std::sqrt(2.0)).add_(draw.mean).clamp_(draw.low, draw.high);
}

void drawPiece(at::Tensor& piece, const WeightDraw& draw, const at::Generator& generator) {
  switch (draw.rule) {
    case WeightDraw::Rule::Constant: break;
    case WeightDraw::Rule::Normal: piece.normal_(draw.mean, draw.deviation, generator); break;
    case WeightDraw::Rule::TruncatedNormal: drawTruncated(piece, draw, generator); break;
    case WeightDraw::Rule::Uniform: piece.uniform_(draw.low, draw.high, generator); break;
  }
}

/// Numbers that are dropped move the generator only: one draw is as good as another for each of them.
void skip(const WeightDraw& draw, const at::Generator& generator) {
  WeightDraw cheap = draw;
  if (draw.rule == WeightDraw::Rule::TruncatedNormal) cheap.rule = WeightDraw::Rule::Uniform;
  at::Tensor scratch = at::empty({draw.elements}, at::TensorOptions().dtype(at::kFloat));
  inPieces(scratch, [&](at::Tensor piece) { drawPiece(piece, cheap, generator); });
}

}  // namespace

TensorMap drawWeights(const std::vector<WeightDraw>& draws, std::uint64_t seed) {
  const at::NoGradGuard no_grad;
  const at::Generator generator = at::detail::createCPUGenerator(seed);
  TensorMap weights;
  for (const WeightDraw& draw : draws) {
    if (draw.record.empty()) {
      skip(draw, generator);
      continue;
    }
    const at::TensorOptions options = at::TensorOptions().dtype(torchTypeOf(draw.type));
    at::Tensor& tensor = weights[draw.record];
    tensor = draw.rule == WeightDraw::Rule::Constant ? at::full({draw.elements}, draw.mean, options)
                                                     : at::empty({draw.elements}, options);
    inPieces(tensor, [&](at::Tensor piece) { drawPiece(piece, draw, generator); });
  }
  return weights;
}

}  // namespace lanelab
