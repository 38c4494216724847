// SPDX-License-Identifier: GPL-3.0-only
// A Llama as a graph by its configuration, with Hugging Face's names. Pure; any thread.
//
// Calls and their order are those of transformers (models/llama/modeling_llama.py, 5.23, attention by
// scaled_dot_product_attention), so that logits compare. No weight is allocated, so 7B and larger are as quick as a
// toy.
#pragma once

#include <memory>

#include "engine/exported/exported_network.h"
#include "engine/model/llama.h"
#include "engine/model/module_tree.h"

namespace lanelab {

/// Its one position embedding: float32 [head_size / 2], the angle a position for each pair of a head's values.
inline constexpr const char* kRotaryFrequencies = "model.rotary_emb.inv_freq";

/// From tokens (int64 [rows, tokens], any number of both) to logits in the type of the configuration. Positions are the
/// call aten.cumsum, counted from 1. Blocks are the modules of the root, of the model and of its layers.
std::shared_ptr<const ExportedNetwork> llamaNetwork(const LlamaConfig& config);

/// LlamaForCausalLM with model.embed_tokens, model.layers.N, model.norm, model.rotary_emb (buffers, float32) and
/// lm_head.
ModuleTree llamaTree(const LlamaConfig& config);

}  // namespace lanelab
