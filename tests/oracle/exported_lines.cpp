// SPDX-License-Identifier: GPL-3.0-only
// Prints what engine/exported makes of a .pt2 file, or what it knows of operators, as JSON for exported_test.py.
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "engine/exported/archive/exported_archive.h"
#include "engine/exported/exported_model.h"
#include "engine/exported/operators/operator_traits.h"

namespace lanelab {
namespace {

using Json = nlohmann::ordered_json;

Json valueNames(const ExportedGraph& graph, const std::vector<ValueId>& ids) {
  Json names = Json::array();
  for (const ValueId id : ids) names.push_back(graph.value(id).name);
  return names;
}

Json blockJson(const ExportedGraph& graph, const ExportedBlocks& blocks, std::size_t b, const BlockSpec& spec) {
  Json nodes = Json::array();
  for (const std::size_t node : blocks.blocks[b].nodes) nodes.push_back(graph.nodes[node].name);
  return {{"name", spec.name},
          {"nodes", nodes},
          {"crossing", valueNames(graph, blocks.crossing[b])},
          {"output_bytes", spec.output_bytes},
          {"activation_bytes", spec.activation_bytes},
          {"received_bytes", spec.received_bytes},
          {"parameters", spec.parameters},
          {"buffer_bytes", spec.buffer_bytes},
          {"macs", spec.macs}};
}

int printModel(const std::string& path) {
  const Result<ExportedProgram> program = readExportedProgram(path);
  const Result<ExportedBlocks> blocks = program.ok() ? blocksOf(*program) : Result<ExportedBlocks>(program.error());
  if (!blocks.ok()) {
    std::cerr << blocks.error().message << "\n";
    return 2;
  }
  const DescribedModel described = describeExported(*program, *blocks);
  Json json = {{"notes", described.notes}, {"blocks", Json::array()}};
  for (std::size_t b = 0; b < blocks->blocks.size(); ++b)
    json["blocks"].push_back(blockJson(program->graph, *blocks, b, described.model.blocks[b]));
  std::cout << json.dump() << "\n";
  return 0;
}

/// A call of {"target": ..., "arguments": [[name, "Tensor" or another type], ...]}; values are numbered by arguments.
ExportedNode callOf(const Json& json) {
  ExportedNode node;
  node.target = json["target"];
  for (const Json& argument : json["arguments"]) {
    ExportedArgument value;
    const ValueId id(node.inputs.size());
    if (argument[1] == "Tensor") value = id;
    if (argument[1] == "List[Tensor]") value = std::vector<ValueId>{id};
    if (argument[1] == "bool") value = true;
    if (argument[1] == "float") value = 0.5;
    node.inputs.push_back({argument[0], std::move(value)});
  }
  return node;
}

/// For each line of the input: whether it is a view, what it writes to and whether it is random.
int printTraits() {
  for (std::string line; std::getline(std::cin, line);) {
    const ExportedNode node = callOf(Json::parse(line));
    Json written = Json::array();
    for (const ValueId id : valuesWritten(node)) written.push_back(node.inputs[id.index()].name);
    std::cout << Json{{"view", isView(node)}, {"written", written}, {"random", isRandom(node)}}.dump() << "\n";
  }
  return 0;
}

}  // namespace
}  // namespace lanelab

int main(int count, char** arguments) {
  if (count != 2) return 2;
  return std::string_view(arguments[1]) == "--traits" ? lanelab::printTraits() : lanelab::printModel(arguments[1]);
}
