// SPDX-License-Identifier: GPL-3.0-only
// A network in eval mode, block by block, with its weights under a device map.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/grad_mode.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "base/stop_point.h"
#include "engine/torch/devices/torch_errors.h"
#include "engine/torch/inference/inference.h"
#include "engine/torch/inference/offloaded_blocks.h"

namespace lanelab {

/// Does `work` without gradients; whatever is thrown on the way becomes an Error.
template <class Work>
auto withErrors(const std::stop_token& stop, const Work& work) -> decltype(work()) {
  const StopScope scope(stop);
  try {
    const at::NoGradGuard no_grad;
    return work();
  } catch (const Stopped&) {
    return Error::cancelled("The inference was cancelled.");
  } catch (const std::exception& error) {
    return Error::failed("Inference failed: {}.", plainMessage(error));
  }
}

struct InferenceNetwork {
  std::function<Result<BlockModules>()> build;                                  ///< with empty tensors
  std::function<Result<StoredWeights>(const BlockModules&, bool mapped)> load;  ///< mapped: some are on disk
  std::string weights_place;                                                    ///< for errors
  at::MemoryFormat images = at::MemoryFormat::ChannelsLast;
  std::function<Status(const WeightBytes&)> check = {};  ///< before weights are read; may be empty
  bool mapped = false;                                   ///< load() maps the weights in any case
};

/// A module for each of the network's blocks.
Result<BlockModules> eachBlock(const StageModuleFactory& modules, std::size_t blocks);

/// From the network's input to its first value, on the CPU. Throws Stopped between two blocks.
using ForwardPass = std::function<at::Tensor(const at::Tensor& input)>;

/// Some passes of a network, and the logits that they come to.
struct Passes {
  std::int64_t most = 1;
  std::function<at::Tensor(const ForwardPass& forward)> logits;
};

struct Computed {
  InferenceReport report;
  at::Tensor logits;
};
/// With `int8` the cost is found by the passes of `exact`: those with the weights as they are, fetched for their use
/// only if they are mapped, so that the comparison takes little memory. Errors are those of building, loading and
/// checking; throws what the kernels throw.
Result<Computed> inferBlocks(const InferenceNetwork& network, const DeviceMap& map, bool int8, const Passes& passes,
                             const Passes& exact);

/// Rows of one forward after another.
using RowChunks = std::vector<std::int64_t>;

/// Of 16 rows, if the network may have that many: from `least` to `most` (0: not limited). Empty where the rows cannot
/// be divided so.
RowChunks chunksOf(std::int64_t rows, std::int64_t least, std::int64_t most);

}  // namespace lanelab
