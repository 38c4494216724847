// SPDX-License-Identifier: GPL-3.0-only
#include "engine/networks/llama_program.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "engine/exported/exported_tree.h"
#include "engine/networks/program_builder.h"

namespace lanelab {
namespace {

using Kind = ExportedInput::Kind;
using Arguments = std::vector<NamedArgument>;

constexpr int kPartsOfLayers = 3;                            ///< modules that this many others call: root, model, layer
constexpr std::int64_t kHeads = 1, kTokens = 2, kLast = -1;  ///< dimensions

constexpr const char* kOfLayer[] = {
    "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj", "mlp.gate_proj",
    "mlp.up_proj",      "mlp.down_proj",    "mlp.act_fn",       "input_layernorm",  "post_attention_layernorm"};

class LlamaBuilder {
 public:
  explicit LlamaBuilder(const LlamaConfig& config)
      : m_config(config),
        m_type(*fromWord<ScalarKind>(toWord(config.type))),
        m_hidden{kAnySize, config.hidden},
        m_net("LlamaForCausalLM", {kAnySize}, ScalarKind::Int64) {}

  ExportedProgram program() {
    registerModules();
    m_net.enter("model", "LlamaModel");
    ValueId x = m_net.call("aten.embedding.default",
                           {{"weight", parameter("model.embed_tokens.weight", {m_config.vocabulary, m_config.hidden})},
                            {"indices", m_net.user()}},
                           m_hidden, "model.embed_tokens", "Embedding");
    computeRotation();
    for (std::int64_t i = 0; i < m_config.layers; ++i) x = layer(x, layerPath(i));
    x = norm(x, "model.norm");
    m_net.leave();
    x = linear(x, "lm_head", m_config.vocabulary, /*bias=*/false);
    if (m_config.tied) m_net.tie("lm_head.weight", "model.embed_tokens.weight");
    return m_net.finish(x);
  }

 private:
  static std::string layerPath(std::int64_t i) { return "model.layers." + std::to_string(i); }

  void registerModules() {
    m_net.registers("model.embed_tokens");
    for (std::int64_t i = 0; i < m_config.layers; ++i)
      for (const char* module : kOfLayer) m_net.registers(layerPath(i) + "." + module);
    for (const char* module : {"model.norm", "model.rotary_emb", "lm_head"}) m_net.registers(module);
  }

  ValueId parameter(const std::string& name, const Shape& shape) {
    return m_net.weight(Kind::Parameter, name, shape, m_type);
  }
  ValueId call(const std::string& target, ValueId x, Arguments others, const Shape& made) {
    others.insert(others.begin(), {"self", x});
    return m_net.call("aten." + target, std::move(others), made);
  }
  /// Of the shape of `x`.
  ValueId like(ValueId x, const std::string& target, Arguments others = {}) {
    return call(target, x, std::move(others), Shape(m_net.shapeOf(x)));
  }
  ValueId sum(ValueId a, ValueId b) { return like(a, "add.Tensor", {{"other", b}}); }
  ValueId product(ValueId a, ValueId b) { return like(a, "mul.Tensor", {{"other", b}}); }
  ValueId to(ScalarKind type, ValueId x) {
    return m_net.call("aten.to.dtype", {{"self", x}, {"dtype", ScalarTypeArgument{type}}}, Shape(m_net.shapeOf(x)), "",
                      "", type);
  }
  ValueId unsqueezed(ValueId x, std::int64_t dim, const Shape& made) {
    return call("unsqueeze.default", x, {{"dim", dim}}, made);
  }
  ValueId joined(ValueId a, ValueId b, const Shape& made) {
    return m_net.call("aten.cat.default", {{"tensors", std::vector{a, b}}, {"dim", kLast}}, made);
  }

  ValueId linear(ValueId x, const std::string& path, std::int64_t features, bool bias) {
    const ExportedArgument weight = parameter(path + ".weight", {features, m_net.shapeOf(x).back()});
    const ExportedArgument added = bias ? ExportedArgument(parameter(path + ".bias", {features})) : NoArgument{};
    return m_net.call("aten.linear.default", {{"input", x}, {"weight", weight}, {"bias", added}}, {kAnySize, features},
                      path, "Linear");
  }

  ValueId norm(ValueId x, const std::string& path) {
    m_net.enter(path, "LlamaRMSNorm");
    const ValueId exact = to(ScalarKind::Float32, x), square = product(exact, exact);
    const ValueId mean = call("mean.dim", square, {{"dim", std::vector{kLast}}, {"keepdim", true}}, {kAnySize, 1});
    const ValueId scale = like(like(mean, "add.Tensor", {{"other", m_config.norm_epsilon}}), "rsqrt.default");
    const ValueId normalised = to(m_type, product(exact, scale));
    const ValueId scaled =
        call("mul.Tensor", parameter(path + ".weight", {m_config.hidden}), {{"other", normalised}}, m_hidden);
    m_net.leave();
    return scaled;
  }

  /// Cosine and sine of each position and pair, computed in fp32.
  void computeRotation() {
    const std::int64_t pairs = m_config.head_size / 2, one = 1;
    m_net.enter("model.rotary_emb", "LlamaRotaryEmbedding");
    const ValueId frequencies = m_net.weight(Kind::Buffer, kRotaryFrequencies, {pairs});
    m_net.weight(Kind::Buffer, "model.rotary_emb.original_inv_freq", {pairs});
    const ValueId counted = like(like(m_net.user(), "ones_like.default"), "cumsum.default", {{"dim", one}});
    const ValueId positions = to(ScalarKind::Float32, like(counted, "sub.Tensor", {{"other", one}}));
    const ValueId half =
        call("mul.Tensor", unsqueezed(positions, kLast, {kAnySize, 1}), {{"other", frequencies}}, {kAnySize, pairs});
    const ValueId angles = joined(half, half, {kAnySize, 2 * pairs});
    const auto of_heads = [&](const char* function) {
      return unsqueezed(to(m_type, like(angles, function)), kHeads, {1, kAnySize, 2 * pairs});
    };
    m_cosine = of_heads("cos.default");
    m_sine = of_heads("sin.default");
    m_net.leave();
  }

  /// Pairs of a head's values, of its first and its second half, turned by the angle of their position.
  ValueId rotated(ValueId heads) {
    const Shape whole = m_net.shapeOf(heads), part = {whole[0], whole[1], whole[2] / 2};
    const auto slice = [&](std::int64_t begin) {
      return call("slice.Tensor", heads, {{"dim", kLast}, {"start", begin}, {"end", begin + part[2]}}, part);
    };
    const ValueId first = slice(0), turned = joined(like(slice(part[2]), "neg.default"), first, whole);
    return sum(product(heads, m_cosine), product(turned, m_sine));
  }

  /// From tokens and heads to heads and tokens, and back.
  ValueId exchanged(ValueId x) {
    const Shape from = m_net.shapeOf(x);
    return call("transpose.int", x, {{"dim0", kHeads}, {"dim1", kTokens}}, {from[1], from[0], from[2]});
  }
  ValueId heads(ValueId x, const std::string& path, std::int64_t count) {
    const ValueId projected = linear(x, path, count * m_config.head_size, m_config.attention_bias);
    return exchanged(call("unflatten.int", projected,
                          {{"dim", kLast}, {"sizes", std::vector{count, m_config.head_size}}},
                          {kAnySize, count, m_config.head_size}));
  }

  ValueId attention(ValueId x, const std::string& path) {
    m_net.enter(path, "LlamaAttention");
    const ValueId query = rotated(heads(x, path + ".q_proj", m_config.heads)),
                  key = rotated(heads(x, path + ".k_proj", m_config.key_value_heads)),
                  value = heads(x, path + ".v_proj", m_config.key_value_heads);
    const double scale = std::pow(static_cast<double>(m_config.head_size), -0.5);
    const bool grouped = m_config.heads != m_config.key_value_heads;
    Arguments arguments = {{"query", query}, {"key", key}, {"value", value}};
    arguments.insert(arguments.end(), {{"is_causal", true}, {"scale", scale}, {"enable_gqa", grouped}});
    const ValueId mixed =
        m_net.call("aten.scaled_dot_product_attention.default", std::move(arguments), Shape(m_net.shapeOf(query)));
    const ValueId together = call("flatten.using_ints", exchanged(mixed), {{"start_dim", kTokens}},
                                  {kAnySize, m_config.heads * m_config.head_size});
    const ValueId projected = linear(together, path + ".o_proj", m_config.hidden, m_config.attention_bias);
    m_net.leave();
    return projected;
  }

  ValueId feedForward(ValueId x, const std::string& path) {
    m_net.enter(path, "LlamaMLP");
    const ValueId gate = linear(x, path + ".gate_proj", m_config.intermediate, m_config.mlp_bias);
    const ValueId opened = m_net.call("aten.silu.default", {{"self", gate}}, Shape(m_net.shapeOf(gate)),
                                      path + ".act_fn", "SiLUActivation");
    const ValueId inner = product(opened, linear(x, path + ".up_proj", m_config.intermediate, m_config.mlp_bias));
    const ValueId projected = linear(inner, path + ".down_proj", m_config.hidden, m_config.mlp_bias);
    m_net.leave();
    return projected;
  }

  ValueId layer(ValueId x, const std::string& path) {
    m_net.enter(path, "LlamaDecoderLayer");
    x = sum(x, attention(norm(x, path + ".input_layernorm"), path + ".self_attn"));
    x = sum(x, feedForward(norm(x, path + ".post_attention_layernorm"), path + ".mlp"));
    m_net.leave();
    return x;
  }

  const LlamaConfig& m_config;
  const ScalarKind m_type;
  const Shape m_hidden;
  ProgramBuilder m_net;
  ValueId m_cosine, m_sine;
};

}  // namespace

std::shared_ptr<const ExportedNetwork> llamaNetwork(const LlamaConfig& config) {
  return networkOf(LlamaBuilder(config).program(), {.depth = kPartsOfLayers}).value();
}

ModuleTree llamaTree(const LlamaConfig& config) {
  return treeOfExported(LlamaBuilder(config).program(), "llama", "ModuleList").value();
}

}  // namespace lanelab
