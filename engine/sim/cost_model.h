// SPDX-License-Identifier: GPL-3.0-only
// What the simulator and the planner believe that things cost. Seconds throughout; one value holds for one micro-batch
// size.
#pragma once

#include <string>
#include <vector>

#include "engine/placement/placement.h"

namespace lanelab {

struct BlockCost {
  std::string name;
  double forward = 0;
  double backward = 0;         ///< whole: input and weight part
  double backward_weight = 0;  ///< part of `backward`; 0 where it was not measured apart
  double update = 0;           ///< optimizer, once a step
  bool operator==(const BlockCost&) const = default;
};

/// `transfers[i]` is one way across the boundary after block i; links are full duplex and work beside the lanes.
struct CostModel {
  std::vector<BlockCost> blocks;
  std::vector<double> transfers;      ///< one fewer than blocks
  double action_overhead = 0;         ///< added to every action, whatever its lane's slowness
  double contention = 0;              ///< share of extra time that each other lane which computes adds to an action
  std::vector<double> lane_slowness;  ///< factor a lane of the experiment; empty: all 1

  double slownessOf(LaneId lane) const { return lane_slowness.empty() ? 1.0 : lane_slowness[lane.index()]; }
  /// Of its blocks together, whatever its lane's slowness.
  BlockCost sumOf(const Stage& stage) const;
  bool operator==(const CostModel&) const = default;
};

}  // namespace lanelab
