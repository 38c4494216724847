// SPDX-License-Identifier: GPL-3.0-only
// A prompt to a Llama, and what it continues with: the seam between whoever asks, such as the window, and what
// computes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "engine/model/llama.h"
#include "engine/placement/device_map.h"

namespace lanelab {

struct LlamaQuestion {
  LlamaConfig config;
  std::string weights;               ///< a safetensors file, a folder of shards or their index
  std::vector<std::int64_t> prompt;  ///< tokens by number
  DeviceMap map;                     ///< what lies on disk is fetched for each use
  std::int64_t generate = 0;         ///< most tokens to continue with, always the likeliest
  bool int8 = false;                 ///< 8-bit weights in the linear layers that are kept in memory
};

struct LlamaAnswer {
  std::vector<std::int64_t> tokens;  ///< after the prompt; fewer than asked for where an end token came
  std::int64_t resident_bytes = 0;   ///< of weights kept in memory
  std::int64_t offloaded_bytes = 0;  ///< of weights fetched for each pass
  double seconds = 0;                ///< of the forward passes
  double waited_seconds = 0;         ///< of these, for weights that were not there yet
  std::vector<int> missing_gpus;  ///< that the map names and this machine lacks; what lies on them was kept in memory
  std::optional<double> int8_error;  ///< mean absolute difference of the prompt's logits from the full weights'
};

/// Any thread; takes as long as the passes, which progress counts. Cancelled between two layers.
using LlamaInference = std::function<Result<LlamaAnswer>(const LlamaQuestion& question, const WorkControl& control)>;

}  // namespace lanelab
