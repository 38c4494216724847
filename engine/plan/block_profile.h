// What was measured of a model's blocks on one kind of lane. An executor measures it, a file keeps it, planner and simulator read it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanelab {

/// Seconds: the median of `n` measurements, and their quartiles.
struct Timing {
  double median = 0;
  double low = 0;
  double high = 0;
  int n = 0;
  bool operator==(const Timing&) const = default;
};

/// What a measurement holds for; another key is another profile.
struct ProfileKey {
  std::string machine;  ///< processor or GPU model with its cores
  std::string device;   ///< kind of lane: "cpu" or the GPU's name
  std::string arch;
  int classes = 0;
  std::vector<std::int64_t> shape;  ///< of a sample
  std::string precision;
  std::string layout;
  std::string optimizer;
  int threads = 1;
  std::string software;  ///< version of the executor, "torch 2.11.0"
  bool operator==(const ProfileKey&) const = default;
};

/// One block at one micro-batch size. The weight part is done after the input part; together they are the whole backward.
struct BlockTiming {
  Timing forward;
  Timing backward_input;
  Timing backward_weight;
  Timing transfer;  ///< of the block's output to another lane, one way
};

struct BlockProfile {
  struct Size {
    int samples = 0;                  ///< a micro-batch
    std::vector<BlockTiming> blocks;  ///< in model order
    double all_lanes_slowdown = 1;    ///< time of the same work while the other lanes compute too, over its time alone
  };
  ProfileKey key;
  std::vector<std::string> block_names;
  std::vector<Timing> updates;  ///< optimizer update a block
  std::vector<Size> sizes;      ///< ascending
};

}  // namespace lanelab
