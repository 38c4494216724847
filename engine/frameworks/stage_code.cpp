// SPDX-License-Identifier: GPL-3.0-only
#include "engine/frameworks/stage_code.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "engine/exported/weight_ties.h"
#include "engine/frameworks/call_code.h"
#include "engine/frameworks/module_code.h"
#include "engine/frameworks/python_text.h"

namespace lanelab {
namespace {

constexpr const char* kNetworkHead = R"(from math import ceil, floor

import torch
from torch import nn

aten = torch.ops.aten


class Group(nn.Module):
    """Modules and tensors by name, so that parameters are called as in the network: self.layer3["0"].conv1."""

    def __getitem__(self, name):
        return getattr(self, name)

    def add(self, path, part):
        """Adds a module, parameter or buffer under a dotted name."""
        *groups, name = path.split(".")
        group = self
        for outer in groups:
            if outer not in group._modules:
                group.add_module(outer, Group())
            group = group._modules[outer]
        if isinstance(part, nn.Module):
            group.add_module(name, part)
        elif isinstance(part, nn.Parameter):
            group.register_parameter(name, part)
        else:
            group.register_buffer(name, part)


def parameter(*sizes, dtype=torch.float32):
    return nn.Parameter(torch.zeros(sizes, dtype=dtype))


def buffer(*sizes, dtype=torch.float32):
    return torch.zeros(sizes, dtype=dtype)

)";

std::string sizesText(const std::vector<std::int64_t>& sizes, ScalarKind type) {
  std::string text;
  for (const std::int64_t size : sizes) text += (text.empty() ? "" : ", ") + std::to_string(size);
  if (type == ScalarKind::Float32) return text;
  return text + (text.empty() ? "" : ", ") + "dtype=torch." + std::string(toWord(type));
}

/// One class.
class StageWriter {
 public:
  StageWriter(const ExportedNetwork& network, const Stage& stage)
      : m_program(network.program),
        m_network(network),
        m_stage(stage),
        m_graph(stageOf(network.program, network.blocks, stage.first, stage.end)),
        m_held(heldNames(network.program)),
        m_texts(valueTexts(network.program.graph)) {
    for (const StageNode& node : m_graph.nodes) m_nodes.push_back(node.node);
    m_calls = moduleCallsOf(m_program, m_nodes, m_held);
    for (const auto& [value, name] : m_held) m_texts[value.index()] = pythonMember(name);
  }

  Result<std::string> write() {
    const Result<std::vector<std::string>> body = forwardLines();
    if (!body.ok()) return body.error();
    std::string text = "\nclass Stage" + std::to_string(m_stage.id.value) + "(Group):\n";
    text +=
        "    \"\"\"" + pythonComment(blocksText()) + "\"\"\"\n\n    def __init__(self):\n        super().__init__()\n";
    for (const std::string& line : memberLines()) text += "        " + line + "\n";
    text += "\n    def forward(self, " + received() + "):\n";
    for (const std::string& line : *body) text += line.empty() ? "\n" : "        " + line + "\n";
    return text;
  }

 private:
  const ExportedGraph& graph() const { return m_program.graph; }
  const ExportedBlock& block(BlockId id) const { return m_network.blocks.blocks[id.index()]; }

  std::string blocksText() const {
    const std::string first = block(m_stage.first).name, last = block(BlockId{m_stage.end.value - 1}).name;
    return (first == last ? first : first + " to " + last) + ".";
  }

  std::string received() const {
    std::vector<std::string> names;
    for (const ValueId value : m_graph.received) names.push_back(m_texts[value.index()]);
    return joined(names, ", ");
  }

  /// Modules and tensors in the order in which they are read.
  std::vector<std::string> memberLines() const {
    std::vector<std::string> lines;
    for (const std::size_t node : m_nodes) {
      const auto found = m_calls.modules.find(node);
      if (found != m_calls.modules.end())
        lines.push_back("self.add(" + pythonString(found->second.path) + ", " + found->second.constructor + ")");
    }
    std::set<std::string> seen = m_calls.tensors;
    std::vector<std::string> frozen;
    for (const std::size_t place : m_graph.weights) {
      const ExportedInput& input = graph().inputs[place];
      const std::string& name = m_held.at(input.value);
      const bool is_parameter = input.kind == ExportedInput::Kind::Parameter;
      if (is_parameter && !input.trained) frozen.push_back(pythonMember(name) + ".requires_grad_(False)");
      if (!seen.insert(name).second) continue;
      const ExportedTensor& tensor = m_program.tensors.at(input.name);
      lines.push_back("self.add(" + pythonString(name) + ", " + (is_parameter ? "parameter(" : "buffer(") +
                      sizesText(tensor.sizes, tensor.type) + "))");
    }
    lines.insert(lines.end(), frozen.begin(), frozen.end());
    if (lines.empty()) lines.emplace_back("pass");
    return lines;
  }

  Result<std::vector<std::string>> forwardLines() {
    std::vector<std::string> lines;
    std::optional<BlockId> open;
    for (const StageNode& node : m_graph.nodes) {
      if (m_calls.counted.contains(node.node)) continue;
      if (node.block && node.block != open) {
        const ExportedBlock& now = block(*node.block);
        lines.push_back("# " + pythonComment(now.name) + " (" + pythonComment(now.type) + ")");
        open = node.block;
      }
      const Result<std::vector<std::string>> call = linesOf(node.node);
      if (!call.ok()) return call.error();
      lines.insert(lines.end(), call->begin(), call->end());
    }
    lines.push_back("return " + returned());
    std::vector<std::string> head = headOf(lines);
    lines.insert(lines.begin(), head.begin(), head.end());
    return lines;
  }

  Result<std::vector<std::string>> linesOf(std::size_t number) {
    const ExportedNode& node = graph().nodes[number];
    const auto module = m_calls.modules.find(number);
    if (module == m_calls.modules.end()) return callLines(node, m_texts);
    const char* const input = node.target == "aten.embedding.default" ? "indices" : "input";
    const auto* const read = std::get_if<ValueId>(argumentOf(node, input));
    const std::string made = m_texts[node.outputs.at(0).value().index()];
    return std::vector{made + " = " + pythonMember(module->second.path) + "(" + m_texts[read->index()] + ")"};
  }

  std::string returned() const {
    std::vector<std::string> names;
    for (const ValueId value : m_graph.sent) {
      const std::string& name = m_texts[value.index()];
      // What a stage only hands on is a value of its own there, so that its gradient passes through the stage.
      const bool passes = std::ranges::find(m_graph.received, value) != m_graph.received.end();
      names.push_back(passes ? name + ".view_as(" + name + ")" : name);
    }
    return joined(names, ", ");
  }

  /// What the lines use of the first tensor that comes in: its device, and the batch.
  std::vector<std::string> headOf(const std::vector<std::string>& lines) const {
    const auto uses = [&](const std::string& word) {
      return std::ranges::any_of(lines, [&](const std::string& line) { return line.find(word) != std::string::npos; });
    };
    std::vector<std::string> head;
    const std::string first = m_graph.received.empty() ? "" : m_texts[m_graph.received.front().index()];
    if (uses(std::string("=") + kDeviceText)) head.push_back(std::string(kDeviceText) + " = " + first + ".device");
    const std::string& symbol = m_program.batch_symbol;
    if (!symbol.empty() && uses(symbol)) head.push_back(symbol + " = " + batchText());
    return head;
  }

  /// The batch by a size that is a multiple of it.
  std::string batchText() const {
    const auto at = [&](const SizeExpression& size, std::int64_t rows) {
      return size.evaluate({{m_program.batch_symbol, rows}}).value_or(0);
    };
    for (const ValueId value : m_graph.received) {
      const std::vector<SizeExpression>& sizes = graph().value(value).sizes;
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::int64_t factor = at(sizes[i], 1);
        if (sizes[i].constant() || factor < 1 || at(sizes[i], 2) != 2 * factor || at(sizes[i], 7) != 7 * factor)
          continue;
        const std::string size = m_texts[value.index()] + ".size(" + std::to_string(i) + ")";
        return factor == 1 ? size : size + " // " + std::to_string(factor);
      }
    }
    return "1";
  }

  const ExportedProgram& m_program;
  const ExportedNetwork& m_network;
  const Stage m_stage;
  const StageGraph m_graph;
  const std::map<ValueId, std::string> m_held;
  ValueTexts m_texts;
  std::vector<std::size_t> m_nodes;
  ModuleCalls m_calls;
};

/// What crosses a cut: shape, type, and whether a gradient comes back.
std::string cutText(const ExportedNetwork& network, const std::vector<ValueId>& values) {
  std::vector<std::string> all;
  for (const ValueId id : values) {
    const ExportedValue& value = network.program.graph.value(id);
    std::vector<std::string> sizes;
    for (const SizeExpression& size : value.sizes) sizes.push_back(size.text());
    all.push_back("(" + pythonTuple(sizes) + ", torch." + std::string(toWord(value.type)) + ", " +
                  pythonBool(network.differentiable[id.index()]) + ")");
  }
  return pythonList(all);
}

std::string cutsText(const ExportedNetwork& network, const std::vector<Stage>& stages) {
  const std::string rows = network.program.batch_symbol.empty() ? "rows" : network.program.batch_symbol;
  std::string text =
      "\n# What goes into each stage, and out of the last, for a number of rows: shape, type, and whether a "
      "gradient comes back.\nCUTS = [\n";
  for (const Stage& stage : stages) {
    const StageGraph graph = stageOf(network.program, network.blocks, stage.first, stage.end);
    text += "    lambda " + rows + ": " + cutText(network, graph.received) + ",\n";
    if (stage.id == stages.back().id) text += "    lambda " + rows + ": " + cutText(network, graph.sent) + ",\n";
  }
  return text + "]\n";
}

}  // namespace

Result<std::string> networkModule(const ExportedNetwork& network, const std::vector<Stage>& stages) {
  if (const std::string& symbol = network.program.batch_symbol; !symbol.empty() && !isPythonName(symbol))
    return Error::badInput(
        "The network calls the size of its batch {}, which is not a name in Python. Export it again.", symbol);
  std::string text = kNetworkHead;
  std::vector<std::string> names;
  for (const Stage& stage : stages) {
    const Result<std::string> written = StageWriter(network, stage).write();
    if (!written.ok()) return written.error();
    text += *written + "\n";
    names.push_back("Stage" + std::to_string(stage.id.value));
  }
  return text + "\nSTAGES = " + pythonList(names) + "\n" + cutsText(network, stages);
}

std::vector<TiedParameter> tiedParameters(const ExportedNetwork& network, const std::vector<Stage>& stages) {
  const std::map<ValueId, std::string> held = heldNames(network.program);
  std::map<std::string, std::set<int>> readers;
  for (const Stage& stage : stages) {
    for (const std::size_t place : stageOf(network.program, network.blocks, stage.first, stage.end).weights) {
      const ExportedInput& input = network.program.graph.inputs[place];
      if (input.kind == ExportedInput::Kind::Parameter) readers[held.at(input.value)].insert(stage.id.value);
    }
  }
  std::vector<TiedParameter> tied;
  for (const auto& [name, of] : readers)
    if (of.size() > 1) tied.push_back({name, {of.begin(), of.end()}});
  return tied;
}

}  // namespace lanelab
