// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/edits/balanced_cuts.h"

#include <algorithm>
#include <cmath>

namespace lanelab {

std::vector<double> startShares(const ModelSpec& model) {
  std::vector<double> shares{0};
  const double total = std::max<double>(1, static_cast<double>(model.macs()));
  for (const BlockSpec& block : model.blocks) shares.push_back(shares.back() + static_cast<double>(block.macs) / total);
  return shares;
}

std::vector<std::string> balancedCuts(const ModelSpec& model, std::size_t first, std::size_t end, std::size_t parts) {
  std::vector<std::string> cuts;
  if (end - first < parts) return cuts;
  const std::vector<double> shares = startShares(model);
  std::size_t block = first;
  for (std::size_t part = 1; part < parts; ++part) {
    const double border =
        shares[first] + (shares[end] - shares[first]) * static_cast<double>(part) / static_cast<double>(parts);
    const std::size_t last = end - (parts - part);
    ++block;
    while (block < last && std::abs(shares[block + 1] - border) < std::abs(shares[block] - border)) ++block;
    cuts.push_back(model.blocks[block].name);
  }
  return cuts;
}

Placement balancedPlacement(const ModelSpec& model, const std::vector<LaneId>& lanes) {
  const std::vector<double> shares = startShares(model);
  const std::size_t blocks = model.blocks.size();
  const std::size_t parts = std::min(lanes.size(), blocks);
  Placement placement;
  std::size_t part = 0;
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::size_t left = blocks - i;
    const double border = static_cast<double>(part + 1) / static_cast<double>(parts);
    const bool past = i > 0 && (shares[i] + shares[i + 1]) / 2 >= border;
    if (part + 1 < parts && (past || left < parts - part)) ++part;
    placement.lane_of_block.push_back(lanes[part]);
  }
  return placement;
}

}  // namespace lanelab
