// SPDX-License-Identifier: GPL-3.0-only
// Follows the tensors of one stage and one micro-batch through forward and backward, and meters the bytes that its lane
// holds.
//
// Internal to StageMemory; small, and made again for every question.
#pragma once

#include <optional>
#include <vector>

#include "engine/memory/convolution_memory.h"
#include "engine/memory/stage_memory.h"
#include "engine/model/conv_products.h"

namespace lanelab {

class StageReplay {
 public:
  StageReplay(const StageMemory& stage, int samples);

  /// `keeps`: with what backward needs, else only the output remains.
  void forward(bool keeps);
  /// What is there now is what the action finds; the output is the walk's to count, since another lane decides when it
  /// goes.
  void beginAction();
  /// After forward(). `input_only` leaves what the weight part needs.
  void backward(bool first, bool input_only);
  /// On its own: what the input part left is there.
  void backwardWeight(bool first);
  ActionMemory result() const { return {m_top, m_level}; }

 private:
  using Op = StageMemory::Op;
  using Fusion = StageMemory::Fusion;

  /// A gradient on its way between operations.
  struct Gradient {
    std::int64_t bytes = 0;
    int users = 0;
    bool mine = false;  ///< counts for this lane, as workspace
  };

  void mark();
  void passing(std::int64_t bytes);  ///< there for a moment
  void allocate(int storage);
  void hold(int storage) { ++m_holds[static_cast<std::size_t>(storage)]; }
  void letGo(int storage);
  std::vector<int> lastUses() const;
  std::int64_t savedBeside(const Op& op) const;
  std::int64_t storageBytes(int storage) const;
  std::int64_t bytesOf(const Shape& shape) const;

  void runForward(const Op& op, bool keeps);
  void runBackward(const Op& op, bool first, bool input_only);
  /// In the backward, for who reads it next; unless an earlier reader had it made.
  void remake(int storage);
  bool isRemade(int storage) const {
    return m_stage.m_remade[static_cast<std::size_t>(storage)] != StageMemory::Remade::No;
  }
  void retainForWeights(int gradient);
  void reluBackward(const Op& op, int gradient);
  void normBackward(const Op& op, int gradient, bool first);
  /// Whether what is made of a gradient may lie where it lay.
  bool reusable(int gradient) const;
  bool needsInputGradient(const Op& op) const { return !(m_stage.m_first && op.input == 0); }

  int make(std::int64_t bytes);
  void release(int gradient);
  void deliver(int value, int gradient);
  void land(std::int64_t numbers, std::int64_t bytes_each, bool first);
  void allocateGradients(bool first);

  /// Of a convolution; a linear layer copies nothing.
  std::optional<ConvolutionMemory> convolutionOf(const Op& op) const;
  void convForward(const Op& op);
  int inputGradient(const Op& op);
  void weightGradient(const Op& op, bool first);

  const StageMemory& m_stage;
  const std::int64_t m_samples;
  MemoryParts m_level, m_top;
  std::vector<int> m_holds;     ///< by storage: who saved it
  std::vector<char> m_charged;  ///< by storage: it is there and counts for this lane
  std::vector<Gradient> m_gradients;
  std::vector<int> m_gradient_of;     ///< by value; -1 none yet
  std::optional<int> m_read_by_norm;  ///< the gradient before a fused ReLU, until its norm is done
  std::int64_t m_fresh = 0;           ///< bytes of low-precision weight gradients of this action
};

}  // namespace lanelab
