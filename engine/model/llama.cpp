// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/llama.h"

#include <algorithm>

#include "base/json_fields.h"
#include "base/text.h"

namespace lanelab {
namespace {

class ConfigReader {
 public:
  ConfigReader(const Json& json, const std::string& place)
      : m_errors(place), m_json(json), m_reader(m_errors, json, "") {}

  Result<LlamaConfig> read() {
    std::string kind = "llama";
    m_reader.read("model_type", kind);
    if (kind != "llama") m_errors.add("model_type is \"" + kind + "\": only llama can be read.");
    readSizes();
    readHeads();
    m_reader.readOrNull("rms_norm_eps", m_config.norm_epsilon);
    m_reader.read("attention_bias", m_config.attention_bias);
    m_reader.read("mlp_bias", m_config.mlp_bias);
    m_reader.read("tie_word_embeddings", m_config.tied);
    std::string activation = "silu";
    m_reader.read("hidden_act", activation);
    if (activation != "silu") m_errors.add("hidden_act is \"" + activation + "\": only silu is known.");
    readType();
    readRope();
    readEndTokens();
    if (m_errors.first()) return *m_errors.first();
    return m_config;
  }

 private:
  void readSizes() {
    readSize("vocab_size", m_config.vocabulary);
    readSize("hidden_size", m_config.hidden);
    readSize("intermediate_size", m_config.intermediate);
    readSize("num_hidden_layers", m_config.layers);
    readSize("num_attention_heads", m_config.heads);
  }
  void readSize(const char* key, std::int64_t& size) {
    m_reader.read(key, size);
    constexpr std::int64_t kMost = 1 << 24;
    if (size < 1 || size > kMost)
      m_errors.add(std::string(key) + " is " + std::to_string(size) + ": it must be from 1 to " +
                   std::to_string(kMost) + ".");
  }

  void readHeads() {
    const std::int64_t heads = std::max<std::int64_t>(m_config.heads, 1);  // what is below 1 was reported
    std::optional<std::int64_t> key_value_heads, head_size;
    m_reader.read("num_key_value_heads", key_value_heads);
    m_reader.read("head_dim", head_size);
    m_config.key_value_heads = key_value_heads.value_or(heads);
    if (m_config.key_value_heads < 1 || heads % m_config.key_value_heads != 0)
      m_errors.add("num_key_value_heads is " + std::to_string(m_config.key_value_heads) + ": it must divide the " +
                   std::to_string(heads) + " heads.");
    if (!head_size && m_config.hidden % heads != 0)
      m_errors.add("hidden_size is " + std::to_string(m_config.hidden) +
                   ": without head_dim it must be a multiple of the " + std::to_string(heads) + " heads.");
    m_config.head_size = head_size.value_or(m_config.hidden / heads);
    if (m_config.head_size < 2 || m_config.head_size % 2 != 0 || m_config.head_size > 1 << 16)
      m_errors.add("head_dim is " + std::to_string(m_config.head_size) +
                   ": rotary embedding needs an even number from 2 on.");
  }

  void readType() {
    std::optional<std::string> type;
    m_reader.read("torch_dtype", type);
    m_reader.read("dtype", type);
    if (!type) return;
    if (type->starts_with("torch.")) type->erase(0, 6);
    const auto known = fromWord<ElementType>(*type);
    if (!known || !isFloating(*known))
      return m_errors.add("dtype is \"" + *type + "\": choose float32, float16, bfloat16 or float64.");
    m_config.type = *known;
  }

  /// New files have all in rope_parameters, old ones theta beside rope_scaling.
  void readRope() {
    m_reader.readOrNull("rope_theta", m_config.rope.theta);
    m_reader.read("max_position_embeddings", m_config.rope.original_context);
    m_reader.read("original_max_position_embeddings", m_config.rope.original_context);
    for (const char* key : {"rope_scaling", "rope_parameters"}) {
      const auto found = m_json.find(key);
      if (found != m_json.end() && !found->is_null()) readRopeFrom(*found, key);
    }
    if (!(m_config.rope.theta > 0)) m_errors.add("rope_theta must be above 0.");
  }
  void readRopeFrom(const Json& json, const char* key) {
    ObjectReader reader(m_errors, json, key);
    RopeScaling& rope = m_config.rope;
    std::string kind = "default";
    reader.read("type", kind);
    reader.read("rope_type", kind);
    const std::vector<std::string> kinds = {"default", "linear", "llama3"};
    const auto found = std::ranges::find(kinds, kind);
    if (found == kinds.end())
      return m_errors.add(std::string(key) + ".rope_type is \"" + kind + "\": " + joinOr(kinds) + " are known.");
    rope.kind = static_cast<RopeScaling::Kind>(found - kinds.begin());
    reader.readOrNull("rope_theta", rope.theta);
    reader.readOrNull("factor", rope.factor);
    reader.readOrNull("low_freq_factor", rope.low_frequency_factor);
    reader.readOrNull("high_freq_factor", rope.high_frequency_factor);
    reader.read("original_max_position_embeddings", rope.original_context);
    if (rope.kind != RopeScaling::Kind::Default && !(rope.factor >= 1))
      m_errors.add(std::string(key) + ".factor must be 1 or more.");
    if (rope.kind == RopeScaling::Kind::Llama3 &&
        !(rope.low_frequency_factor > 0 && rope.high_frequency_factor > rope.low_frequency_factor &&
          rope.original_context > 0))
      m_errors.add(std::string(key) +
                   " needs 0 < low_freq_factor < high_freq_factor and original_max_position_embeddings above 0.");
  }

  /// A number, a list of them, or null: generation never stops by itself.
  void readEndTokens() {
    m_reader.read("pad_token_id", m_config.pad_token);
    const auto found = m_json.find("eos_token_id");
    if (found == m_json.end()) return;
    m_config.end_tokens.clear();
    if (found->is_array()) return m_reader.read("eos_token_id", m_config.end_tokens);
    std::optional<std::int64_t> token;
    m_reader.read("eos_token_id", token);
    if (token) m_config.end_tokens.push_back(*token);
  }

  FieldErrors m_errors;
  const Json& m_json;
  ObjectReader m_reader;
  LlamaConfig m_config;
};

}  // namespace

Result<LlamaConfig> parseLlamaConfig(std::string_view json, const std::string& place) {
  const Result<Json> parsed = parseJsonText(json, place);
  if (!parsed.ok()) return parsed.error();
  return ConfigReader(*parsed, place).read();
}

}  // namespace lanelab
