// SPDX-License-Identifier: GPL-3.0-only
// The seam between a stage and what computes it: a list of values in, a list of values out, and the tensors that are
// trained.
//
// Behind it is the graph of a network (engine/torch/graph), and in tests whatever else computes a run of blocks. A
// module knows nothing of lanes, micro-batches and optimizers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "engine/model/model_spec.h"
#include "engine/model/rules.h"
#include "engine/torch/devices/tensor_list.h"
#include "engine/torch/nn/norm_statistics.h"
#include "engine/torch/nn/tensor_slot.h"

namespace lanelab {

/// Is notified of the blocks of a module while their forward runs. The lane's thread only.
class BlockListener {
 public:
  virtual ~BlockListener() = default;
  virtual void beginForward(const std::string& block) = 0;
  /// What the block computed, for other blocks or the next stage; not what only passes through.
  virtual void endForward(at::ArrayRef<at::Tensor> outputs) = 0;
};

/// One stage, or a whole network. Used by its lane's thread only. Computing throws what torch throws.
class StageModule {
 public:
  virtual ~StageModule() = default;

  /// From what the stage before sends, or the model's inputs, to what the next stage gets; with autograd when gradients
  /// are on. The last stage's first value is the network's output, or its loss. Inputs never change in place, because
  /// other stages may hold them; one may also be an output, unchanged. `listener` hears of each block; null: nobody
  /// does.
  virtual TensorList forward(const TensorList& inputs, bool training, BlockListener* listener) = 0;

  /// Whether a floating-point value from the stage before depends on a parameter, so that its gradient goes back. Not
  /// asked of the model's own inputs.
  virtual bool differentiable(std::size_t /*input*/) const { return true; }

  /// Before each forward in training, also a repeated one: seeds its random numbers, of which equal seeds give equal
  /// ones.
  virtual void beginMicroBatch(std::uint64_t /*seed*/) {}

  /// From now on, by the rules of this set alone. With Rule::SplitBackward backwards come in two parts
  /// (deferred_weights.h), with Rule::RemadeActivation activations are made again.
  virtual void follow(Rules /*rules*/) {}

  /// Parameters and buffers in the order of state_dict(), with empty tensors at first.
  virtual const std::vector<TensorSlot>& slots() const = 0;

  /// What training forwards do to running statistics from now on.
  virtual void setStatistics(NormStatistics) {}
  /// Moves running statistics by what was collected, and forgets it.
  virtual void commitStatistics() {}
  virtual void forgetStatistics() {}
};

/// Makes the module of the blocks [first, end) of its network, on the thread that will use it. Errors: it cannot be
/// built.
using StageModuleFactory = std::function<Result<std::unique_ptr<StageModule>>(BlockId first, BlockId end)>;

/// What the factory makes; throws std::runtime_error with its error.
std::unique_ptr<StageModule> builtModule(const StageModuleFactory& factory, BlockId first, BlockId end);
/// The same of all `blocks` of the network.
std::unique_ptr<StageModule> wholeModule(const StageModuleFactory& factory, std::size_t blocks);

}  // namespace lanelab
