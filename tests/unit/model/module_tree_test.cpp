// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/module_tree.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/text.h"
#include "engine/model/architectures.h"
#include "engine/model/model_spec.h"
#include "engine/networks/built_network.h"
#include "engine/networks/llama_program.h"
#include "tests/support/described_model.h"

namespace lanelab {
namespace {

std::string problemOf(const std::string& json) {
  const auto tree = parseModuleTree(json, "t.json");
  return tree.ok() ? "none" : tree.error().message;
}

TEST(ModuleTree, IsReadInItsOrder) {
  const auto tree = parseModuleTree(
      R"({"class": "Net", "children": {"b": {"class": "Linear", "parameters": {"weight": {"shape": [4, 3], "dtype": "float16", "tie": "x"},
      "bias": {"shape": [], "dtype": "int64"}}}, "a": {"class": "ReLU"}}, "buffers": {"n": {"shape": [0, 7], "dtype": "uint8"}}})",
      "t.json");
  ASSERT_TRUE(tree.ok()) << tree.error().message;
  EXPECT_EQ(tree->class_name, "Net");
  ASSERT_EQ(tree->children.size(), 2u);
  EXPECT_EQ(tree->children[0].name, "b");
  EXPECT_EQ(tree->children[1].class_name, "ReLU");
  const auto& parameters = tree->children[0].parameters;
  EXPECT_EQ(parameters[0].tie, "x");
  EXPECT_EQ(parameters[0].bytes(), 24);
  EXPECT_EQ(parameters[1].bytes(), 8) << "no sizes are one element";
  EXPECT_EQ(tree->buffers[0].bytes(), 0);
}

TEST(ModuleTree, ProblemsNameTheirPlace) {
  struct Case {
    const char* json;
    const char* part;
  };
  const Case cases[] = {
      {R"({"class": "A", "kids": {}})", "kids"},
      {R"({"children": {"a": {"class": "B"}}})", "class"},
      {R"({"class": "A", "children": {"a": {"class": "B", "children": {"x.y": {"class": "C"}}}}})", "\"x.y\""},
      {R"({"class": "A", "children": {"a": {"class": "B"}}, "parameters": {"a": {"shape": [1], "dtype": "float32"}}})",
       "a is named twice"},
      {R"({"class": "A", "children": {"m": {"class": "B", "parameters": {"w": {"shape": [1], "dtype": "float33"}}}}})",
       "m.w.dtype"},
      {R"({"class": "A", "parameters": {"w": {"shape": [2, -1], "dtype": "float32"}}})", "w.shape holds -1"},
      {R"({"class": "A", "parameters": {"w": {"shape": [16777216, 16777216, 2], "dtype": "float32"}}})", "2^48"},
      {R"({"class": "A", "parameters": {"w": {"shape": [2], "dtype": "float32", "tie": "t"}, "v": {"shape": [3], "dtype": "float32", "tie": "t"}}})",
       "v is tied to w"},
      {R"({"class": "A", "buffers": {"w": {"shape": [2], "dtype": "float32", "tie": "t"}}})", "tie"},
      {R"({"class": "A", "parameters": {"w": {"dtype": "float32"}}})", "w.shape"},
      {R"([1])", "t.json"},
      {R"({"class": "A")", "line 1"},
  };
  for (const Case& test : cases) {
    EXPECT_NE(problemOf(test.json).find(test.part), std::string::npos) << test.json << "\n" << problemOf(test.json);
    EXPECT_EQ(problemOf(test.json).rfind("t.json", 0), 0u) << problemOf(test.json);
  }
}

std::int64_t parametersOf(const ModuleTree& tree) {
  std::int64_t count = 0;
  for (const TreeTensor& tensor : tree.parameters) count += tensor.bytes() / bytesOf(tensor.type);
  for (const ModuleTree& child : tree.children) count += parametersOf(child);
  return count;
}

TEST(ModelTree, HasTheParametersOfTheModel) {
  for (const std::string& arch : knownArchitectures()) {
    const auto tree = treeOfModel(arch, 10);
    const auto model = test::describeModel(arch, 10,
                                           arch == "toy"      ? Shape{10}
                                           : arch == "linear" ? Shape{5}
                                                              : Shape{3, 64, 64});
    ASSERT_TRUE(tree.ok() && model.ok()) << arch;
    EXPECT_EQ(parametersOf(*tree), model->parameters()) << arch;
  }
  EXPECT_NE(treeOfModel("resnet51", 10).error().message.find("resnet5"), std::string::npos);
  EXPECT_FALSE(treeOfModel("resnet50", 0).ok());
}

TEST(Llama, SevenBillionParametersWithoutAllocatingThem) {
  const auto config = parseLlamaConfig(R"({"torch_dtype": "float16"})", "config.json");
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_EQ(parametersOf(llamaTree(*config)), 6'738'415'616);
  EXPECT_EQ(config->type, ElementType::Float16);
}

TEST(Llama, OldAndNewKeysSayTheSame) {
  const auto old_keys = parseLlamaConfig(
      R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 500000.0, "torch_dtype": "bfloat16",
      "rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}})",
      "c");
  const auto new_keys = parseLlamaConfig(
      R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 4, "head_dim": 16, "dtype": "bfloat16",
      "rope_parameters": {"rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
      "original_max_position_embeddings": 8192}, "some_key_of_tomorrow": [1]})",
      "c");
  ASSERT_TRUE(old_keys.ok()) << old_keys.error().message;
  ASSERT_TRUE(new_keys.ok()) << new_keys.error().message;
  for (const LlamaConfig* config : {&*old_keys, &*new_keys}) {
    EXPECT_EQ(config->key_value_heads, 4);
    EXPECT_EQ(config->head_size, 16);
    EXPECT_EQ(config->type, ElementType::BFloat16);
    EXPECT_EQ(config->rope.kind, RopeScaling::Kind::Llama3);
    EXPECT_EQ(config->rope.theta, 500000);
    EXPECT_EQ(config->rope.factor, 8);
  }
}

TEST(Llama, KnowsWhereGenerationEnds) {
  const auto ends = [](const std::string& json) {
    const auto config = parseLlamaConfig(json, "c");
    EXPECT_TRUE(config.ok()) << config.error().message;
    return config.ok() ? config->end_tokens : std::vector<std::int64_t>{-1};
  };
  EXPECT_EQ(ends("{}"), std::vector<std::int64_t>{2}) << "transformers' default";
  EXPECT_EQ(ends(R"({"eos_token_id": null})"), std::vector<std::int64_t>{});
  EXPECT_EQ(ends(R"({"eos_token_id": 7})"), std::vector<std::int64_t>{7});
  EXPECT_EQ(ends(R"({"eos_token_id": [128001, 128008]})"), (std::vector<std::int64_t>{128001, 128008}));
  EXPECT_EQ(parseLlamaConfig(R"({"pad_token_id": 3})", "c")->pad_token, 3);
}

TEST(Llama, ContextOfTrainingIsTheLongestUnlessSaid) {
  const std::string rope =
      R"("rope_parameters": {"rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0})";
  EXPECT_EQ(parseLlamaConfig("{" + rope + "}", "c")->rope.original_context, 2048);
  EXPECT_EQ(parseLlamaConfig(R"({"max_position_embeddings": 131072, )" + rope + "}", "c")->rope.original_context,
            131072);
}

TEST(Llama, ProblemsNameTheKey) {
  struct Case {
    const char* json;
    const char* part;
  };
  const Case cases[] = {{R"({"model_type": "qwen2"})", "model_type"},
                        {R"({"hidden_size": 0})", "hidden_size"},
                        {R"({"num_attention_heads": 0})", "num_attention_heads"},
                        {R"({"num_attention_heads": 4, "num_key_value_heads": 3})", "num_key_value_heads"},
                        {R"({"hidden_size": 65, "num_attention_heads": 4})", "hidden_size"},
                        {R"({"head_dim": 7})", "head_dim"},
                        {R"({"hidden_act": "gelu"})", "hidden_act"},
                        {R"({"dtype": "int8"})", "dtype"},
                        {R"({"eos_token_id": "end"})", "eos_token_id"},
                        {R"({"rope_parameters": {"rope_type": "yarn"}})", "rope_parameters.rope_type"},
                        {R"({"rope_scaling": {"type": "linear", "factor": 0.5}})", "rope_scaling.factor"},
                        {R"([])", "c: "}};
  for (const Case& test : cases) {
    const auto config = parseLlamaConfig(test.json, "c");
    ASSERT_FALSE(config.ok()) << test.json;
    EXPECT_NE(config.error().message.find(test.part), std::string::npos) << config.error().message;
  }
}

TEST(Llama, TiedWeightsAreOneTensor) {
  const auto config = parseLlamaConfig(
      R"({"hidden_size": 8, "num_attention_heads": 2, "vocab_size": 10, "num_hidden_layers": 1, "tie_word_embeddings": true})",
      "c");
  ASSERT_TRUE(config.ok());
  const ModuleTree tree = llamaTree(*config);
  EXPECT_EQ(tree.children[1].parameters[0].tie, tree.children[0].children[0].parameters[0].tie);
  EXPECT_NE(tree.children[1].parameters[0].tie, "");
}

/// "path: class", with parameters and buffers.
void list(const ModuleTree& tree, const std::string& path, std::vector<std::string>& lines) {
  std::string line = path + ": " + tree.class_name;
  for (const TreeTensor& tensor : tree.parameters) line += " " + tensor.name + " " + formatShape(tensor.shape);
  for (const TreeTensor& tensor : tree.buffers) line += " " + tensor.name + " (" + toWord(tensor.type) + ")";
  lines.push_back(line);
  for (const ModuleTree& child : tree.children) list(child, childPath(path, child.name), lines);
}

TEST(Llama, ModulesAreThoseOfTransformers) {
  const auto config = parseLlamaConfig(
      R"({"hidden_size": 8, "intermediate_size": 12, "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": 10, "num_hidden_layers": 1,
      "attention_bias": true, "dtype": "float16"})",
      "c");
  ASSERT_TRUE(config.ok()) << config.error().message;
  std::vector<std::string> lines;
  const ModuleTree tree = llamaTree(*config);
  list(tree, "", lines);
  EXPECT_EQ(lines, (std::vector<std::string>{
                       ": LlamaForCausalLM",
                       "model: LlamaModel",
                       "model.embed_tokens: Embedding weight 10x8",
                       "model.layers: ModuleList",
                       "model.layers.0: LlamaDecoderLayer",
                       "model.layers.0.self_attn: LlamaAttention",
                       "model.layers.0.self_attn.q_proj: Linear weight 8x8 bias 8",
                       "model.layers.0.self_attn.k_proj: Linear weight 4x8 bias 4",
                       "model.layers.0.self_attn.v_proj: Linear weight 4x8 bias 4",
                       "model.layers.0.self_attn.o_proj: Linear weight 8x8 bias 8",
                       "model.layers.0.mlp: LlamaMLP",
                       "model.layers.0.mlp.gate_proj: Linear weight 12x8",
                       "model.layers.0.mlp.up_proj: Linear weight 12x8",
                       "model.layers.0.mlp.down_proj: Linear weight 8x12",
                       "model.layers.0.mlp.act_fn: SiLUActivation",
                       "model.layers.0.input_layernorm: LlamaRMSNorm weight 8",
                       "model.layers.0.post_attention_layernorm: LlamaRMSNorm weight 8",
                       "model.norm: LlamaRMSNorm weight 8",
                       "model.rotary_emb: LlamaRotaryEmbedding inv_freq (float32) original_inv_freq (float32)",
                       "lm_head: Linear weight 10x8"}));
  EXPECT_EQ(tree.children[1].parameters[0].type, ElementType::Float16);
  EXPECT_EQ(tree.children[1].parameters[0].tie, "");
}

TEST(ModuleTree, CountsWiderFloatsInANarrowerType) {
  const ModuleTree norm = treeOfModel("resnet18", 10)->children[1];
  const ModuleTree half = narrowedTo(norm, ElementType::Float16);
  EXPECT_EQ(half.parameters[0].type, ElementType::Float16);
  EXPECT_EQ(half.buffers[0].type, ElementType::Float16);
  EXPECT_EQ(half.buffers[2].type, ElementType::Int64) << "counts stay whole numbers";
  EXPECT_EQ(narrowedTo(half, ElementType::Float32).parameters[0].type, ElementType::Float16) << "nothing grows";
  EXPECT_EQ(*parseElementType("bfloat16"), ElementType::BFloat16);
  EXPECT_NE(parseElementType("float61").error().message.find("float64"), std::string::npos);
}

}  // namespace
}  // namespace lanelab
