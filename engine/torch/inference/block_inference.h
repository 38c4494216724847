// SPDX-License-Identifier: GPL-3.0-only
// The logits of a network in eval mode, block by block and chunk by chunk, with its weights under a device map.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/torch/inference/inference.h"
#include "engine/torch/inference/offloaded_blocks.h"

namespace lanelab {

struct InferenceNetwork {
  std::function<Result<BlockModules>()> build;                                  ///< with empty tensors
  std::function<Result<StoredWeights>(const BlockModules&, bool mapped)> load;  ///< mapped: some are on disk
  std::string weights_place;                                                    ///< for errors
  at::MemoryFormat images = at::MemoryFormat::ChannelsLast;
};

/// Rows of one forward after another.
using RowChunks = std::vector<std::int64_t>;

/// Of 16 rows, if the network may have that many: from `least` to `most` (0: not limited). Empty where the rows cannot
/// be divided so.
RowChunks chunksOf(std::int64_t rows, std::int64_t least, std::int64_t most);

/// Writes the network's first value for `rows` as logits to `out`. Errors are those of building and loading, and of the
/// file; throws what the kernels throw.
Result<InferenceReport> inferRows(const InferenceNetwork& network, const at::Tensor& rows, const RowChunks& chunks,
                                  const DeviceMap& map, bool int8, const std::string& out);

}  // namespace lanelab
