// SPDX-License-Identifier: GPL-3.0-only
// The modules of a Llama that hold weights, in the order in which a forward pass uses them, and the checks of a file
// against them.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "engine/model/llama.h"
#include "engine/torch/files/mapped_tensors.h"

namespace lanelab {

/// A module without children, under Hugging Face's name.
struct LlamaModule {
  enum class Kind : unsigned char { Embedding, Norm, Linear };
  Kind kind = Kind::Linear;
  std::string path;                 ///< "model.layers.0.self_attn.q_proj"
  std::string weight;               ///< tensor in the file; a tied lm_head has the embedding's
  std::string bias;                 ///< "" without one
  std::vector<std::int64_t> shape;  ///< of the weight
};

std::vector<LlamaModule> llamaModules(const LlamaConfig& config);

at::ScalarType scalarType(ElementType type);

/// BadInput names tensors that are missing, of another shape, or no floating-point numbers. What a file holds besides
/// is passed over, since checkpoints carry buffers and heads that a network need not use.
Status checkLlamaWeights(const std::vector<LlamaModule>& modules, const MappedTensors& tensors,
                         const std::string& place);

}  // namespace lanelab
