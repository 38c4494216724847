// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/drawn_weights.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include "engine/torch/nn/scalar_types.h"
#include "engine/torch/nn/tensor_pieces.h"
#include "engine/torch/nn/truncated_normal.h"

namespace lanelab {

namespace {

void drawInto(at::Tensor& tensor, const WeightDraw& draw, const at::Generator& generator) {
  switch (draw.rule) {
    case WeightDraw::Rule::Constant: tensor.fill_(draw.mean); break;
    case WeightDraw::Rule::Normal:
      inPieces(tensor, [&](at::Tensor piece) { piece.normal_(draw.mean, draw.deviation, generator); });
      break;
    case WeightDraw::Rule::TruncatedNormal: drawTruncatedNormal(tensor, draw, generator); break;
    case WeightDraw::Rule::Uniform:
      inPieces(tensor, [&](at::Tensor piece) { piece.uniform_(draw.low, draw.high, generator); });
      break;
  }
}

}  // namespace

TensorMap drawWeights(const std::vector<WeightDraw>& draws, std::uint64_t seed) {
  const at::NoGradGuard no_grad;
  const at::Generator generator = at::detail::createCPUGenerator(seed);
  TensorMap weights;
  for (const WeightDraw& draw : draws) {
    at::Tensor tensor = at::empty({draw.elements}, at::TensorOptions().dtype(torchTypeOf(draw.type)));
    drawInto(tensor, draw, generator);
    // What the constructor draws and then replaces has no record: it moves the generator only.
    if (!draw.record.empty()) weights[draw.record] = tensor;
  }
  return weights;
}

}  // namespace lanelab
