// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/nested_graph.h"

#include <ATen/core/grad_mode.h>

#include <memory>
#include <numeric>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "engine/torch/graph/graph_arguments.h"
#include "engine/torch/graph/graph_program.h"
#include "engine/torch/nn/random_seed.h"

namespace lanelab {

GraphOperation nestedFor(const ExportedNode& node, std::size_t number, const OperationOptions& options) {
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
  std::vector<std::size_t> nodes((*graph)->nodes.size());
  std::iota(nodes.begin(), nodes.end(), std::size_t{0});
  const auto program = std::make_shared<const GraphProgram>(
      **graph, nodes, std::set<ValueId>((*graph)->outputs.begin(), (*graph)->outputs.end()), own);
  return [outputs = node.outputs, gradients = *enabled, graph = *graph, inputs = std::move(inputs), program](
             GraphFrame& frame, const GraphPass& pass) {
    const at::AutoGradMode mode(gradients && at::GradMode::is_enabled());
    GraphFrame inner = program->frameFor(pass);
    for (std::size_t i = 0; i < inputs.size(); ++i) inner[graph->inputs[i].value] = frame[inputs[i]];
    for (std::size_t step = 0; step < program->steps(); ++step) program->run(step, inner, pass);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      if (outputs[i]) frame[*outputs[i]] = std::move(inner[graph->outputs[i]]);
  };
}

}  // namespace lanelab
