// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/graph/exported_graph.h"

#include <algorithm>

namespace lanelab {
namespace {

/// Appends the values of an argument.
struct ReadValues {
  std::vector<ValueId>& values;

  void operator()(ValueId id) const { values.push_back(id); }
  void operator()(const std::vector<ValueId>& ids) const { values.insert(values.end(), ids.begin(), ids.end()); }
  void operator()(const std::vector<std::optional<ValueId>>& ids) const {
    for (const auto& id : ids)
      if (id) values.push_back(*id);
  }
  void operator()(const std::vector<IntArgument>& ints) const {
    for (const IntArgument& item : ints)
      if (const auto* id = std::get_if<ValueId>(&item)) values.push_back(*id);
  }
  template <class Static>
  void operator()(const Static&) const {}
};

}  // namespace

std::vector<ValueId> valuesIn(const ExportedArgument& argument) {
  std::vector<ValueId> values;
  std::visit(ReadValues{values}, argument);
  return values;
}

std::vector<ValueId> valuesRead(const ExportedNode& node) {
  std::vector<ValueId> values;
  for (const NamedArgument& input : node.inputs) std::visit(ReadValues{values}, input.value);
  return values;
}

const ExportedArgument* argumentOf(const ExportedNode& node, std::string_view name) {
  const auto found = std::ranges::find(node.inputs, name, &NamedArgument::name);
  return found == node.inputs.end() ? nullptr : &found->value;
}

const ExportedInput& userInput(const ExportedGraph& graph) {
  return *std::ranges::find(graph.inputs, ExportedInput::Kind::User, &ExportedInput::kind);
}

}  // namespace lanelab
