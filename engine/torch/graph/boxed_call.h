// SPDX-License-Identifier: GPL-3.0-only
// One call of an exported graph by way of PyTorch's dispatcher: every kernel that PyTorch registers, under autograd as
// in eager mode.
//
// As torch/nativert/kernels/C10Kernel.cpp: what is the same in every call is laid out once as the operator's stack, and
// a call fills in values only.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>
#include <c10/core/Device.h>

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/exported/graph/exported_graph.h"
#include "engine/torch/nn/activation.h"

namespace lanelab {

/// The values of a graph during one pass through it, by ValueId. Those that are not made yet, or are not needed any
/// more, are None.
struct GraphFrame {
  explicit GraphFrame(std::size_t count) : values(count) {}
  c10::IValue& operator[](ValueId value) { return values[value.index()]; }

  /// Of a value that the backward makes again; null where who needs it keeps it.
  c10::intrusive_ptr<RemadeValue> remade(ValueId value) const {
    const auto found = made_again.find(value);
    return found == made_again.end() ? c10::intrusive_ptr<RemadeValue>() : found->second;
  }

  /// Of the outputs of a weight that is held in 8 bits (int8_linear.h); else undefined.
  at::Tensor scaleOf(ValueId weight) const {
    const auto found = scales.find(weight);
    return found == scales.end() ? at::Tensor() : found->second;
  }

  std::vector<c10::IValue> values;
  std::map<ValueId, at::Tensor> scales;
  std::map<ValueId, c10::intrusive_ptr<RemadeValue>> made_again;
  torch::jit::Stack stack;  ///< of the call in progress, whose memory the next one uses again
};

/// Of an argument that is a list of integers and sizes; empty for other kinds.
std::vector<std::int64_t> integersOf(GraphFrame& frame, const ExportedArgument& argument);

/// Where and in which type the calls of a lane compute.
struct CallTarget {
  at::Device device = at::kCPU;
  at::ScalarType compute = at::kFloat;  ///< in place of float32 where a call makes a tensor out of nothing
};

/// Immutable; a lane's thread only. Throws std::runtime_error with a sentence that names operator, module and line
/// where PyTorch has no such operator, or an argument does not fit it.
class BoxedCall {
 public:
  BoxedCall(const ExportedNode& node, const CallTarget& target);

  /// An argument of one call in place of what the graph has.
  struct Instead {
    std::size_t place = 0;
    c10::IValue value;
  };
  /// Takes its arguments from the frame and puts the results there. Throws what the kernel throws.
  void run(GraphFrame& frame, std::span<const Instead> instead = {}) const;

  const ExportedNode& node() const { return *m_node; }
  const c10::FunctionSchema& schema() const { return m_operator.schema(); }
  /// Whether it draws random numbers.
  bool isRandom() const { return m_operator.hasTag(at::Tag::nondeterministic_seeded); }
  /// Place of an argument on the stack; nothing where the operator has none of that name.
  std::optional<std::size_t> placeOf(const std::string& argument) const;

 private:
  /// An argument that is, or has in it, a value of the graph.
  struct Filled {
    std::size_t place = 0;
    const ExportedArgument* argument = nullptr;
    bool is_tensor = false;  ///< for the operator, which may get a number
  };

  c10::IValue constantOf(const c10::Argument& formal, const ExportedArgument& given) const;
  void keepOutputs(GraphFrame& frame) const;

  const ExportedNode* m_node;
  CallTarget m_target;
  c10::OperatorHandle m_operator;
  std::vector<c10::IValue> m_stack;  ///< None where a value of the graph goes
  std::vector<Filled> m_filled;
};

}  // namespace lanelab
