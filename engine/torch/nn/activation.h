// SPDX-License-Identifier: GPL-3.0-only
// A value between two layers that need not be stored for the backward: who would save it saves how to make it again.
//
// For Recompute::Activations (engine/experiment/choices.h): relu(norm(x)) follows from x, which the norm stores anyway,
// by one pass over memory with fused kernels, and by the whole norm with PyTorch's. The same operations on the same
// numbers give the same bits.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/csrc/autograd/custom_function.h>

#include <functional>
#include <utility>

namespace lanelab {

/// One value of one micro-batch, made again when the first of its readers asks in the backward, and forgotten with all
/// it is made of when the last one has. The lane's thread only.
class RemadeValue : public torch::CustomClassHolder {
 public:
  /// `source`: what it is made of, a tensor of the same shape, type and layout.
  RemadeValue(at::Tensor source, std::function<at::Tensor(const at::Tensor& source)> make)
      : m_source(std::move(source)), m_make(std::move(make)) {}

  /// In a forward: one more will read it.
  void addReader() { ++m_readers; }
  /// In the backward, once for each reader.
  at::Tensor read();
  /// Where only shape, type and layout matter.
  const at::Tensor& source() const { return m_source; }

  /// Among what an autograd function saves.
  void saveIn(torch::autograd::AutogradContext& context);
  /// What saveIn() saved; null where nothing was.
  static c10::intrusive_ptr<RemadeValue> savedIn(torch::autograd::AutogradContext& context);

 private:
  at::Tensor m_source, m_value;
  std::function<at::Tensor(const at::Tensor& source)> m_make;
  int m_readers = 0;
};

struct Activation {
  Activation() = default;
  Activation(at::Tensor its_value, c10::intrusive_ptr<RemadeValue> its_remade = {})  // NOLINT: a tensor is one
      : value(std::move(its_value)), remade(std::move(its_remade)) {}

  at::Tensor value;
  c10::intrusive_ptr<RemadeValue> remade;  ///< null: who needs the value in the backward keeps it
};

}  // namespace lanelab
