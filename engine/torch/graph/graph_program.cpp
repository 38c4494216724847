// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/graph_program.h"

#include <stdexcept>
#include <utility>

namespace lanelab {

namespace {

std::map<ValueId, SizeExpression> knownSizes(const ExportedGraph& graph) {
  std::map<ValueId, SizeExpression> sizes;
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    const ExportedValue& value = graph.values[i];
    if (value.kind == ExportedValue::Kind::Int && value.size) sizes.emplace(ValueId(i), *value.size);
  }
  return sizes;
}

bool isKnown(const ExportedNode& node, const std::map<ValueId, SizeExpression>& sizes) {
  for (const auto& output : node.outputs)
    if (!output || !sizes.contains(*output)) return false;
  return !node.outputs.empty();
}

}  // namespace

GraphProgram::GraphProgram(const ExportedGraph& graph, const std::vector<std::size_t>& nodes,
                           const std::set<ValueId>& kept, const OperationOptions& options,
                           const OperationChoice& choice, const NodesTogether& together)
    : m_graph(graph),
      m_batch_symbol(options.batch_symbol),
      m_sizes(knownSizes(graph)),
      m_declared(graph, options.batch_symbol) {
  std::set<std::size_t> done_later;
  for (const auto& [last, before] : together) done_later.insert(before.begin(), before.end());
  for (const std::size_t node : nodes) {
    if (done_later.contains(node)) continue;
    if (isKnown(graph.nodes[node], m_sizes)) continue;
    GraphOperation operation = choice ? choice(node) : GraphOperation();
    if (!operation) operation = operationFor(graph.nodes[node], node, options);
    if (operation) m_steps.push_back({node, std::move(operation), {}});
  }
  std::set<ValueId> needed = kept;
  for (auto step = m_steps.rbegin(); step != m_steps.rend(); ++step) {
    const auto last = [&](ValueId value) {
      if (!m_sizes.contains(value) && needed.insert(value).second) step->done_with.push_back(value);
    };
    const auto lastOf = [&](const ExportedNode& node) {
      for (const ValueId value : valuesRead(node)) last(value);
      for (const auto& output : node.outputs)
        if (output) last(*output);
    };
    lastOf(graph.nodes[step->node]);
    if (const auto before = together.find(step->node); before != together.end())
      for (const std::size_t node : before->second) lastOf(graph.nodes[node]);
  }
}

GraphFrame GraphProgram::frameFor(const GraphPass& pass) const {
  GraphFrame frame(m_graph.values.size());
  const SymbolValues symbols{{m_batch_symbol, pass.batch}};
  for (const auto& [value, expression] : m_sizes) {
    const std::optional<std::int64_t> size = expression.evaluate(symbols);
    if (!size) throw std::runtime_error("the size " + expression.text() + " does not exist for this micro-batch size");
    frame[value] = *size;
  }
  return frame;
}

void GraphProgram::run(std::size_t step, GraphFrame& frame, const GraphPass& pass) const {
  const Step& now = m_steps[step];
  now.operation(frame, pass);
  if (pass.holds_sizes) m_declared.hold(m_graph.nodes[now.node], frame, pass.batch);
  for (const ValueId value : now.done_with) frame[value] = c10::IValue();
}

}  // namespace lanelab
