// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/nested_graph.h"

#include <ATen/core/grad_mode.h>

#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "engine/torch/graph/graph_arguments.h"
#include "engine/torch/graph/graph_program.h"
#include "engine/torch/nn/random_seed.h"

namespace lanelab {

namespace {

class NestedOperation final : public GraphOperation {
 public:
  NestedOperation(const ExportedNode& node, bool gradients, std::shared_ptr<const ExportedGraph> graph,
                  std::vector<ValueId> inputs, const OperationOptions& options)
      : m_outputs(node.outputs),
        m_gradients(gradients),
        m_graph(std::move(graph)),
        m_inputs(std::move(inputs)),
        m_program(*m_graph, allNodes(*m_graph), {m_graph->outputs.begin(), m_graph->outputs.end()}, options) {}

  void run(GraphFrame& frame, const GraphPass& pass) override {
    const at::AutoGradMode mode(m_gradients && at::GradMode::is_enabled());
    GraphFrame own = m_program.frameFor(pass);
    for (std::size_t i = 0; i < m_inputs.size(); ++i) own[m_graph->inputs[i].value] = frame[m_inputs[i]];
    for (std::size_t step = 0; step < m_program.steps(); ++step) m_program.run(step, own, pass);
    for (std::size_t i = 0; i < m_outputs.size(); ++i)
      if (m_outputs[i]) frame[*m_outputs[i]] = std::move(own[m_graph->outputs[i]]);
  }

 private:
  static std::vector<std::size_t> allNodes(const ExportedGraph& graph) {
    std::vector<std::size_t> nodes(graph.nodes.size());
    std::iota(nodes.begin(), nodes.end(), std::size_t{0});
    return nodes;
  }

  std::vector<std::optional<ValueId>> m_outputs;
  bool m_gradients;
  std::shared_ptr<const ExportedGraph> m_graph;
  std::vector<ValueId> m_inputs;
  GraphProgram m_program;
};

}  // namespace

std::unique_ptr<GraphOperation> nestedFor(const ExportedNode& node, std::size_t number,
                                          const OperationOptions& options) {
  const auto given = [&](std::size_t i) { return i < node.inputs.size() ? &node.inputs[i].value : nullptr; };
  const auto* const enabled = given(0) ? std::get_if<bool>(given(0)) : nullptr;
  const auto* const graph = given(1) ? std::get_if<std::shared_ptr<const ExportedGraph>>(given(1)) : nullptr;
  if (!enabled || !graph) refuseCall(node, "it does not begin with a flag and a graph");
  std::vector<ValueId> inputs;
  for (std::size_t i = 2; i < node.inputs.size(); ++i) {
    const auto* const value = std::get_if<ValueId>(given(i));
    if (!value) refuseCall(node, "an argument of its graph is a constant");
    inputs.push_back(*value);
  }
  if (inputs.size() != (*graph)->inputs.size() || node.outputs.size() != (*graph)->outputs.size())
    refuseCall(node, "its graph has another number of inputs or outputs");
  OperationOptions own = options;
  own.stream = mixedSeed(options.stream, number);
  return std::make_unique<NestedOperation>(node, *enabled, *graph, std::move(inputs), own);
}

}  // namespace lanelab
