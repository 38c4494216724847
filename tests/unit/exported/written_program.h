// SPDX-License-Identifier: GPL-3.0-only
// A small .pt2 archive that a test writes itself, and breaks: relu(linear(x, fc.weight)) * scale in two modules.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/exported/archive/exported_archive.h"
#include "tests/support/bytes_in_memory.h"
#include "tests/unit/files/zip_writer.h"

namespace lanelab::test {

using PtJson = nlohmann::ordered_json;

inline constexpr const char* kBatchSymbol = "Symbol('s77', positive=True, integer=True)";

/// A list of one: in braces alone, compilers differ on whether it is a list.
inline PtJson listOf(const PtJson& item) { return PtJson::array({item}); }
inline PtJson symbolic(const std::string& text) { return {{"as_expr", {{"expr_str", text}, {"hint", nullptr}}}}; }
inline PtJson sizeOf(int size) { return {{"as_int", size}}; }
inline PtJson meta(PtJson sizes, int type = 7) {
  PtJson strides = PtJson::array();
  for (std::size_t i = 0; i < sizes.size(); ++i) strides.push_back(sizeOf(i + 1 == sizes.size() ? 1 : 2));
  return {{"dtype", type},
          {"sizes", std::move(sizes)},
          {"requires_grad", true},
          {"device", {{"type", "cpu"}, {"index", nullptr}}},
          {"strides", strides},
          {"storage_offset", sizeOf(0)},
          {"layout", 7}};
}
inline PtJson tensorNamed(const std::string& name) { return {{"as_tensor", {{"name", name}}}}; }
inline PtJson givenAs(const std::string& name, PtJson value) {
  return {{"name", name}, {"arg", std::move(value)}, {"kind", 1}};
}
inline PtJson callOf(const std::string& target, PtJson inputs, PtJson outputs, const std::string& module,
                     const std::string& class_name) {
  const std::string stack = "L__self__,,tests.Net;L__self__" + module + "," + module + ",torch.nn." + class_name;
  const char* const name = outputs.empty() ? "" : "named";
  return {{"target", "torch.ops." + target},
          {"inputs", std::move(inputs)},
          {"outputs", std::move(outputs)},
          {"metadata",
           {{"stack_trace",
             "File \"/a/net.py\", line 7, in forward\n  self.fc(x)\n  File "
             "\"/b/torch/nn/linear.py\", line 9, in forward\n"},
            {"nn_module_stack", stack}}},
          {"name", name}};
}

struct WrittenProgram {
  PtJson model, weights, constants;
  std::map<std::string, std::string> records;  ///< besides those three

  WrittenProgram() {
    const PtJson batch = symbolic(kBatchSymbol);
    PtJson& graph = model["graph_module"]["graph"];
    graph = {
        {"inputs", {tensorNamed("p_weight"), tensorNamed("c_scale"), tensorNamed("x")}},
        {"outputs", listOf(tensorNamed("mul"))},
        {"nodes",
         {callOf("aten.linear.default",
                 {givenAs("input", tensorNamed("x")), givenAs("weight", tensorNamed("p_weight")),
                  givenAs("bias", {{"as_none", true}})},
                 listOf(tensorNamed("linear")), "fc", "Linear"),
          callOf("aten.relu_.default", listOf(givenAs("self", tensorNamed("linear"))), listOf(tensorNamed("relu_")),
                 "act", "ReLU"),
          callOf("aten.mul.Tensor", {givenAs("self", tensorNamed("relu_")), givenAs("other", tensorNamed("c_scale"))},
                 listOf(tensorNamed("mul")), "scale", "Scale")}},
        {"tensor_values",
         {{"p_weight", meta({sizeOf(3), sizeOf(2)})},
          {"c_scale", meta(listOf(sizeOf(1)))},
          {"x", meta({batch, sizeOf(2)})},
          {"linear", meta({batch, sizeOf(3)})},
          {"relu_", meta({batch, sizeOf(3)})},
          {"mul", meta({batch, sizeOf(3)})}}},
        {"sym_int_values", PtJson::object()}};
    model["graph_module"]["signature"] = {
        {"input_specs",
         {{{"parameter", {{"arg", {{"name", "p_weight"}}}, {"parameter_name", "fc.weight"}}}},
          {{"tensor_constant", {{"arg", {{"name", "c_scale"}}}, {"tensor_constant_name", "scale"}}}},
          {{"user_input", {{"arg", tensorNamed("x")}}}}}},
        {"output_specs", listOf({{"user_output", {{"arg", tensorNamed("mul")}}}})}};
    model["schema_version"] = {{"major", 8}, {"minor", 17}};
    model["torch_version"] = "2.11.0";
    model["range_constraints"] = {{"s77", {{"min_val", 1}, {"max_val", 64}}}};
    weights["config"]["fc.weight"] = {{"path_name", "weight_0"},
                                      {"is_param", true},
                                      {"use_pickle", false},
                                      {"tensor_meta", meta({sizeOf(3), sizeOf(2)})}};
    constants["config"]["scale"] = {{"path_name", "tensor_0"},
                                    {"is_param", false},
                                    {"use_pickle", false},
                                    {"tensor_meta", meta(listOf(sizeOf(1)))}};
    records = {{"net/archive_format", "pt2"},
               {"net/byteorder", "little"},
               {"net/data/weights/weight_0", std::string(24, '\0')},
               {"net/data/constants/tensor_0", std::string(4, '\0')},
               {"net/data/sample_inputs/model.pt", "cos\nsystem\n(S'false'\ntR."}};
  }

  PtJson& graph() { return model["graph_module"]["graph"]; }
  PtJson& node(std::size_t i) { return graph()["nodes"][i]; }
  /// The argument `i` of a node.
  PtJson& input(std::size_t of, std::size_t i) { return node(of)["inputs"][i]["arg"]; }
  PtJson& valueMeta(const std::string& name) { return graph()["tensor_values"][name]; }
  PtJson& signature() { return model["graph_module"]["signature"]; }
  PtJson& weightMeta() { return weights["config"]["fc.weight"]["tensor_meta"]; }

  /// Draws the one weight instead of storing it. `draw`: rule and numbers.
  void drawWeight(PtJson draw) {
    records.erase("net/data/weights/weight_0");
    draw["record"] = "weight_0";
    setRecipe(listOf(draw));
  }
  void setRecipe(const PtJson& draws) {
    records["net/extra/lanelab_weights.json"] = PtJson{{"version", 1}, {"draws", draws}}.dump();
  }

  std::string zip() const { return zipWith(model.dump()); }
  std::string zipWith(const std::string& model_text) const {
    std::vector<ZipPart> parts = {stored("net/models/model.json", model_text),
                                  stored("net/data/weights/model_weights_config.json", weights.dump()),
                                  stored("net/data/constants/model_constants_config.json", constants.dump())};
    for (const auto& [name, bytes] : records) parts.push_back(stored(name, bytes));
    return zipOf(parts);
  }
  Result<ExportedProgram> read() const { return readExportedProgram(bytesInMemory(zip()), "net.pt2"); }
};

}  // namespace lanelab::test
