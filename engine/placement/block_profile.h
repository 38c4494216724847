// SPDX-License-Identifier: GPL-3.0-only
// What was measured of a model's blocks on one kind of lane. An executor measures it, a file keeps it, planner and
// simulator read it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanelab {

/// Seconds: the median of `n` measurements, and their quartiles. `n` is 0 where nothing was measured.
struct Timing {
  double median = 0;
  double low = 0;
  double high = 0;
  int n = 0;
  bool operator==(const Timing&) const = default;
};

/// Median and quartiles by linear interpolation.
Timing timingOf(std::vector<double> seconds);

/// What a measurement holds for; another key is another profile.
struct ProfileKey {
  std::string machine;  ///< processor with its cores
  std::string device;   ///< kind of lane: "cpu" or the GPU's name
  std::string arch;
  int classes = 0;
  std::vector<std::int64_t> shape;  ///< of a sample
  std::string precision;
  std::string layout;
  std::string optimizer;
  std::string training;  ///< what else of it costs time: loss, batch norm, recompute
  int threads = 1;       ///< of a lane
  int lanes = 1;         ///< that computed at once for Size::all_lanes_slowdown
  std::string software;  ///< version of the executor, "torch 2.11.0"
  bool operator==(const ProfileKey&) const = default;
};

/// One block at one micro-batch size. The parts of the backward are measured in steps of their own, where each
/// micro-batch's weight part follows its whole input part: they add up to `backward` only nearly.
struct BlockTiming {
  Timing forward;
  Timing backward;         ///< whole
  Timing backward_input;   ///< n 0 where the parts were not measured
  Timing backward_weight;  ///< likewise, and where the block has no weight gradient that can wait
  Timing transfer;  ///< of the block's output to another lane, one way; n 0 behind the last block and where there was
                    ///< no other lane
  bool operator==(const BlockTiming&) const = default;
};

struct BlockProfile {
  struct Size {
    int samples = 0;                  ///< a micro-batch
    std::vector<BlockTiming> blocks;  ///< in model order, loss within the last
    Timing
        forward;  ///< of all blocks after each other; its median is nearer to a run than the sum of the blocks' medians
    Timing backward;  ///< likewise, whole
    double all_lanes_slowdown =
        1;  ///< time of the same work while the other lanes compute too, over its time alone just before
    double core_share = 0;  ///< of the time alone, that the lane's thread had a core; 0: not known, as of GPUs
    bool operator==(const Size&) const = default;
  };
  ProfileKey key;
  std::vector<std::string> block_names;
  std::vector<Timing> updates;  ///< optimizer update a block
  Timing action_overhead;       ///< what an action costs beside its blocks
  std::vector<Size> sizes;      ///< ascending

  const Size* find(int samples) const;
  bool operator==(const BlockProfile&) const = default;
};

/// The sizes of both, the newer's where both have one; updates and overhead are the newer's. For profiles of one key.
BlockProfile merged(BlockProfile older, BlockProfile newer);

}  // namespace lanelab
