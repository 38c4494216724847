// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/archive/graph_reader.h"

#include <algorithm>
#include <array>

#include "engine/exported/archive/node_metadata.h"
#include "engine/files/clipped_name.h"

namespace lanelab {
namespace {

constexpr int kDeepestGraph = 4;
constexpr std::size_t kMostDimensionsOfValue = 64;
constexpr std::string_view kTorchOps = "torch.ops.";
/// As in trees of modules: room for the sum of many tensors.
constexpr std::int64_t kMostElementsOfValue = std::int64_t{1} << 48;

std::string_view nameOf(JsonElement element) { return textOf(fieldOf(element, "name")); }

std::string stringOf(JsonElement element) { return std::string(textOf(element)); }

ScalarKind scalarKind(JsonElement element) {
  const std::int64_t number = integerOf(element);
  const auto kind = scalarKindOfSchema(number);
  if (!kind) throw UnreadProgram{"the type of numbers " + std::to_string(number) + " is not known"};
  return *kind;
}

DeviceArgument device(JsonElement element) {
  DeviceArgument device{stringOf(fieldOf(element, "type")), std::nullopt};
  if (const auto index = optionalField(element, "index"))
    device.index = static_cast<int>(integerWithin(*index, -1, 4096));
  return device;
}

ComplexArgument complexNumber(JsonElement element) {
  return {numberOf(fieldOf(element, "real")), numberOf(fieldOf(element, "imag"))};
}

/// Kinds of arguments that are the same in every call.
struct StaticKind {
  std::string_view tag;
  ExportedArgument (*read)(JsonElement);
};
constexpr std::array kStaticKinds = {
    StaticKind{"as_none", [](JsonElement) -> ExportedArgument { return NoArgument{}; }},
    StaticKind{"as_int", [](JsonElement e) -> ExportedArgument { return integerOf(e); }},
    StaticKind{"as_ints", [](JsonElement e) -> ExportedArgument { return listWith<std::int64_t>(e, integerOf); }},
    StaticKind{"as_float", [](JsonElement e) -> ExportedArgument { return numberOf(e); }},
    StaticKind{"as_floats", [](JsonElement e) -> ExportedArgument { return listWith<double>(e, numberOf); }},
    StaticKind{"as_bool", [](JsonElement e) -> ExportedArgument { return flagOf(e); }},
    StaticKind{"as_bools", [](JsonElement e) -> ExportedArgument { return listWith<bool>(e, flagOf); }},
    StaticKind{"as_string", [](JsonElement e) -> ExportedArgument { return stringOf(e); }},
    StaticKind{"as_strings", [](JsonElement e) -> ExportedArgument { return listWith<std::string>(e, stringOf); }},
    StaticKind{"as_complex", [](JsonElement e) -> ExportedArgument { return complexNumber(e); }},
    StaticKind{"as_scalar_type", [](JsonElement e) -> ExportedArgument { return ScalarTypeArgument{scalarKind(e)}; }},
    StaticKind{
        "as_layout",
        [](JsonElement e) -> ExportedArgument { return LayoutArgument{static_cast<int>(integerWithin(e, 0, 7))}; }},
    StaticKind{"as_memory_format",
               [](JsonElement e) -> ExportedArgument {
                 return MemoryFormatArgument{static_cast<int>(integerWithin(e, 0, 4))};
               }},
    StaticKind{"as_device", [](JsonElement e) -> ExportedArgument { return device(e); }},
};

std::string nodePlace(JsonElement node, std::size_t index) {
  std::string_view name, target;
  const bool named = !node["name"].get(name), called = !node["target"].get(target);
  return "its node " + std::to_string(index) + (named ? " " + clippedName(name) : "") +
         (called ? " (" + clippedName(target) + ")" : "");
}

/// Elements at a batch of one must fit, so that bytes can be summed.
void checkElements(const std::vector<SizeExpression>& sizes) {
  std::int64_t elements = 1;
  for (const SizeExpression& size : sizes) {
    const std::int64_t count = size.constant().value_or(1);
    if (count < 0) throw UnreadProgram{"it has the negative size " + std::to_string(count)};
    if (count > 0 && elements > kMostElementsOfValue / count)
      throw UnreadProgram{"it has more than 2^48 elements, which no machine holds"};
    elements *= std::max<std::int64_t>(count, 1);
  }
}

}  // namespace

GraphReader::GraphReader(JsonElement graph, GraphTexts& texts, int depth)
    : m_json(graph), m_texts(texts), m_depth(depth) {
  if (depth > kDeepestGraph)
    throw UnreadProgram{"its graphs are nested deeper than " + std::to_string(kDeepestGraph) + " levels"};
  m_tensors = table("tensor_values");
  m_ints = table("sym_int_values");
}

GraphReader::Table GraphReader::table(const char* key) const {
  Table table;
  const auto values = optionalField(m_json, key);
  if (!values) return table;
  for (const auto& [name, value] : objectOf(*values))
    if (!table.try_emplace(name, value).second)
      throw UnreadProgram{std::string(key) + " has the value " + clippedName(name) + " twice"};
  return table;
}

ValueId GraphReader::made(std::string_view name) const {
  const auto found = m_made.find(name);
  if (found != m_made.end()) return found->second;
  if (m_tensors.contains(name) || m_ints.contains(name))
    throw UnreadProgram{"the value " + clippedName(name) + " is used before it is made"};
  throw UnreadProgram{"the value " + clippedName(name) + " does not exist"};
}

ValueId GraphReader::make(std::string_view name, ExportedValue value) {
  const ValueId id(m_graph.values.size());
  if (!m_made.try_emplace(name, id).second) throw UnreadProgram{"the value " + clippedName(name) + " is made twice"};
  value.name = name;
  m_graph.values.push_back(std::move(value));
  return id;
}

SizeExpression GraphReader::size(JsonElement element, std::string_view value_name) {
  const auto [tag, value] = choiceOf(element);
  if (tag == "as_int") return SizeExpression(integerOf(value));
  if (tag != "as_expr") throw UnreadProgram{"a size is given by " + clippedName(tag) + ", which is not known"};
  const std::string_view text = textOf(fieldOf(value, "expr_str"));
  const auto known = m_texts.sizes.find(text);
  if (known != m_texts.sizes.end()) return known->second;
  Result<SizeExpression> size = SizeExpression::parse(text);
  if (!size.ok())
    throw UnreadProgram{size.error().message,
                        "Export the network with sizes that follow from the batch, or with a static batch."};
  for (const std::string& symbol : size->symbols()) m_texts.symbols.try_emplace(symbol, value_name);
  return m_texts.sizes.emplace(text, std::move(size).value()).first->second;
}

ValueId GraphReader::makeTensor(std::string_view name) {
  const auto meta = m_tensors.find(name);
  if (meta == m_tensors.end()) throw UnreadProgram{"the value " + clippedName(name) + " has no shape in tensor_values"};
  return within([&] { return "the value " + clippedName(name); },
                [&] {
                  ExportedValue value;
                  value.type = scalarKind(fieldOf(meta->second, "dtype"));
                  const simdjson::dom::array sizes = listOf(fieldOf(meta->second, "sizes"));
                  if (sizes.size() > kMostDimensionsOfValue) throw UnreadProgram{"it has more than 64 dimensions"};
                  for (const JsonElement item : sizes) value.sizes.push_back(size(item, name));
                  checkElements(value.sizes);
                  for (const JsonElement item : listOf(fieldOf(meta->second, "strides")))
                    value.strides.push_back(size(item, name));
                  if (value.strides.size() != value.sizes.size())
                    throw UnreadProgram{"it has " + std::to_string(value.sizes.size()) + " sizes and " +
                                        std::to_string(value.strides.size()) + " strides"};
                  return make(name, std::move(value));
                });
}

ValueId GraphReader::makeInt(std::string_view name) {
  ExportedValue value;
  value.kind = ExportedValue::Kind::Int;
  const auto known = m_ints.find(name);
  if (known != m_ints.end()) value.size = size(known->second, name);
  return make(name, std::move(value));
}

void GraphReader::addOwnInputs() {
  for (const JsonElement item : listOf(fieldOf(m_json, "inputs"))) {
    const auto [tag, value] = choiceOf(item);
    if (tag == "as_tensor") {
      const std::string_view name = nameOf(value);
      m_graph.inputs.push_back({ExportedInput::Kind::User, std::string(name), makeTensor(name)});
    } else if (tag == "as_sym_int") {
      const std::string_view name = textOf(fieldOf(value, "as_name"));
      m_graph.inputs.push_back({ExportedInput::Kind::User, std::string(name), makeInt(name)});
    } else {
      throw UnreadProgram{"an input of a nested graph is of the kind " + clippedName(tag) + ", which is not supported"};
    }
  }
}

void GraphReader::readOwnOutputs() {
  for (const JsonElement item : listOf(fieldOf(m_json, "outputs"))) {
    const auto [tag, value] = choiceOf(item);
    if (tag != "as_tensor" && tag != "as_sym_int")
      throw UnreadProgram{"an output of a nested graph is of the kind " + clippedName(tag) +
                          ", which is not supported"};
    m_graph.outputs.push_back(made(textOf(fieldOf(value, tag == "as_tensor" ? "name" : "as_name"))));
  }
}

void GraphReader::readNodes() {
  const simdjson::dom::array nodes = listOf(fieldOf(m_json, "nodes"));
  m_graph.nodes.reserve(nodes.size());
  std::size_t index = 0;
  for (const JsonElement element : nodes) {
    m_graph.nodes.push_back(within([&] { return nodePlace(element, index); }, [&] { return node(element); }));
    ++index;
  }
}

ExportedNode GraphReader::node(JsonElement element) {
  ExportedNode node;
  if (const auto name = optionalField(element, "name")) node.name = textOf(*name);
  const std::string_view target = textOf(fieldOf(element, "target"));
  node.target = target.starts_with(kTorchOps) ? target.substr(kTorchOps.size()) : target;
  const auto metadata = optionalField(element, "metadata");
  node.modules = metadata ? stack(*metadata) : std::make_shared<const ModuleStack>();
  if (const auto trace = metadata ? optionalField(*metadata, "stack_trace") : std::nullopt)
    node.source = innermostLine(textOf(*trace));
  for (const JsonElement input : listOf(fieldOf(element, "inputs"))) {
    const std::string_view name = nameOf(input);
    node.inputs.push_back({std::string(name), within([&] { return "its argument " + clippedName(name); },
                                                     [&] { return argument(fieldOf(input, "arg")); })});
  }
  for (const JsonElement output : listOf(fieldOf(element, "outputs"))) addOutput(output, node);
  if (node.name.empty() && !node.outputs.empty() && node.outputs.front())
    node.name = m_graph.value(*node.outputs.front()).name;
  return node;
}

std::shared_ptr<const ModuleStack> GraphReader::stack(JsonElement metadata) {
  const auto text = optionalField(metadata, "nn_module_stack");
  const std::string_view key = text ? textOf(*text) : std::string_view();
  std::shared_ptr<const ModuleStack>& stack = m_texts.stacks[key];
  if (!stack) stack = std::make_shared<const ModuleStack>(moduleStack(key));
  return stack;
}

std::optional<ValueId> GraphReader::optionalTensor(JsonElement element) const {
  const auto [tag, value] = choiceOf(element);
  if (tag == "as_none") return std::nullopt;
  if (tag != "as_tensor") throw UnreadProgram{"a tensor is given by " + clippedName(tag) + ", which is not known"};
  return made(nameOf(value));
}

IntArgument GraphReader::symInt(JsonElement element) const {
  const auto [tag, value] = choiceOf(element);
  if (tag == "as_int") return integerOf(value);
  if (tag == "as_name") return made(textOf(value));
  throw UnreadProgram{"an integer is given by " + clippedName(tag) + ", which is not known"};
}

ExportedArgument GraphReader::symValue(JsonElement element, ExportedArgument (*plain)(JsonElement)) const {
  const auto [tag, value] = choiceOf(element);
  return tag == "as_name" ? ExportedArgument(made(textOf(value))) : plain(value);
}

ExportedArgument GraphReader::nested(JsonElement element) const {
  GraphReader inner(fieldOf(element, "graph"), m_texts, m_depth + 1);
  inner.addOwnInputs();
  inner.readNodes();
  inner.readOwnOutputs();
  return std::make_shared<const ExportedGraph>(inner.take());
}

ExportedArgument GraphReader::argument(JsonElement element) {
  const auto [tag, value] = choiceOf(element);
  if (tag == "as_tensor") return made(nameOf(value));
  if (tag == "as_graph") return nested(value);
  if (tag == "as_sym_int") return std::visit([](auto item) { return ExportedArgument(item); }, symInt(value));
  if (tag == "as_sym_bool") return symValue(value, [](JsonElement e) -> ExportedArgument { return flagOf(e); });
  if (tag == "as_sym_float") return symValue(value, [](JsonElement e) -> ExportedArgument { return numberOf(e); });
  if (tag == "as_optional_tensor") {
    const auto tensor = optionalTensor(value);
    return tensor ? ExportedArgument(*tensor) : NoArgument{};
  }
  if (tag == "as_tensors") return listWith<ValueId>(value, [&](JsonElement e) { return made(nameOf(e)); });
  if (tag == "as_optional_tensors")
    return listWith<std::optional<ValueId>>(value, [&](JsonElement e) { return optionalTensor(e); });
  if (tag == "as_sym_ints") return listWith<IntArgument>(value, [&](JsonElement e) { return symInt(e); });
  const auto* const kind = std::ranges::find(kStaticKinds, tag, &StaticKind::tag);
  if (kind == kStaticKinds.end())
    throw UnreadProgram{"it is of the kind " + clippedName(tag) + ", which is not supported",
                        "Replace this operation in the network and export it again."};
  return kind->read(value);
}

void GraphReader::addOutput(JsonElement element, ExportedNode& node) {
  const auto [tag, value] = choiceOf(element);
  if (node.output_list)
    throw UnreadProgram{"it makes a list of tensors and more",
                        "Replace this operation in the network and export it again."};
  if (tag == "as_tensor") {
    node.outputs.push_back(makeTensor(nameOf(value)));
  } else if (tag == "as_tensors" && node.outputs.empty()) {
    node.output_list = true;
    for (const JsonElement item : listOf(value)) node.outputs.push_back(makeTensor(nameOf(item)));
  } else if (tag == "as_sym_int") {
    node.outputs.push_back(makeInt(textOf(fieldOf(value, "as_name"))));
  } else if (tag == "as_sym_float" || tag == "as_sym_bool") {
    ExportedValue result;
    result.kind = tag == "as_sym_float" ? ExportedValue::Kind::Float : ExportedValue::Kind::Bool;
    node.outputs.push_back(make(textOf(fieldOf(value, "as_name")), std::move(result)));
  } else if (tag == "as_none") {
    node.outputs.push_back(std::nullopt);
  } else {
    throw UnreadProgram{"it makes a value of the kind " + clippedName(tag) + ", which is not supported",
                        "Replace this operation in the network and export it again."};
  }
}

}  // namespace lanelab
