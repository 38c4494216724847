// SPDX-License-Identifier: GPL-3.0-only
#include "engine/frameworks/call_code.h"

#include <array>
#include <set>

#include "base/text.h"
#include "engine/frameworks/python_text.h"

namespace lanelab {
namespace {

constexpr std::string_view kAten = "aten.";
constexpr std::string_view kNested = "higher_order.wrap_with_set_grad_enabled";
constexpr std::array<const char*, 5> kMemoryFormats = {"torch.contiguous_format", "torch.contiguous_format",
                                                       "torch.channels_last", "torch.channels_last_3d",
                                                       "torch.preserve_format"};

/// Writes one argument; the alternatives are those of ExportedArgument.
struct ArgumentWriter {
  const ValueTexts& texts;

  std::string of(ValueId id) const { return texts[id.index()]; }
  template <class Items, class Write>
  static std::string list(const Items& items, const Write& write) {
    std::vector<std::string> all;
    for (const auto& item : items) all.push_back(write(item));
    return pythonList(all);
  }

  std::string operator()(const NoArgument&) const { return "None"; }
  std::string operator()(ValueId id) const { return of(id); }
  std::string operator()(const std::vector<ValueId>& ids) const {
    return list(ids, [&](ValueId id) { return of(id); });
  }
  std::string operator()(const std::vector<std::optional<ValueId>>& ids) const {
    return list(ids, [&](const std::optional<ValueId>& id) { return id ? of(*id) : std::string("None"); });
  }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(const std::vector<std::int64_t>& values) const { return pythonList(values); }
  std::string operator()(const std::vector<IntArgument>& values) const {
    return list(values, [&](const IntArgument& value) {
      const auto* const id = std::get_if<ValueId>(&value);
      return id != nullptr ? of(*id) : std::to_string(std::get<std::int64_t>(value));
    });
  }
  std::string operator()(double value) const { return pythonNumber(value); }
  std::string operator()(const std::vector<double>& values) const { return list(values, pythonNumber); }
  std::string operator()(bool value) const { return pythonBool(value); }
  std::string operator()(const std::vector<bool>& values) const {
    return list(values, [](bool value) { return pythonBool(value); });
  }
  std::string operator()(const std::string& text) const { return pythonString(text); }
  std::string operator()(const std::vector<std::string>& all) const {
    return list(all, [](const std::string& text) { return pythonString(text); });
  }
  std::string operator()(const ComplexArgument& value) const {
    return "complex(" + pythonNumber(value.real) + ", " + pythonNumber(value.imaginary) + ")";
  }
  std::string operator()(const ScalarTypeArgument& argument) const {
    return "torch." + std::string(toWord(argument.type));
  }
  std::string operator()(const DeviceArgument&) const { return kDeviceText; }
  std::string operator()(const LayoutArgument&) const { return "torch.strided"; }
  std::string operator()(const MemoryFormatArgument& argument) const {
    const auto place = static_cast<std::size_t>(argument.format);
    return kMemoryFormats[place < kMemoryFormats.size() ? place : 1];
  }
  std::string operator()(const std::shared_ptr<const ExportedGraph>&) const { return "None"; }
};

std::string outputText(const ExportedNode& node, const ValueTexts& texts) {
  std::vector<std::string> made;
  for (const auto& output : node.outputs) made.push_back(output ? texts[output->index()] : "_");
  if (made.empty()) return {};
  return (node.output_list || made.size() > 1 ? joined(made, ", ") + (made.size() == 1 ? "," : "") : made.front()) +
         " = ";
}

bool isAssertion(const ExportedNode& node) { return node.target.starts_with("aten._assert"); }

/// The calls of a graph that the exporter nested, since it has no gradients.
Result<std::vector<std::string>> nestedLines(const ExportedNode& node, const ValueTexts& texts) {
  const auto given = [&](std::size_t i) { return i < node.inputs.size() ? &node.inputs[i].value : nullptr; };
  const auto* const enabled = given(0) ? std::get_if<bool>(given(0)) : nullptr;
  const auto* const graph = given(1) ? std::get_if<std::shared_ptr<const ExportedGraph>>(given(1)) : nullptr;
  if (!enabled || !graph || node.inputs.size() != (*graph)->inputs.size() + 2)
    return Error::badInput("The call {} does not begin with a flag and a graph. Export the network again.", node.name);
  ValueTexts inner = valueTexts(**graph, node.name + "_");
  for (std::size_t i = 0; i < (*graph)->inputs.size(); ++i)
    inner[(*graph)->inputs[i].value.index()] = std::visit(ArgumentWriter{texts}, *given(i + 2));
  std::vector<std::string> lines = {"with torch.set_grad_enabled(" + pythonBool(*enabled) + "):"};
  for (const ExportedNode& call : (*graph)->nodes) {
    if (isAssertion(call)) continue;
    const Result<std::vector<std::string>> written = callLines(call, inner);
    if (!written.ok()) return written.error();
    for (const std::string& line : *written) lines.push_back("    " + line);
  }
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    if (node.outputs[i])
      lines.push_back("    " + texts[node.outputs[i]->index()] + " = " + inner[(*graph)->outputs[i].index()]);
  }
  return lines;
}

/// view() as reshape(): a caller may hand in tensors that are laid out in another way than when it was exported.
std::string calledName(const std::string& target) {
  return target == "aten.view.default" ? "aten.reshape.default" : target;
}

bool isAtenCall(const std::string& target) {
  if (!target.starts_with(kAten)) return false;
  const std::vector<std::string_view> parts = partsBetween(target, ".");
  return parts.size() == 3 && isPythonName(parts[1]) && isPythonName(parts[2]);
}

bool isLeading(const NamedArgument& argument) {
  return argument.name == "self" || argument.name == "input" || argument.name == "tensors" || argument.name == "query";
}

}  // namespace

ValueTexts valueTexts(const ExportedGraph& graph, const std::string& prefix) {
  static const std::set<std::string> taken = {"self", "torch", "nn", "aten", "rows", "floor", "ceil", kDeviceText};
  ValueTexts texts;
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    const ExportedValue& value = graph.values[i];
    const std::string name = prefix + value.name;
    const bool plain = isPythonName(name) && !taken.contains(name);
    if (value.kind == ExportedValue::Kind::Int && value.size) {
      texts.push_back(value.size->constant() ? value.size->text() : "(" + value.size->text() + ")");
    } else {
      texts.push_back(plain ? name : "value_" + std::to_string(i));
    }
  }
  return texts;
}

std::vector<std::string> argumentTexts(const ExportedNode& node, const ValueTexts& texts) {
  std::vector<std::string> all;
  for (const NamedArgument& argument : node.inputs) {
    const std::string text = std::visit(ArgumentWriter{texts}, argument.value);
    const std::string name = argument.name == "size" && node.target == "aten.view.default" ? "shape" : argument.name;
    const bool by_place = (all.empty() && isLeading(argument)) || !isPythonName(name);
    all.push_back(by_place ? text : name + "=" + text);
  }
  return all;
}

Result<std::vector<std::string>> callLines(const ExportedNode& node, const ValueTexts& texts) {
  if (node.target == kNested) return nestedLines(node, texts);
  if (!isAtenCall(node.target))
    return Error::badInput(
        "The network calls {}, which is not an operator of PyTorch's ATen. Export it without this "
        "call.",
        node.target);
  return std::vector{outputText(node, texts) + calledName(node.target) + "(" +
                     joined(argumentTexts(node, texts), ", ") + ")"};
}

}  // namespace lanelab
