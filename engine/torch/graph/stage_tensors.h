// SPDX-License-Identifier: GPL-3.0-only
// The parameters, buffers and constants of a stage of an exported graph.
#pragma once

#include <ATen/core/Tensor.h>

#include <deque>
#include <utility>
#include <vector>

#include "engine/exported/exported_blocks.h"
#include "engine/torch/devices/tensor_list.h"
#include "engine/torch/graph/boxed_call.h"
#include "engine/torch/nn/initial_weights.h"
#include "engine/torch/nn/tensor_slot.h"

namespace lanelab {

/// Slots of its parameters and buffers, in the archive's order. Parameters that are one tensor there are
/// one here, under the first of their names. Weights and biases of norms stay fp32, other parameters are held in
/// the compute type, weights of convolutions in the format of images.
class StageTensors {
 public:
  /// `constants`: by name, on the host.
  StageTensors(const ExportedProgram& program, const ValueFlow& flow, const StageGraph& stage,
               const TensorMap& constants);
  StageTensors(const StageTensors&) = delete;
  StageTensors& operator=(const StageTensors&) = delete;

  const std::vector<TensorSlot>& slots() const { return m_slots; }
  /// Where and in which type the stage computes, by its parameters and the values that it receives.
  CallTarget target(const TensorList& received) const;
  void moveConstantsTo(at::Device device);
  void put(GraphFrame& frame) const;

 private:
  std::deque<at::Tensor> m_tensors;
  std::vector<TensorSlot> m_slots;
  std::vector<at::Tensor*> m_constants;
  std::vector<std::pair<ValueId, at::Tensor*>> m_values, m_scales;
};

}  // namespace lanelab
