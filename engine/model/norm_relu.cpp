// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/norm_relu.h"

#include <algorithm>

namespace lanelab {
namespace {

// An estimate for all machines: reading and writing a number (8 bytes) takes as long as this many MACs. By the figures
// of lanelab-bench machine it is 55 on one core of a Xeon with AVX-512 (15.6 GB/s, 107 GMAC/s), and 32 with AVX2 alone.
constexpr double kMacsOfPass = 40;
// Counted from the fused kernel: it reads its input for the statistics, then reads it and writes another tensor.
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

void RemadeWork::addNorm(std::int64_t numbers, bool remade) {
  const double pass = kMacsOfPass * static_cast<double>(numbers);
  m_whole += kNormPasses * pass;
  if (remade) m_again += pass;
}

double normReluShare(const BlockSpec& block) {
  if (block.ops.empty()) return block.remade_share;
  RemadeWork work;
  work.addMacs(block.macs);
  for (std::size_t i = 0; i < block.ops.size(); ++i) {
    if (block.ops[i].kind != OpKind::BatchNorm) continue;
    const bool remade = i + 1 < block.ops.size() && isNormRelu(block, i + 1);
    work.addNorm(numbersOf(block.ops[i].to), remade);
  }
  return work.share();
}

}  // namespace lanelab
