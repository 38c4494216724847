// SPDX-License-Identifier: GPL-3.0-only
// The blocks of a network as plain tensors and ATen calls: the unit that a placement moves between lanes.
//
// Names, registration order and operations are torchvision's (torchvision/models/resnet.py, v1.5: the stride is on the
// 3x3 convolution), so weights and results compare tensor by tensor. A block never changes its input in place, because
// the input may be a lane's mailbox.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/model/model_spec.h"
#include "engine/torch/nn/tensor_slot.h"

namespace lanelab {

struct NormLayer;

/// One block. Threads: used by its lane's thread only.
class NetworkBlock {
 public:
  virtual ~NetworkBlock() = default;

  /// [N, ...] -> [N, ...]; with autograd when gradients are on. Training mode updates the running statistics of batch
  /// norm.
  virtual at::Tensor forward(const at::Tensor& input, bool training) = 0;

  const std::string& name() const { return m_name; }
  /// In the order of torchvision's state_dict().
  const std::vector<TensorSlot>& slots() const { return m_slots; }
  /// Its batch norms, whose mode a stage sets.
  const std::vector<NormLayer*>& norms() const { return m_norms; }

 protected:
  explicit NetworkBlock(std::string name) : m_name(std::move(name)) {}
  NetworkBlock(const NetworkBlock&) = delete;
  NetworkBlock& operator=(const NetworkBlock&) = delete;

  void addSlots(const std::vector<TensorSlot>& slots) { m_slots.insert(m_slots.end(), slots.begin(), slots.end()); }
  void addNorm(NormLayer& norm) { m_norms.push_back(&norm); }

 private:
  std::string m_name;
  std::vector<TensorSlot> m_slots;
  std::vector<NormLayer*> m_norms;
};

using NetworkBlocks = std::vector<std::unique_ptr<NetworkBlock>>;

/// Of all blocks, in their order.
std::vector<TensorSlot> slotsOf(const NetworkBlocks& blocks);

/// The blocks of a described model, in its order, with empty tensors. Errors: an architecture that this engine cannot
/// build.
Result<NetworkBlocks> makeBlocks(const ModelSpec& spec);

}  // namespace lanelab
