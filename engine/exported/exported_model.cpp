// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/exported_model.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "engine/exported/operators/operator_macs.h"
#include "engine/exported/operators/operator_traits.h"
#include "engine/exported/saved_tensors.h"
#include "engine/exported/tensor_calls.h"
#include "engine/exported/weight_ties.h"
#include "engine/files/clipped_name.h"
#include "engine/model/memory_caveat.h"

namespace lanelab {
namespace {

constexpr std::int64_t kSmallestVocabulary = 2;  // of integers that no table is known for: flags

/// Adds up one block after the other.
class ModelDescriber {
 public:
  ModelDescriber(const ExportedProgram& program, const ExportedBlocks& blocks)
      : m_program(program),
        m_graph(program.graph),
        m_blocks(blocks),
        m_sizes(program),
        m_memory(tensorMemoryOf(program.graph, m_sizes)),
        m_rules(graphRulesOf(program.graph, blocks, m_sizes, m_memory)),
        m_ties(weightTiesOf(program)),
        m_held(heldNames(program)),
        m_norm_parameters(normParameters(m_graph)),
        m_saved_by(m_graph.values.size(), -1),
        m_last_saved_by(m_graph.values.size(), -1) {
    for (const ExportedInput& input : m_graph.inputs)
      if (input.kind == ExportedInput::Kind::Parameter) m_parameters.emplace(input.value, input.name);
    for (const ExportedBlock& block : blocks.blocks)
      for (const std::size_t node : block.nodes) {
        const ModuleStack& stack = *m_graph.nodes[node].modules;
        for (std::size_t i = 1; i < stack.size(); ++i) m_parents.insert(stack[i - 1].path);
      }
  }

  DescribedModel describe() {
    DescribedModel described;
    described.notes = m_blocks.notes;
    described.model.arch = "exported";
    described.model.imported = true;
    described.model.input = m_sizes.shape(userInput(m_graph).value);
    const Shape output = m_sizes.shape(m_graph.outputs.front());
    if (!output.empty()) described.model.classes = static_cast<int>(output.size() == 2 ? output[1] : output[0]);
    const bool fixed = m_program.batch_symbol.empty();
    described.model.least_samples = static_cast<int>(fixed ? m_program.static_batch : m_program.least_batch);
    described.model.most_samples = static_cast<int>(fixed ? m_program.static_batch : m_program.most_batch);
    described.model.gives_loss = m_graph.value(m_graph.outputs.front()).sizes.empty();
    if (!isDifferentiable(m_graph.value(userInput(m_graph).value).type)) described.model.vocabulary = vocabulary();
    for (std::size_t b = 0; b < m_blocks.blocks.size(); ++b) described.model.blocks.push_back(block(b));
    for (std::size_t b = 0; b < m_blocks.blocks.size(); ++b) described.model.blocks[b].received_bytes = received(b);
    const std::vector<double> remade = remadeShares(m_graph, m_blocks.blocks, m_rules, m_sizes);
    for (std::size_t b = 0; b < m_blocks.blocks.size(); ++b) described.model.blocks[b].remade_share = remade[b];
    described.model.tensors = SharedTensorProgram(tensorProgram(m_program, m_blocks, m_sizes, m_memory, m_rules));
    described.rules = m_rules;
    for (const auto& [name, users] : m_shared) {
      SharedParameter& shared = described.model.shared.emplace_back(
          SharedParameter{name, {}, m_shared_bytes.at(name), !m_frozen.contains(name)});
      for (const int b : users) shared.blocks.emplace_back(b);
    }
    addNotes(described.notes);
    for (const std::string& target : m_unknown) described.model.unknown_operators.push_back(clippedName(target));
    if (std::string caveat = memoryCaveat(described.model); !caveat.empty())
      described.notes.push_back(std::move(caveat));
    return described;
  }

 private:
  /// Rows of the smallest table in which the user's integers are looked up, as they are or as a view.
  std::int64_t vocabulary() const {
    const ValueId ids = m_memory.bases[userInput(m_graph).value.index()];
    std::int64_t rows = 0;
    for (const ExportedNode& node : m_graph.nodes) {
      if (node.target != "aten.embedding.default" || node.inputs.size() < 2) continue;
      const auto* const table = std::get_if<ValueId>(&node.inputs[0].value);
      const auto* const read = std::get_if<ValueId>(&node.inputs[1].value);
      if (!table || !read || m_memory.bases[read->index()] != ids || m_graph.value(*table).sizes.empty()) continue;
      const std::int64_t here = m_graph.value(*table).sizes.front().constant().value_or(0);
      if (here > 0) rows = rows == 0 ? here : std::min(rows, here);
    }
    return rows > 0 ? rows : kSmallestVocabulary;
  }

  BlockSpec block(std::size_t b) {
    const ExportedBlock& from = m_blocks.blocks[b];
    BlockSpec block;
    block.name = from.name;
    block.type = from.type;
    block.group = from.group;
    for (const ValueId id : m_blocks.crossing[b + 1]) block.output_bytes += m_sizes.bytes(id);
    const ValueId last = m_blocks.crossing[b + 1].empty() ? m_graph.outputs.front() : m_blocks.crossing[b + 1].back();
    block.output = m_sizes.shape(last);
    m_layers.clear();
    for (const std::size_t i : from.nodes) add(m_graph.nodes[i], static_cast<int>(b), block);
    // Buffers of masks and tables count where these are needed first.
    for (const std::size_t i : weightsOfBlock(m_graph, m_blocks, BlockId(b)))
      addWeight(m_graph.inputs[i], static_cast<int>(b), block);
    return block;
  }

  void add(const ExportedNode& node, int b, BlockSpec& block) {
    const std::int64_t macs = macsOf(m_graph, node, m_sizes);
    block.macs += macs;
    if (LayerSpec* const layer = layerOf(node, block)) {
      layer->macs += macs;
      for (const auto& id : node.outputs)
        if (id && m_graph.value(*id).kind == ExportedValue::Kind::Tensor) layer->output = m_sizes.shape(*id);
      for (const ValueId id : valuesRead(node)) addLayerWeight(id, *layer);
    }
    const SavedTensors saved = savedBy(m_graph, node, m_sizes, m_memory);
    if (!saved.known) m_unknown.insert(node.target);
    block.activation_bytes += saved.made.ofSample();
    for (const ValueId id : saved.values) addSaved(id, b, block);
  }

  /// A tensor is counted once, with all of the memory that it is a view of.
  void addSaved(ValueId id, int b, BlockSpec& block) {
    if (m_memory.of_weight[id.index()]) return;
    const ValueId base = m_memory.bases[id.index()];
    m_last_saved_by[base.index()] = b;
    if (m_saved_by[base.index()] != -1) return;
    m_saved_by[base.index()] = b;
    block.activation_bytes += m_sizes.bytes(base);
  }

  /// What crosses before the block, is counted before it, and is saved behind.
  std::int64_t received(std::size_t b) const {
    std::set<ValueId> counted;
    const int block = static_cast<int>(b);
    std::int64_t bytes = 0;
    for (const ValueId id : m_blocks.crossing[b]) {
      const ValueId base = m_memory.bases[id.index()];
      const bool twice =
          m_saved_by[base.index()] != -1 && m_saved_by[base.index()] < block && m_last_saved_by[base.index()] >= block;
      if (twice && counted.insert(base).second) bytes += m_sizes.bytes(id);
    }
    return bytes;
  }

  /// Null for calls of modules that call others.
  LayerSpec* layerOf(const ExportedNode& node, BlockSpec& block) {
    const std::string path = node.module();
    if (path.empty() || m_parents.contains(path)) return nullptr;
    const auto [place, added] = m_layers.try_emplace(path, block.layers.size());
    if (added) block.layers.push_back({path, node.modules->back().class_name, {}, 0, 0});
    return &block.layers[place->second];
  }

  void addLayerWeight(ValueId id, LayerSpec& layer) {
    const auto parameter = m_parameters.find(id);
    if (parameter != m_parameters.end() && m_in_layers.insert(m_ties.at(id)).second)
      layer.parameters += m_program.tensors.at(parameter->second).elements();
  }

  void addWeight(const ExportedInput& input, int b, BlockSpec& block) {
    const ExportedTensor& tensor = m_program.tensors.at(input.name);
    const std::int64_t bytes = tensor.elements() * bytesOf(tensor.type);
    const int tie = m_ties.at(input.value);
    const auto [first, added] = m_first_use.try_emplace(tie, FirstUse{m_held.at(input.value), b});
    if (!input.trained) m_frozen.insert(first->second.name);
    if (!added) {
      if (first->second.block != b && input.kind == ExportedInput::Kind::Parameter)
        m_shared[first->second.name].insert({first->second.block, b});
      m_shared_bytes[first->second.name] = bytes;
      return;
    }
    if (input.kind == ExportedInput::Kind::Parameter) {
      block.parameters += tensor.elements();
      block.parameter_bytes += bytes;
      if (m_norm_parameters.contains(input.value)) block.norm_parameters += bytes / kFloatBytes;
      if (input.trained) {
        block.largest_parameter = std::max(block.largest_parameter, bytes / kFloatBytes);
      } else {
        block.frozen_parameters += tensor.elements();
        block.frozen_bytes += bytes;
      }
    } else {
      block.buffer_bytes += bytes;
    }
  }

  void addNotes(std::vector<std::string>& notes) const {
    for (const auto& [name, users] : m_shared) {
      std::vector<std::string> names;
      for (const int b : users) names.push_back(clippedName(m_blocks.blocks[static_cast<std::size_t>(b)].name));
      notes.push_back("The parameter " + clippedName(name) + " is used by " + joinAnd(names) +
                      ". It is counted in the first of them; on different lanes, each has a copy.");
    }
  }

  const ExportedProgram& m_program;
  const ExportedGraph& m_graph;
  const ExportedBlocks& m_blocks;
  SampleSizes m_sizes;
  TensorMemory m_memory;
  GraphRules m_rules;
  std::map<ValueId, int> m_ties;
  std::map<ValueId, std::string> m_held;
  std::map<ValueId, std::string> m_parameters;  ///< their names
  std::set<ValueId> m_norm_parameters;
  std::vector<int> m_saved_by, m_last_saved_by;  ///< of each base: the first and last block, or -1
  std::set<std::string> m_parents;               ///< modules that call others
  std::map<std::string, std::size_t> m_layers;   ///< of the block: places of its layers
  std::set<int> m_in_layers;                     ///< ties
  struct FirstUse {
    std::string name;
    int block;
  };
  std::map<int, FirstUse> m_first_use;  ///< of each tie
  std::map<std::string, std::set<int>> m_shared;
  std::map<std::string, std::int64_t> m_shared_bytes;
  std::set<std::string> m_frozen;  ///< names of parameters that are not trained
  std::set<std::string> m_unknown;
};

}  // namespace

DescribedModel describeExported(const ExportedProgram& program, const ExportedBlocks& blocks) {
  return ModelDescriber(program, blocks).describe();
}

}  // namespace lanelab
