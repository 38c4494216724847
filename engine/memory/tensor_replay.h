// SPDX-License-Identifier: GPL-3.0-only
// Follows the tensors of one stage and one micro-batch through forward and backward, call by
// call, and meters the bytes that its lane holds.
//
// In a forward, tensors live until their last use, and what autograd saves stays. A backward runs the calls in reverse:
// a gradient lives from its maker to its user, what a call saved goes when its backward is done, and gradients of
// weights come. What a stage receives is another lane's, and what it sends is the walk's to count (memory_forecast.h):
// both may outlive its actions. Internal to StageMemory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/memory/convolution_memory.h"
#include "engine/memory/stage_memory.h"
#include "engine/model/tensor_program.h"
#include "engine/placement/placement.h"

namespace lanelab {

/// The calls of a stage and what is known of its tensors before any runs. Linear in the stage.
class StageCalls {
 public:
  StageCalls(SharedTensorProgram program, const Stage& stage, Rules rules);

  struct Step {
    const TensorProgram::Call* call = nullptr;
    std::vector<int> leaving;  ///< storages that no later call of the stage reads
    bool used = false;         ///< what it makes reaches what the stage sends
    bool defers = false;       ///< its weight part can be later
  };

  const TensorProgram& program() const { return *m_program.get(); }
  const std::vector<Step>& steps() const { return m_steps; }
  const std::vector<int>& received() const { return *m_received; }
  const std::vector<int>& sent() const { return *m_sent; }
  bool isLast() const { return m_last; }
  bool isForeign(int storage) const { return m_foreign.contains(storage); }
  bool isSent(int storage) const { return m_sent_storages.contains(storage); }
  /// Received storages that a call writes to, and that the stage copies first.
  const std::set<int>& copied() const { return m_copied; }
  /// Whether a call of the stage reads the value, so that it makes a gradient of it.
  bool isRead(int value) const { return m_read.contains(value); }
  int storageOf(int value) const { return m_program.get()->values[static_cast<std::size_t>(value)].storage; }
  std::int64_t bytesOf(int value) const { return m_program.get()->values[static_cast<std::size_t>(value)].bytes; }
  std::int64_t storageBytes(int storage) const { return m_program.get()->storages[static_cast<std::size_t>(storage)]; }

 private:
  std::vector<const TensorProgram::Call*> callsBy(Rules rules) const;
  void addCalls(const Stage& stage, Rules rules);
  void markUsed();
  void markLeaving();

  SharedTensorProgram m_program;
  const std::vector<int>*m_received, *m_sent;
  bool m_last;
  std::vector<Step> m_steps;
  std::set<int> m_foreign, m_sent_storages, m_copied, m_read;
};

class TensorReplay {
 public:
  /// `threads`: of the lane; 0 for a lane that is not a CPU.
  TensorReplay(const StageCalls& stage, int samples, const TrainingMemory& training, int threads);

  /// `keeps`: with what backward needs, else only what is sent remains. `again`: within a backward, for it.
  void forward(bool keeps, bool again = false);
  /// Behind the last stage's forward: its output, of which the loss makes more for a moment.
  void addLoss(std::int64_t bytes, int copies);
  /// Before its backward: gradients of what the loss made and of the output.
  void leaveLoss(std::int64_t bytes);
  /// What is there now is what the action finds.
  void beginAction() { m_level = m_top = {}; }
  /// After forward(). `input_only` leaves what the weight parts need.
  void backward(bool first, bool input_only);
  /// After backward(.., input_only).
  void backwardWeight(bool first);

  const MemoryParts& level() const { return m_level; }
  const MemoryParts& highest() const { return m_top; }

  /// After backward(): gradients of received values that this stage has made.
  std::vector<PassedTensor> madeForReceived() const;

 private:
  struct Gradient {
    std::int64_t bytes = 0;
    int users = 0;
    int sent_value = -1;    ///< it is what the stage behind gave for this value
    bool retained = false;  ///< for a weight part
  };
  struct WeightPart {
    const TensorProgram::Call* call = nullptr;
    int gradient = -1;
  };

  std::int64_t scaled(std::int64_t bytes) const { return bytes / kFloatBytes * m_training.element_bytes * m_samples; }
  std::int64_t fixed(std::int64_t bytes) const { return bytes / kFloatBytes * m_training.element_bytes; }
  std::optional<ConvolutionMemory> convolutionOf(const TensorProgram::Call& call) const;
  std::int64_t savedBesides(const TensorProgram::Call& call) const {
    return scaled(call.saved_besides.computed) + call.saved_besides.own * m_samples + call.saved_besides.fixed;
  }
  /// Where the gradient counts: what is retained for a weight part is stored as activations are.
  std::int64_t& partOf(const Gradient& gradient) { return gradient.retained ? m_level.activations : m_level.workspace; }
  void makeResults(const TensorProgram::Call& call, bool saves);
  /// What the call's backward reads that is not stored: made now, unless an earlier reader had it made.
  void remake(const TensorProgram::Call& call);
  /// Whether what the call makes again is the mask of its own gradient.
  bool masksByRemade(const TensorProgram::Call& call) const;
  bool isRemade(int storage) const { return m_remade.contains(storage); }
  /// Whether the backward of the call needs the storage to be there.
  bool keeps(const TensorProgram::Call& call, int storage) const {
    return !(call.saves_shape_only && isRemade(storage));
  }
  /// Whether what is made of a gradient of that many bytes may take its memory.
  bool isReusable(int gradient, std::int64_t bytes) const;
  void mark(std::int64_t passing);
  void allocate(int storage);
  void letGo(int storage);
  void release(int storage);
  int make(std::int64_t bytes);
  void releaseGradient(int gradient);
  void deliver(int value, int gradient);
  void backwardOf(const StageCalls::Step& step, bool first, bool input_only);
  void leaveForLater(const TensorProgram::Call& call, int gradient);
  void makeGradients(const TensorProgram::Call& call, int of_result, std::vector<std::pair<int, int>>& made);
  void land(const TensorProgram::Call& call, std::int64_t workspace, bool first);
  void collectFresh(bool first);

  const StageCalls& m_stage;
  const std::int64_t m_samples;
  const TrainingMemory& m_training;
  const int m_threads;
  std::set<int> m_remade;  ///< storages that are made again
  MemoryParts m_level, m_top;
  std::set<int> m_there;     ///< storages
  std::vector<int> m_users;  ///< of each storage: backwards that still need it
  std::vector<Gradient> m_gradients;
  std::vector<int> m_gradient_of;  ///< of each value; -1: none
  std::set<int> m_landed;
  std::int64_t m_fresh = 0;  ///< bytes of low-precision gradients of weights in this action
  std::vector<WeightPart> m_weight_parts;
};

}  // namespace lanelab
