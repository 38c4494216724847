// SPDX-License-Identifier: GPL-3.0-only
// What a stage takes on its lane: its weights, and how each of its actions moves the lane's memory, followed call by
// call.
//
// The rules are PyTorch 2.11's on a CPU, read off its allocator: what autograd saves (derivatives.yaml) and when it
// lets go of it (a node's saved tensors and its incoming gradient are released as soon as the node is done), batch
// norm's backward with a second tensor of its input's size, oneDNN's copies of weights and, in contiguous order, of
// images, and the lanes' own products (engine/model/conv_products.h) and fused
// batch norms (engine/torch/kernels/fused_norm.h). Tensors smaller than a channel are left out.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/experiment/choices.h"
#include "engine/model/cpu_instructions.h"
#include "engine/model/model_spec.h"
#include "engine/model/rules.h"
#include "engine/placement/placement.h"

namespace lanelab {

/// Bytes of a lane, by what they are.
struct MemoryParts {
  std::int64_t parameters = 0;   ///< with masters and buffers (running statistics)
  std::int64_t gradients = 0;    ///< of parameters
  std::int64_t optimizer = 0;    ///< momentum, moments
  std::int64_t activations = 0;  ///< kept for backward, outputs lent to the next stage included
  std::int64_t transfers = 0;    ///< received inputs where they are copied, gradients on their way to the stage before
  std::int64_t workspace = 0;    ///< comes and goes within one action

  std::int64_t total() const { return parameters + gradients + optimizer + activations + transfers + workspace; }
  MemoryParts& operator+=(const MemoryParts& other);
  bool operator==(const MemoryParts&) const = default;
};

/// How a variant trains, as far as memory goes.
struct TrainingMemory {
  std::int64_t element_bytes =
      4;                       ///< of activations, their gradients, and the weights of convolutions and linear layers
  int optimizer_tensors = 0;   ///< kept for each parameter: SGD's momentum 1, Adam 2
  int update_temporaries = 0;  ///< made for each parameter in turn while it is updated by operators
  int fused_update_temporaries = 0;  ///< the same on a CPU lane: of the size of a piece, for each thread
  bool channels_last = true;
  Simd simd = Simd::Avx512;                           ///< of the CPU, whose libraries copy more or less
  Rules rules = Rules::all().without(kFusedKernels);  ///< that its lanes follow
  bool loss_by_rows = false;  ///< that of tokens copies nothing, on CPU lanes in fp32 (LossRule::by_rows)
  int steps = 1;  ///< optimizer tensors come with the first update, so a single step's backward runs without them
  std::vector<Recompute> recompute = {};  ///< by stage
  Recompute recomputeOf(StageId stage) const {
    return stage.index() < recompute.size() ? recompute[stage.index()] : Recompute::None;
  }
};

/// What an action does to its lane: the change at its highest moment, and the change that remains. Boundary tensors
/// that another lane decides about (a forward's output, a backward's gradient for the stage before) are in the first,
/// not in the second.
struct ActionMemory {
  MemoryParts highest;
  MemoryParts after;
};

/// A tensor that crosses a boundary and stays with the stage that made it until others let go of it.
struct PassedTensor {
  int tensor = 0;  ///< a number that the stages beside know it by
  std::int64_t bytes = 0;
  bool for_weights = false;  ///< the weight part of its maker's split backward needs it
  bool operator==(const PassedTensor&) const = default;
};

class StageCalls;
class TensorReplay;

/// One stage on one lane. A received input costs nothing here: on the host it stays the sender's tensor.
class StageMemory {
 public:
  /// `cpu_threads`: of the lane; 0 for a lane that is no CPU.
  StageMemory(const ModelSpec& model, const Stage& stage, const TrainingMemory& training, int cpu_threads);

  /// Parameters alone, before the first action.
  MemoryParts resident() const;
  std::int64_t optimizerBytes() const;
  std::int64_t inputBytes(int samples) const;
  std::int64_t outputBytes(int samples) const;  ///< 0 for the last stage

  /// What the next stage reads and this one has made.
  std::vector<PassedTensor> sentTensors(int samples) const;
  /// Whether the stage hands what it receives on to the next one.
  bool handsOn(int tensor) const;
  /// Whether the weight part of a split backward needs what the stage receives: it is then kept until there.
  bool weightsNeedInput(int tensor) const;
  bool weightsNeedInput() const;  ///< any of it
  /// Gradients that a backward makes for the stage before, which knows them by the tensor.
  std::vector<PassedTensor> sentGradients(int samples, bool input_only) const;
  /// Whether the gradient of what the stage hands on is handed back as it is.
  bool handsGradientBack(int tensor) const;
  bool weightsNeedGradient(int tensor) const;

  ActionMemory forward(int samples) const;
  /// `first`: no gradient of a parameter is there yet. Whole, or only the input part.
  ActionMemory backward(int samples, bool first, bool input_only = false) const;
  ActionMemory backwardWeight(int samples, bool first) const;
  ActionMemory update() const;

 private:
  struct Parameters {
    std::int64_t weights = 0, frozen = 0, norms = 0, buffers = 0, largest = 0;  ///< numbers, but buffers: bytes
  };
  void addBlock(const BlockSpec& block);
  void addShared(const ModelSpec& model, const Stage& stage);
  void setLoss(const ModelSpec& model);
  std::int64_t updateNumbers() const;  ///< of temporaries
  TensorReplay replayOf(int samples) const;

  TrainingMemory m_training;
  int m_threads;
  bool m_first, m_last;
  bool m_recompute;  ///< its whole forward
  std::shared_ptr<const StageCalls> m_tensors;
  struct Loss {
    std::int64_t bytes = 0;  ///< of the output, float32, a sample
    bool copies = false;
  } m_loss;
  std::int64_t m_input_numbers = 0, m_output_numbers = 0;  ///< a sample
  Parameters m_parameters;
};

}  // namespace lanelab
