// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/data/row_source.h"

#include <ATen/ops/index_select.h>
#include <ATen/ops/tensor.h>

namespace lanelab {

namespace {

/// Of integers below int64: they stay as small as they are until a batch is made.
bool isNarrow(const at::Tensor& values) {
  return at::isIntegralType(values.scalar_type(), /*includeBool=*/true) && values.scalar_type() != at::kLong;
}

at::Tensor widened(const at::Tensor& values) { return isNarrow(values) ? values.to(at::kLong) : values; }

class ResidentRows final : public RowSource {
 public:
  ResidentRows(at::Tensor inputs, at::Tensor targets) : m_inputs(std::move(inputs)), m_targets(std::move(targets)) {}

  std::int64_t size() const override { return m_inputs.size(0); }

  Samples rows(const std::vector<std::int64_t>& numbers) const override {
    const at::Tensor index = at::tensor(numbers, at::TensorOptions().dtype(at::kLong));
    return {widened(at::index_select(m_inputs, 0, index)), widened(at::index_select(m_targets, 0, index))};
  }

  std::optional<Samples> view(std::int64_t begin, std::int64_t count) const override {
    if (isNarrow(m_inputs) || isNarrow(m_targets)) return {};
    return Samples{m_inputs.narrow(0, begin, count), m_targets.narrow(0, begin, count)};
  }

  at::Tensor targets() const override { return m_targets; }

 private:
  at::Tensor m_inputs, m_targets;
};

}  // namespace

std::shared_ptr<const RowSource> residentRows(at::Tensor inputs, at::Tensor targets) {
  return std::make_shared<ResidentRows>(std::move(inputs), std::move(targets));
}

}  // namespace lanelab
