// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/joined_operation.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/split_with_sizes.h>
#include <ATen/ops/unbind.h>

#include <utility>

#include "engine/torch/devices/tensor_list.h"
#include "engine/torch/nn/row_functions.h"

namespace lanelab {
namespace {

TensorList resultsOf(const JoinedCalls& calls, const TensorList& read) {
  switch (calls.rule) {
    case Rule::FusedRmsNorm: return {rmsNormOf(read[0], read[1], calls.epsilon)};
    case Rule::GatedProduct: return {gatedProduct(read[0], read[1])};
    case Rule::RotaryEmbedding: return {rotaryEmbedding(read[0], read[1], read[2])};
    case Rule::TanhGelu: return {at::gelu(read[0], "tanh")};
    default: break;
  }
  const auto dim = static_cast<std::int64_t>(calls.dimension);
  return calls.sizes.empty() ? read[0].unbind(dim) : read[0].split_with_sizes(calls.sizes, dim);
}

}  // namespace

GraphOperation joinedOperation(const JoinedCalls& calls) {
  return [calls](GraphFrame& frame, const GraphPass& pass) {
    TensorList read;
    for (const ValueId value : calls.reads) read.push_back(frame[value].toTensor());
    // What is computed below autograd, functions of its own would record.
    const at::AutoGradMode mode(pass.recorded && at::GradMode::is_enabled());
    TensorList made = resultsOf(calls, read);
    TORCH_CHECK(made.size() == calls.makes.size(), "a tensor has other sizes than the file says");
    for (std::size_t i = 0; i < made.size(); ++i) frame[calls.makes[i]] = std::move(made[i]);
  };
}

}  // namespace lanelab
