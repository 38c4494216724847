// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/remade_work.h"

namespace lanelab {
namespace {

// An estimate for all machines: reading and writing a number (8 bytes) takes as long as this many MACs. By the figures
// of lanelab-bench machine it is 55 on one core of a Xeon with AVX-512 (15.6 GB/s, 107 GMAC/s), and 32 with AVX2 alone.
constexpr double kMacsOfPass = 40;
// Counted from the fused kernel: it reads its input for the statistics, then reads it and writes another tensor.
constexpr double kNormPasses = 1.5;

}  // namespace

void RemadeWork::addNorm(std::int64_t numbers, bool remade) {
  const double pass = kMacsOfPass * static_cast<double>(numbers);
  m_whole += kNormPasses * pass;
  if (remade) m_again += pass;
}

}  // namespace lanelab
