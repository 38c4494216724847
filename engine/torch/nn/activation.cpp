// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/nn/activation.h"

#include <ATen/core/grad_mode.h>

#include "base/stop_point.h"

namespace lanelab {

namespace {

constexpr const char* kRemade = "remade";  // among an autograd function's saved data

}  // namespace

at::Tensor RemadeValue::read() {
  if (!m_value.defined()) {
    stopPoint();
    const at::NoGradGuard no_grad;
    m_value = m_make(m_source);
  }
  if (--m_readers > 0) return m_value;
  m_source.reset();
  m_make = nullptr;
  return std::move(m_value);
}

void RemadeValue::saveIn(torch::autograd::AutogradContext& context) {
  addReader();
  context.saved_data[kRemade] = c10::IValue::make_capsule(c10::intrusive_ptr<RemadeValue>::reclaim_copy(this));
}

c10::intrusive_ptr<RemadeValue> RemadeValue::savedIn(torch::autograd::AutogradContext& context) {
  const auto saved = context.saved_data.find(kRemade);
  if (saved == context.saved_data.end()) return {};
  return c10::static_intrusive_pointer_cast<RemadeValue>(saved->second.toCapsule());
}

}  // namespace lanelab
