// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/tensor_calls.h"

#include <algorithm>
#include <map>
#include <set>

#include "engine/exported/saved_tensors.h"
#include "engine/exported/weight_ties.h"

namespace lanelab {
namespace {

/// What the weight part of a layer's backward reads besides the gradient; null for a call without such a part.
const ValueId* inputOfWeightPart(const ExportedNode& node, const TensorMemory& memory) {
  const bool is_addmm = node.target == "aten.addmm.default";
  if (!is_addmm && node.target != "aten.linear.default" && node.target != "aten.conv2d.default") return nullptr;
  const auto valueAt = [&](const char* name) {
    const ExportedArgument* const argument = argumentOf(node, name);
    return argument ? std::get_if<ValueId>(argument) : nullptr;
  };
  const ValueId* const weight = valueAt(is_addmm ? "mat2" : "weight");
  const bool trained = weight && memory.gradient[weight->index()] && !node.outputs.empty() && node.outputs.front();
  return trained ? valueAt(is_addmm ? "mat1" : "input") : nullptr;
}

class CallWriter {
 public:
  CallWriter(const ExportedProgram& program, const ExportedBlocks& blocks, const SampleSizes& sizes,
             const TensorMemory& memory, const std::vector<FusedNorm>* fused)
      : m_fuses(fused != nullptr),
        m_graph(program.graph),
        m_blocks(blocks),
        m_sizes(sizes),
        m_memory(memory),
        m_ties(weightTiesOf(program)) {
    for (const ExportedInput& input : m_graph.inputs) m_of_input.insert(input.value);
    for (const FusedNorm& norm : fused ? *fused : std::vector<FusedNorm>()) {
      m_fused.emplace(norm.relu, norm);
      m_done_later.insert(norm.norm);
      if (norm.sum) m_done_later.insert(*norm.sum);
    }
  }

  TensorProgram write() {
    TensorProgram program;
    for (std::size_t v = 0; v < m_graph.values.size(); ++v) {
      const ValueId id(v);
      const bool counts = isTensor(id) && !isWeight(id);
      program.values.push_back({static_cast<int>(m_memory.bases[v].index()), counts ? m_sizes.bytes(id) : 0});
      program.storages.push_back(counts && m_memory.bases[v] == id ? m_sizes.bytes(id) : 0);
    }
    std::vector<int> block_of(m_graph.nodes.size(), TensorProgram::Call::kEverywhere);
    for (std::size_t b = 0; b < m_blocks.blocks.size(); ++b)
      for (const std::size_t i : m_blocks.blocks[b].nodes) block_of[i] = static_cast<int>(b);
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
      if (block_of[i] == TensorProgram::Call::kEverywhere && m_blocks.flow.roles[i] != NodeRole::Repeated) continue;
      if (m_done_later.contains(i)) continue;
      const auto fused = m_fused.find(i);
      program.calls.push_back(fused == m_fused.end() ? callOf(i) : fusedCall(fused->second));
      program.calls.back().block = block_of[i];
    }
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
    if (m_fuses && isImageNorm(m_graph, node)) inPlaceBackward(call);
    if (const ValueId* const input = inputOfWeightPart(node, m_memory); input && !isWeight(*input))
      call.deferrable = storageOf(*input);
    return call;
  }

  /// The input's gradient is made in the memory of the result's.
  static void inPlaceBackward(TensorProgram::Call& call) {
    call.backward_workspace = 0;
    for (TensorProgram::Gradient& gradient : call.gradients) gradient.passed = true;
  }

  /// Without a sum the ReLU's mask follows from the input. With one its result is saved, and the addend gets the memory
  /// of the result's gradient.
  TensorProgram::Call fusedCall(const FusedNorm& fused) const {
    TensorProgram::Call call = callOf(fused.norm);
    const ExportedNode& relu = m_graph.nodes[fused.relu];
    call.makes = {static_cast<int>(relu.outputs.front()->index())};
    call.writes.clear();
    if (!fused.beside) return call;
    const int beside = static_cast<int>(fused.beside->index()), result = storageOf(*relu.outputs.front());
    call.reads.push_back(beside);
    if (!std::ranges::binary_search(call.saves, result))
      call.saves.insert(std::ranges::upper_bound(call.saves, result), result);
    for (TensorProgram::Gradient& gradient : call.gradients) gradient.passed = false;
    if (m_memory.gradient[fused.beside->index()]) call.gradients.push_back({beside, true});
    return call;
  }

  void addSaved(const ExportedNode& node, TensorProgram::Call& call) const {
    const SavedTensors saved = savedBy(m_graph, node, m_sizes, m_memory);
    call.saved_besides = saved.made_bytes;
    std::set<int> storages;
    for (const ValueId id : saved.values)
      if (!isWeight(id)) storages.insert(storageOf(id));
    call.saves.assign(storages.begin(), storages.end());
  }

  void addGradients(const ExportedNode& node, TensorProgram::Call& call) const {
    for (const ValueId id : valuesRead(node)) {
      if (!isTensor(id) || !m_memory.gradient[id.index()]) continue;
      const bool passed = passesGradient(m_graph, node, id, m_sizes, m_memory);
      if (!isWeight(id)) {
        call.gradients.push_back({static_cast<int>(id.index()), passed});
      } else if (const ValueId base = m_memory.bases[id.index()]; !passed && m_of_input.contains(base)) {
        const auto tie = m_ties.find(base);
        const std::int64_t bytes = lanelab::numbersOf(m_sizes.wholeShape(base)) * bytesOf(m_graph.value(base).type);
        if (bytes > 0) call.weights.push_back({tie == m_ties.end() ? -1 : tie->second, bytes});
      }
    }
  }

  const bool m_fuses;
  const ExportedGraph& m_graph;
  const ExportedBlocks& m_blocks;
  const SampleSizes& m_sizes;
  const TensorMemory& m_memory;
  const std::map<ValueId, int> m_ties;
  std::set<ValueId> m_of_input;
  std::map<std::size_t, FusedNorm> m_fused;  ///< by the ReLU's node
  std::set<std::size_t> m_done_later;
};

}  // namespace

TensorProgram tensorCalls(const ExportedProgram& program, const ExportedBlocks& blocks, const SampleSizes& sizes,
                          const TensorMemory& memory, const std::vector<FusedNorm>* fused) {
  return CallWriter(program, blocks, sizes, memory, fused).write();
}

}  // namespace lanelab
