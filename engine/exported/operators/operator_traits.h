// SPDX-License-Identifier: GPL-3.0-only
// What is known of operators by their names: which views share memory with what they read, which calls write to it, and
// which draw random numbers. Pure functions.
//
// PyTorch's schemas have the same facts (alias_info), but they are in libtorch; a test holds these tables to them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "engine/exported/graph/exported_graph.h"

namespace lanelab {

/// "aten.add_.Tensor" -> "add_"; "_operator.mul" -> "mul".
std::string_view operatorName(std::string_view target);
/// The name without the mark of the form in place: "add_" -> "add".
std::string_view outOfPlace(std::string_view name);
bool isOneOf(std::string_view name, auto... names) { return ((name == names) || ...); }
/// The words of a list of names.
std::vector<std::string_view> sortedWords(std::string_view text);
/// A rule, and the names of the operators that it is of.
template <class Rule>
struct OperatorRule {
  Rule rule;
  std::string_view names;
};
template <class Rule>
std::map<std::string_view, Rule> rulesByName(std::span<const OperatorRule<Rule>> rules) {
  std::map<std::string_view, Rule> by_name;
  for (const OperatorRule<Rule>& rule : rules)
    for (const std::string_view name : sortedWords(rule.names)) by_name.emplace(name, rule.rule);
  return by_name;
}

/// The argument at a place, if it is one tensor.
std::optional<ValueId> tensorAt(const ExportedGraph& graph, const ExportedNode& node, std::size_t i);

/// Whether what the call makes shares memory with its first argument, or may share it (reshape, to).
bool isView(const ExportedNode& node);

/// What the call writes to: `self` of relu_ and add_, running means of a batch norm that trains. Without what a nested
/// graph writes to.
std::vector<ValueId> valuesWritten(const ExportedNode& node);

/// Whether two calls with the same arguments may differ: dropout, and operators of other libraries, which are not
/// known. Without calls in a nested graph.
bool isRandom(const ExportedNode& node);

/// Whether the call only checks what it reads (_assert_tensor_metadata): it may be left out.
bool isCheck(const ExportedNode& node);

/// Weights and biases of norms over a batch, a layer, groups, an instance or a root mean square.
std::set<ValueId> normParameters(const ExportedGraph& graph);

/// Null if the call has none.
const ExportedGraph* nestedGraph(const ExportedNode& node);

}  // namespace lanelab
