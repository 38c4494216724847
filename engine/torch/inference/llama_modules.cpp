// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/inference/llama_modules.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/text.h"

namespace lanelab {
namespace {

using Kind = LlamaModule::Kind;
constexpr const char* kEmbeddingPath = "model.embed_tokens";

LlamaModule module(Kind kind, const std::string& path, std::vector<std::int64_t> shape, bool bias = false) {
  return {kind, path, path + ".weight", bias ? path + ".bias" : "", std::move(shape)};
}

/// "[4, 3]", as PyTorch writes a shape.
std::string bracketed(const std::vector<std::int64_t>& shape) {
  std::vector<std::string> sizes;
  for (const std::int64_t size : shape) sizes.push_back(std::to_string(size));
  return "[" + joined(sizes, ", ") + "]";
}

std::string problemOf(const std::string& name, const std::vector<std::int64_t>& shape, const MappedTensors& tensors) {
  if (tensors.shape(name) != shape)
    return name + " has the shape " + bracketed(tensors.shape(name)) + " where the configuration asks for " +
           bracketed(shape);
  if (!at::isFloatingType(tensors.type(name))) return name + " holds no floating-point numbers";
  return "";
}

}  // namespace

std::vector<LlamaModule> llamaModules(const LlamaConfig& config) {
  const std::int64_t query = config.heads * config.head_size, key = config.key_value_heads * config.head_size;
  std::vector<LlamaModule> modules = {module(Kind::Embedding, kEmbeddingPath, {config.vocabulary, config.hidden})};
  for (std::int64_t i = 0; i < config.layers; ++i) {
    const std::string layer = "model.layers." + std::to_string(i) + ".";
    modules.push_back(module(Kind::Norm, layer + "input_layernorm", {config.hidden}));
    modules.push_back(module(Kind::Linear, layer + "self_attn.q_proj", {query, config.hidden}, config.attention_bias));
    modules.push_back(module(Kind::Linear, layer + "self_attn.k_proj", {key, config.hidden}, config.attention_bias));
    modules.push_back(module(Kind::Linear, layer + "self_attn.v_proj", {key, config.hidden}, config.attention_bias));
    modules.push_back(module(Kind::Linear, layer + "self_attn.o_proj", {config.hidden, query}, config.attention_bias));
    modules.push_back(module(Kind::Norm, layer + "post_attention_layernorm", {config.hidden}));
    modules.push_back(
        module(Kind::Linear, layer + "mlp.gate_proj", {config.intermediate, config.hidden}, config.mlp_bias));
    modules.push_back(
        module(Kind::Linear, layer + "mlp.up_proj", {config.intermediate, config.hidden}, config.mlp_bias));
    modules.push_back(
        module(Kind::Linear, layer + "mlp.down_proj", {config.hidden, config.intermediate}, config.mlp_bias));
  }
  modules.push_back(module(Kind::Norm, "model.norm", {config.hidden}));
  modules.push_back(module(Kind::Linear, "lm_head", {config.vocabulary, config.hidden}));
  if (config.tied) modules.back().weight = modules.front().weight;
  return modules;
}

at::ScalarType scalarType(ElementType type) {
  switch (type) {
    case ElementType::Float64: return at::kDouble;
    case ElementType::Float32: return at::kFloat;
    case ElementType::Float16: return at::kHalf;
    case ElementType::BFloat16: return at::kBFloat16;
    default: throw std::invalid_argument("A network computes in floating-point numbers, not in " + toWord(type));
  }
}

Status checkLlamaWeights(const std::vector<LlamaModule>& modules, const MappedTensors& tensors,
                         const std::string& place) {
  std::vector<std::string> missing;
  for (const LlamaModule& module : modules) {
    for (const std::string& name : {module.weight, module.bias})
      if (!name.empty() && !tensors.contains(name)) missing.push_back(name);
  }
  if (!missing.empty()) {
    const std::size_t count = missing.size();
    missing.resize(std::min<std::size_t>(count, 3));
    return Error::badInput(
        "{}: {}{} missing that the configuration asks for: {}{}. Give the weights that belong to this config.json.",
        place, count, count == 1 ? " tensor is" : " tensors are", joined(missing, ", "), count > 3 ? ", ..." : "");
  }
  for (const LlamaModule& module : modules) {
    std::string problem = problemOf(module.weight, module.shape, tensors);
    if (problem.empty() && !module.bias.empty()) problem = problemOf(module.bias, {module.shape.front()}, tensors);
    if (!problem.empty())
      return Error::badInput("{}: {}. Give the weights that belong to this config.json.", place, problem);
  }
  return {};
}

}  // namespace lanelab
