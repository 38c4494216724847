// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/tensor_calls.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/exported/operators/operator_traits.h"
#include "engine/exported/saved_tensors.h"
#include "engine/exported/weight_ties.h"

namespace lanelab {
namespace {

constexpr std::int64_t kFusedNormNumbers = 5;  ///< for each channel: see engine/torch/kernels/fused_norm.cpp

class CallWriter {
  using Lies = TensorProgram::Gradient::Lies;

 public:
  CallWriter(const ExportedProgram& program, const ExportedBlocks& blocks, const SampleSizes& sizes,
             const TensorMemory& memory, const GraphRules& rules)
      : m_graph(program.graph),
        m_blocks(blocks),
        m_sizes(sizes),
        m_memory(memory),
        m_rules(rules),
        m_ties(weightTiesOf(program)),
        m_norm_parameters(normParameters(program.graph)) {
    for (const ExportedInput& input : m_graph.inputs) m_of_input.insert(input.value);
  }

  TensorProgram write() {
    TensorProgram program;
    for (std::size_t v = 0; v < m_graph.values.size(); ++v) {
      const ValueId id(v);
      const bool counts = isTensor(id) && !isWeight(id);
      program.values.push_back({static_cast<int>(m_memory.bases[v].index()), counts ? m_sizes.bytes(id) : 0});
      program.storages.push_back(counts && m_memory.bases[v] == id ? m_sizes.bytes(id) : 0);
    }
    const std::vector<std::optional<BlockId>> block_of = blockOfNodes(m_graph, m_blocks);
    std::vector<std::size_t> places(m_graph.nodes.size());
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
      if (!block_of[i] && m_blocks.flow.roles[i] != NodeRole::Repeated) continue;
      places[i] = program.calls.size();
      program.calls.push_back(callOf(i));
      program.calls.back().block = block_of[i] ? block_of[i]->value : TensorProgram::Call::kEverywhere;
    }
    const auto join = [&](Rule rule, std::size_t node, std::vector<std::size_t> nodes, TensorProgram::Call call) {
      call.block = block_of[node]->value;
      for (std::size_t& of_node : nodes) of_node = places[of_node];
      program.joined.push_back({rule, places[node], std::move(nodes), std::move(call)});
    };
    for (const Rule rule : {Rule::FusedNorm, Rule::RemadeActivation})
      for (const NormChain& chain : m_rules.norms)
        if (rule == Rule::FusedNorm || m_rules.remade.contains(madeBy(chain)))
          join(rule, chain.last(), chain.nodes(), chainCall(chain, rule));
    for (const SelfAttention& found : m_rules.attentions) {
      join(Rule::SelfAttention, found.project, {found.project}, projectionCall(found));
      join(Rule::SelfAttention, found.calls.back(), found.calls, attentionCall(found));
    }
    for (const JoinedCalls& joined : m_rules.joined)
      join(joined.rule, joined.place(), joined.nodes, joinedCall(joined));
    for (const std::vector<ValueId>& crossing : m_blocks.crossing) program.crossing.push_back(numbersOf(crossing));
    return program;
  }

 private:
  bool isTensor(ValueId id) const { return m_graph.value(id).kind == ExportedValue::Kind::Tensor; }
  bool isWeight(ValueId id) const { return m_memory.of_weight[id.index()]; }
  int storageOf(ValueId id) const { return static_cast<int>(m_memory.bases[id.index()].index()); }

  std::vector<int> numbersOf(const std::vector<ValueId>& values) const {
    std::vector<int> numbers;
    for (const ValueId id : values)
      if (isTensor(id) && !isWeight(id)) numbers.push_back(static_cast<int>(id.index()));
    return numbers;
  }

  TensorProgram::Call callOf(std::size_t i) const {
    const ExportedNode& node = m_graph.nodes[i];
    TensorProgram::Call call;
    call.reads = numbersOf(valuesRead(node));
    for (const auto& id : node.outputs)
      if (id && isTensor(*id) && !isWeight(*id)) call.makes.push_back(static_cast<int>(id->index()));
    for (const ValueId id : m_blocks.flow.written[i])
      if (!isWeight(id)) call.writes.push_back(storageOf(id));
    addSaved(node, call);
    const PassingBytes forward = forwardPassing(m_graph, node, m_sizes);
    const PassingBytes backward = backwardPassing(m_graph, node, m_sizes, m_memory);
    call.forward_workspace = forward.sample, call.forward_copies = forward.fixed;
    call.backward_workspace = backward.sample, call.backward_copies = backward.fixed;
    addGradients(node, call);
    if (const auto weighted = m_rules.weighted.find(i); weighted != m_rules.weighted.end()) {
      const WeightedCall& layer = weighted->second;
      if (m_memory.gradient[layer.weight.index()] && !isWeight(layer.input)) call.deferrable = storageOf(layer.input);
    }
    if (const auto product = m_rules.products.find(i); product != m_rules.products.end()) call.conv = product->second;
    call.saves_shape_only = isMaxPool(node);
    return call;
  }

  /// A norm with what is done together with it.
  TensorProgram::Call chainCall(const NormChain& chain, Rule rule) const {
    TensorProgram::Call call = callOf(chain.norm);
    const ValueId made = madeBy(chain);
    call.makes = {static_cast<int>(made.index())};
    call.writes.clear();
    if (m_rules.remade.contains(made)) call.remakes = storageOf(made);
    if (rule == Rule::RemadeActivation) {
      addSave(storageOf(made), call);  // for the ReLU's mask
      return call;
    }
    call.saved_besides.fixed = fusedStatistics(chain);
    // The input's gradient is made in the memory of the result's; with a sum, that one is the addend's.
    call.backward_workspace = 0;
    for (TensorProgram::Gradient& gradient : call.gradients) gradient.lies = chain.beside ? Lies::Apart : Lies::InPlace;
    if (!chain.beside) return call;
    const int beside = static_cast<int>(chain.beside->index());
    call.reads.push_back(beside);
    if (chain.activation) addSave(storageOf(made), call);
    if (m_memory.gradient[chain.beside->index()])
      call.gradients.push_back({beside, chain.activation ? Lies::InPlace : Lies::Passed});
    return call;
  }

  ValueId madeBy(const NormChain& chain) const { return *m_graph.nodes[chain.last()].outputs.front(); }

  /// What the functions of engine/torch/nn/row_functions.h save and make.
  TensorProgram::Call joinedCall(const JoinedCalls& joined) const {
    TensorProgram::Call call;
    call.reads = numbersOf(joined.reads);
    call.makes = numbersOf(joined.makes);
    std::vector<ValueId> saved = joined.reads;
    if (joined.rule == Rule::RotaryEmbedding) saved.erase(saved.begin());
    if (joined.rule == Rule::JoinedParts) saved.clear();
    for (const ValueId id : saved)
      if (!isWeight(id)) addSave(storageOf(id), call);
    const ValueId x = joined.reads.front();
    if (joined.rule == Rule::FusedRmsNorm)
      call.saved_besides.own = m_sizes.bytes(x) / m_sizes.wholeShape(joined.reads.back()).front();
    for (const ValueId id : joined.reads) addGradient(id, false, call);
    return call;
  }

  /// The linear layer of a self-attention, whose rows are in order.
  TensorProgram::Call projectionCall(const SelfAttention& found) const {
    TensorProgram::Call call = callOf(found.project);
    call.saved_besides = {};
    call.forward_workspace = 0;
    addSave(storageOf(found.rows), call);
    return call;
  }

  TensorProgram::Call attentionCall(const SelfAttention& found) const {
    TensorProgram::Call call = callOf(found.attention);
    call.reads = numbersOf({found.packed});
    call.makes = numbersOf({found.mixed});
    call.saves.clear();
    for (const ValueId id : {found.packed, found.mixed}) addSave(storageOf(id), call);
    call.gradients.clear();
    addGradient(found.packed, false, call);
    call.backward_workspace += m_sizes.bytes(found.packed);  // three gradients, which are then put side by side
    return call;
  }

  std::int64_t fusedStatistics(const NormChain& chain) const {
    return kFusedNormNumbers * m_sizes.shape(*m_graph.nodes[chain.norm].outputs.front()).front() * kFloatBytes;
  }

  static void addSave(int storage, TensorProgram::Call& call) {
    if (!std::ranges::binary_search(call.saves, storage))
      call.saves.insert(std::ranges::upper_bound(call.saves, storage), storage);
  }

  void addSaved(const ExportedNode& node, TensorProgram::Call& call) const {
    const SavedTensors saved = savedBy(m_graph, node, m_sizes, m_memory);
    call.saved_besides = saved.made;
    std::set<int> storages;
    for (const ValueId id : saved.values)
      if (!isWeight(id)) storages.insert(storageOf(id));
    call.saves.assign(storages.begin(), storages.end());
  }

  void addGradients(const ExportedNode& node, TensorProgram::Call& call) const {
    for (const ValueId id : valuesRead(node))
      if (isTensor(id)) addGradient(id, passesGradient(m_graph, node, id, m_sizes, m_memory), call);
  }

  void addGradient(ValueId id, bool passed, TensorProgram::Call& call) const {
    if (!m_memory.gradient[id.index()]) return;
    if (!isWeight(id)) {
      call.gradients.push_back({static_cast<int>(id.index()), passed ? Lies::Passed : Lies::Apart});
    } else if (const ValueId base = m_memory.bases[id.index()]; !passed && m_of_input.contains(base)) {
      const auto tie = m_ties.find(base);
      const std::int64_t bytes = lanelab::numbersOf(m_sizes.wholeShape(base)) * bytesOf(m_graph.value(base).type);
      if (bytes > 0)
        call.weights.push_back({tie == m_ties.end() ? -1 : tie->second, bytes, m_norm_parameters.contains(base)});
    }
  }

  const ExportedGraph& m_graph;
  const ExportedBlocks& m_blocks;
  const SampleSizes& m_sizes;
  const TensorMemory& m_memory;
  const GraphRules& m_rules;
  const std::map<ValueId, int> m_ties;
  const std::set<ValueId> m_norm_parameters;
  std::set<ValueId> m_of_input;
};

}  // namespace

TensorProgram tensorProgram(const ExportedProgram& program, const ExportedBlocks& blocks, const SampleSizes& sizes,
                            const TensorMemory& memory, const GraphRules& rules) {
  return CallWriter(program, blocks, sizes, memory, rules).write();
}

}  // namespace lanelab
