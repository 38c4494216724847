// SPDX-License-Identifier: GPL-3.0-only
// Times of blocks, actions and hand-overs, taken out of a recorded trace.
#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// Seconds, a value an action. Of a lane whose one stage is the whole model: the blocks of a direction add up to its
/// action.
struct ChainTimes {
  struct Direction {
    std::vector<double> whole;
    std::vector<std::vector<double>> blocks;  ///< by block, in model order
  };
  Direction forward;
  Direction backward;
  Direction backward_input;
  Direction backward_weight;  ///< 0 for blocks that left none
};

/// Adds what `trace` holds of the lane. What an action does outside its blocks (the loss, the start of autograd) counts
/// for the last block. The first micro-batch of a step stores gradients where the others add them up, so its backward
/// is left out where there are several. Forwards and backwards without a span for each block are left out.
void addChainTimes(const Trace& trace, LaneId lane, const std::vector<std::string>& blocks, ChainTimes& times);

/// Of a trace whose stages are single blocks, a micro-batch a step.
struct BlockwiseTimes {
  std::vector<std::vector<double>> updates;    ///< by block
  std::vector<std::vector<double>> transfers;  ///< by boundary, both directions: sender's end to receiver's start
  std::vector<double> overheads;               ///< an action less its blocks; not of the last stage, which has the loss
};
void addBlockwiseTimes(const Trace& trace, std::size_t blocks, BlockwiseTimes& times);

}  // namespace lanelab
