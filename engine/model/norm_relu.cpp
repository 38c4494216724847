// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/norm_relu.h"

#include <algorithm>

namespace lanelab {
namespace {

// Reading and writing a number takes as long as this many MACs: 8 bytes at 16 GB/s, and 80 GMAC/s, on two AVX2 cores.
constexpr double kMacsOfPass = 40;
// A batch norm reads its input once for the statistics, and once more to normalise it into another tensor.
constexpr double kNormPasses = 1.5;

}  // namespace

bool isNormRelu(const BlockSpec& block, std::size_t op) {
  const BlockOp& relu = block.ops[op];
  if (relu.kind != OpKind::Relu || relu.input == 0) return false;
  return block.ops[static_cast<std::size_t>(relu.input) - 1].kind == OpKind::BatchNorm;
}

bool hasNormRelu(const ModelSpec& model) {
  return std::ranges::any_of(model.blocks, [](const BlockSpec& block) { return normReluShare(block) > 0; });
}

double normReluShare(const BlockSpec& block) {
  double again = 0, whole = static_cast<double>(block.macs);
  for (std::size_t i = 0; i < block.ops.size(); ++i) {
    const auto numbers = static_cast<double>(numbersOf(block.ops[i].to));
    if (block.ops[i].kind == OpKind::BatchNorm) whole += kNormPasses * kMacsOfPass * numbers;
    if (isNormRelu(block, i)) again += kMacsOfPass * numbers;
  }
  return whole > 0 ? again / whole : 0;
}

}  // namespace lanelab
