// SPDX-License-Identifier: GPL-3.0-only
// Reads the graph of models/model.json; a part of readExportedProgram(). Thread: one reader, one thread.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/exported/archive/program_json.h"
#include "engine/exported/graph/exported_graph.h"

namespace lanelab {

/// What nodes and nested graphs of a program share: each text is parsed once.
struct GraphTexts {
  std::unordered_map<std::string_view, SizeExpression> sizes;
  std::unordered_map<std::string_view, std::shared_ptr<const ModuleStack>> stacks;
  std::map<std::string, std::string> symbols;  ///< and the first value with it
};

/// Reads one graph, its inputs first. Every function throws UnreadProgram.
class GraphReader {
 public:
  /// `depth`: 0 for the graph of the program.
  GraphReader(JsonElement graph, GraphTexts& texts, int depth);

  /// A tensor that is there before the first node.
  ValueId addInput(std::string_view name) { return makeTensor(name); }
  /// Inputs as the graph itself lists them: of a nested one.
  void addOwnInputs();
  void readNodes();
  /// The value of {"name": ...} in an output.
  ValueId output(std::string_view name) const { return made(name); }
  void readOwnOutputs();

  const ExportedGraph& graph() const { return m_graph; }
  ExportedGraph take() { return std::move(m_graph); }

 private:
  using Table = std::unordered_map<std::string_view, JsonElement>;

  Table table(const char* key) const;
  ValueId made(std::string_view name) const;
  ValueId make(std::string_view name, ExportedValue value);
  ValueId makeTensor(std::string_view name);
  ValueId makeInt(std::string_view name);
  SizeExpression size(JsonElement element, std::string_view value_name);
  ExportedNode node(JsonElement element);
  ExportedArgument argument(JsonElement element);
  ExportedArgument nested(JsonElement element) const;
  IntArgument symInt(JsonElement element) const;
  ExportedArgument symValue(JsonElement element, ExportedArgument (*plain)(JsonElement)) const;
  std::optional<ValueId> optionalTensor(JsonElement element) const;
  void addOutput(JsonElement element, ExportedNode& node);
  std::shared_ptr<const ModuleStack> stack(JsonElement metadata);

  JsonElement m_json;
  GraphTexts& m_texts;
  int m_depth;
  Table m_tensors, m_ints;
  std::unordered_map<std::string_view, ValueId> m_made;
  ExportedGraph m_graph;
};

}  // namespace lanelab
