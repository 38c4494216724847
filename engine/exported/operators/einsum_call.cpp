// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/operators/einsum_call.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "engine/exported/operators/operator_traits.h"

namespace lanelab {
namespace {

constexpr std::string_view kAnyDimensions = "...";
constexpr char kFirstOfAny = '\x01';  ///< labels of "..." by their place from the end

const std::vector<ValueId>* operandsOf(const ExportedNode& node) {
  if (operatorName(node.target) != "einsum" || node.inputs.size() < 2) return nullptr;
  return std::get_if<std::vector<ValueId>>(&node.inputs[1].value);
}

std::string withoutBlanks(const std::string& text) {
  std::string shorter;
  std::ranges::copy_if(text, std::back_inserter(shorter), [](unsigned char c) { return !std::isspace(c); });
  return shorter;
}

/// With a label for each dimension that "..." stands for.
std::optional<std::string> expanded(std::string term, std::size_t dimensions) {
  const std::size_t any = term.find(kAnyDimensions);
  if (any == std::string::npos) return term.size() == dimensions ? std::optional(term) : std::nullopt;
  const std::size_t letters = term.size() - kAnyDimensions.size();
  if (letters > dimensions || dimensions - letters > 26) return std::nullopt;
  std::string labels;
  for (std::size_t left = dimensions - letters; left > 0; --left)
    labels.push_back(static_cast<char>(kFirstOfAny + static_cast<char>(left) - 1));
  return term.replace(any, kAnyDimensions.size(), labels);
}

/// Dimensions of "...", then the labels that occur once, in the order of the alphabet.
std::string impliedResult(const std::vector<std::string>& operands) {
  std::map<char, int> counts;
  for (const std::string& labels : operands)
    for (const char label : labels) ++counts[label];
  std::string any, once;
  for (const auto& [label, count] : counts) {
    if (!std::isalpha(static_cast<unsigned char>(label)))
      any.insert(any.begin(), label);
    else if (count == 1)
      once.push_back(label);
  }
  return any + once;
}

std::string anyOf(const std::vector<std::string>& operands) {
  char most = 0;
  for (const std::string& labels : operands)
    for (const char label : labels)
      if (!std::isalpha(static_cast<unsigned char>(label))) most = std::max(most, label);
  std::string any;
  for (char label = most; label >= kFirstOfAny; --label) any.push_back(label);
  return any;
}

}  // namespace

std::string EinsumCall::labelsOf(std::size_t in, bool shared, bool kept) const {
  const auto wanted = [&](char label) {
    const bool there = labels[in].find(label) != std::string::npos;
    const bool other = std::ranges::any_of(labels, [&](const std::string& operand) {
      return &operand != &labels[in] && operand.find(label) != std::string::npos;
    });
    return there && other == shared && (result.find(label) != std::string::npos) == kept;
  };
  std::string found;
  if (kept) {
    std::ranges::copy_if(result, std::back_inserter(found), wanted);
  } else {
    for (const auto& [label, size] : sizes)
      if (wanted(label)) found.push_back(label);
  }
  return found;
}

bool EinsumCall::sumsAlone() const {
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (!labelsOf(i, /*shared=*/false, /*kept=*/false).empty()) return true;
  return false;
}

std::int64_t EinsumCall::sizeOf(const std::string& of) const {
  std::int64_t size = 1;
  for (const char label : of) size *= sizes.at(label);
  return size;
}

std::optional<EinsumCall> einsumOf(const ExportedGraph& graph, const ExportedNode& node, const SampleSizes& sizes) {
  const std::vector<ValueId>* const operands = operandsOf(node);
  const auto* const equation = operands ? std::get_if<std::string>(&node.inputs[0].value) : nullptr;
  if (!equation || operands->empty()) return std::nullopt;
  const std::string text = withoutBlanks(*equation);
  const std::size_t arrow = text.find("->");
  EinsumCall call;
  call.operands = *operands;
  std::string_view terms = std::string_view(text).substr(0, arrow);
  for (const ValueId id : *operands) {
    if (graph.value(id).kind != ExportedValue::Kind::Tensor) return std::nullopt;
    const Shape shape = sizes.wholeShape(id);
    const std::size_t comma = terms.find(',');
    const auto labels = expanded(std::string(terms.substr(0, comma)), shape.size());
    if (!labels || std::set<char>(labels->begin(), labels->end()).size() < labels->size()) return std::nullopt;
    for (std::size_t dim = 0; dim < shape.size(); ++dim) {
      std::int64_t& size = call.sizes[(*labels)[dim]];
      size = std::max(size, shape[dim]);
    }
    call.labels.push_back(*labels);
    terms = comma == std::string_view::npos ? std::string_view() : terms.substr(comma + 1);
  }
  if (arrow == std::string::npos) {
    call.result = impliedResult(call.labels);
  } else {
    call.result = text.substr(arrow + 2);
    if (const std::size_t any = call.result.find(kAnyDimensions); any != std::string::npos)
      call.result.replace(any, kAnyDimensions.size(), anyOf(call.labels));
  }
  const auto known = [&](char label) { return call.sizes.contains(label); };
  return std::ranges::all_of(call.result, known) ? std::optional(std::move(call)) : std::nullopt;
}

std::size_t einsumOperands(const ExportedNode& node) {
  const std::vector<ValueId>* const operands = operandsOf(node);
  return operands ? operands->size() : 0;
}

}  // namespace lanelab
