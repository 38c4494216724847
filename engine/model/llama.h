// SPDX-License-Identifier: GPL-3.0-only
// The configuration of a Llama: Hugging Face's config.json, old keys and new ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/model/module_tree.h"

namespace lanelab {

/// How the angles of rotary embedding are stretched for contexts longer than those of training (transformers,
/// modeling_rope_utils.py).
struct RopeScaling {
  enum class Kind : unsigned char { Default, Linear, Llama3 };
  Kind kind = Kind::Default;
  double theta = 10000;
  double factor = 1;  ///< Linear and Llama3
  double low_frequency_factor = 1;
  double high_frequency_factor = 4;
  std::int64_t original_context = 2048;  ///< Llama3
};

struct LlamaConfig {
  std::int64_t vocabulary = 32000;
  std::int64_t hidden = 4096;
  std::int64_t intermediate = 11008;
  std::int64_t layers = 32;
  std::int64_t heads = 32;
  std::int64_t key_value_heads = 32;  ///< divides `heads`
  std::int64_t head_size = 128;       ///< even
  double norm_epsilon = 1e-6;
  RopeScaling rope;
  bool attention_bias = false;
  bool mlp_bias = false;
  bool tied = false;  ///< the output's weight is that of the embedding
  ElementType type = ElementType::Float32;
  std::vector<std::int64_t> end_tokens = {2};  ///< generation of a row stops at any of them
  std::optional<std::int64_t> pad_token;       ///< fills rows that have stopped; absent: the first end token
};

/// Reads config.json. What is absent has transformers' default. Keys that do not matter here are passed over, since
/// every version writes others. Errors (BadInput) name the key: not a Llama, sizes below 1 or that do not divide, an
/// activation but silu, a kind of rope or dtype that is not known.
Result<LlamaConfig> parseLlamaConfig(std::string_view json, const std::string& place);

}  // namespace lanelab
