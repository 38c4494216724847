// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/graph_norm.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "engine/exported/operators/operator_traits.h"
#include "engine/torch/graph/graph_arguments.h"

namespace lanelab {

namespace {

at::Tensor tensorOr(GraphFrame& frame, std::optional<ValueId> value) {
  return value ? frame[*value].toTensor() : at::Tensor();
}

const ExportedInput* bufferOf(const ExportedGraph& graph, ValueId value) {
  const auto found = std::ranges::find(graph.inputs, value, &ExportedInput::value);
  return found != graph.inputs.end() && found->kind == ExportedInput::Kind::Buffer ? &*found : nullptr;
}

/// "layer1.bn1." of "layer1.bn1.running_mean".
std::string ownerOf(const std::string& name) { return name.substr(0, name.rfind('.') + 1); }

bool countsBatches(const ExportedNode& node, const ExportedInput& buffer) {
  return node.target == "aten.add_.Tensor" && buffer.name.ends_with("num_batches_tracked");
}

constexpr const char* kInstanceNorm = "aten.instance_norm.default";

/// Of each memory, the weight or constant that has it.
std::map<std::size_t, const ExportedInput*> weightsByStorage(const ExportedGraph& graph, const ValueFlow& flow) {
  std::map<std::size_t, const ExportedInput*> weights;
  for (const ExportedInput& input : graph.inputs)
    if (input.kind != ExportedInput::Kind::User) weights.emplace(flow.storages[input.value.index()], &input);
  return weights;
}

/// The call that writes to `value`: the node itself, or the one of its nested graph, which has module and line.
const ExportedNode& writerOf(const ExportedNode& node, ValueId value) {
  const ExportedGraph* const inner = nestedGraph(node);
  if (inner == nullptr) return node;
  const std::vector<ValueId> given = valuesRead(node);
  const ValueFlow flow = valueFlowOf(*inner);
  for (std::size_t i = 0; i < std::min(given.size(), inner->inputs.size()); ++i) {
    if (given[i] != value) continue;
    const std::size_t storage = flow.storages[inner->inputs[i].value.index()];
    for (std::size_t n = 0; n < inner->nodes.size(); ++n)
      for (const ValueId written : flow.written[n])
        if (flow.storages[written.index()] == storage) return writerOf(inner->nodes[n], written);
  }
  return node;
}

std::string whyUnchanged(const ExportedNode& node, const ExportedInput& weight) {
  switch (weight.kind) {
    case ExportedInput::Kind::Parameter:
      return "it changes the parameter " + weight.name +
             ", which only the optimizer may do. Compute a new tensor from it in forward";
    case ExportedInput::Kind::Constant: return "it changes the constant " + weight.name + ". Clone it in forward first";
    default: break;
  }
  const std::string changes = "it changes the buffer " + weight.name;
  if (nestedGraph(node) == nullptr)
    return changes + ", and only batch norms may change buffers; leave the change out of forward";
  return changes +
         " within torch.no_grad(), and only batch norms outside of it may change buffers; call eval() of a batch norm, "
         "and leave other changes out of forward";
}

}  // namespace

GraphNorm::GraphNorm(const ExportedNode& node)
    : m_input(requiredValue(node, "input")),
      m_weight(valueOr(node, "weight")),
      m_bias(valueOr(node, "bias")),
      m_mean(valueOr(node, "running_mean")),
      m_var(valueOr(node, "running_var")),
      m_output(node.outputs.at(0).value()),
      m_training(flagOr(node, "training", false)),
      m_moves(m_training && m_mean && m_var) {
  m_layer.momentum = requiredNumber(node, "momentum");
  m_layer.epsilon = requiredNumber(node, "eps");
}

void GraphNorm::run(GraphFrame& frame, const GraphPass& pass) {
  const at::Tensor x = frame[m_input].toTensor();
  m_layer.channels = x.size(1);
  m_layer.weight = tensorOr(frame, m_weight);
  m_layer.bias = tensorOr(frame, m_bias);
  m_layer.mean = tensorOr(frame, m_mean);
  m_layer.var = tensorOr(frame, m_var);
  m_layer.count = tensorOr(frame, m_count);
  // Without running statistics a batch is always normalised by its own.
  if (!m_mean && !m_moves) m_layer.statistics = NormStatistics::LeaveAlone;
  const bool training = !m_mean || (m_training && pass.training);
  // The fused kernels' autograd function would record what is computed below autograd.
  std::optional<at::NoGradGuard> unrecorded;
  if (m_layer.fused && !pass.recorded) unrecorded.emplace();
  if (m_beside) {
    frame[m_output] = m_layer.forwardSum(
        x, [&] { return frame[*m_beside].toTensor(); }, training, m_activation);
    return;
  }
  Activation made = m_layer.forwardActivated(x, training, m_activation);
  frame[m_output] = std::move(made.value);
  if (made.remade) frame.made_again[m_output] = std::move(made.remade);
}

void GraphNorm::follow(const NormChain& chain, ValueId output) {
  m_output = output;
  m_beside = chain.beside;
  m_activation = chain.kind;
}

bool isBatchNorm(const ExportedNode& node) { return node.target == "aten.batch_norm.default"; }

std::vector<std::optional<ValueId>> batchCounts(const ExportedGraph& graph, const ValueFlow& flow,
                                                const std::vector<std::size_t>& nodes, GraphUse use) {
  const std::map<std::size_t, const ExportedInput*> weights = weightsByStorage(graph, flow);
  std::vector<std::optional<ValueId>> counts;
  for (const std::size_t i : nodes) {
    const ExportedNode& node = graph.nodes[i];
    std::optional<ValueId>& count = counts.emplace_back();
    if (isBatchNorm(node) || (use == GraphUse::Inference && node.target == kInstanceNorm)) continue;
    for (const ValueId written : flow.written[i]) {
      const auto weight = weights.find(flow.storages[written.index()]);
      // What to() makes of another type is a copy.
      if (weight == weights.end() || graph.value(written).type != graph.value(weight->second->value).type) continue;
      if (!countsBatches(node, *weight->second))
        refuseCall(writerOf(node, written), whyUnchanged(node, *weight->second));
      count = written;
    }
  }
  return counts;
}

std::optional<ValueId> countBeside(const ExportedGraph& graph, ValueId running_mean) {
  const ExportedInput* const mean = bufferOf(graph, running_mean);
  if (!mean) return std::nullopt;
  const std::string name = ownerOf(mean->name) + "num_batches_tracked";
  const auto found = std::ranges::find(graph.inputs, name, &ExportedInput::name);
  return found == graph.inputs.end() ? std::nullopt : std::optional(found->value);
}

}  // namespace lanelab
