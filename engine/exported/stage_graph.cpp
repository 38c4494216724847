// SPDX-License-Identifier: GPL-3.0-only
// stageOf() of exported_blocks.h.
#include <map>
#include <set>

#include "engine/exported/exported_blocks.h"
#include "engine/exported/weight_ties.h"

namespace lanelab {
namespace {

/// Collects the calls of a stage, and what they need of calls that belong to no block.
class StageCollector {
 public:
  StageCollector(const ExportedGraph& graph, const ValueFlow& flow)
      : m_graph(graph),
        m_flow(flow),
        m_needed(graph.values.size()),
        m_included(graph.nodes.size()),
        m_writers(graph.values.size()),
        m_writers_seen(graph.values.size()) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      if (flow.roles[i] != NodeRole::Repeated) continue;
      for (const ValueId id : flow.written[i]) m_writers[storageOf(id)].push_back(i);
    }
  }

  void includeCall(std::size_t node) {
    m_open.push_back(node);
    includeOpen();
  }
  /// What the stage hands on.
  void includeResult(ValueId id) {
    need(id, m_graph.nodes.size());
    includeOpen();
  }

  bool isNeeded(ValueId id) const { return m_needed[id.index()]; }
  bool isIncluded(std::size_t node) const { return m_included[node]; }

 private:
  void includeOpen() {
    while (!m_open.empty()) {
      const std::size_t next = m_open.back();
      m_open.pop_back();
      if (m_included[next]) continue;
      m_included[next] = true;
      for (const ValueId id : valuesRead(m_graph.nodes[next])) need(id, next);
    }
  }

  std::size_t storageOf(ValueId id) const { return m_flow.storages[id.index()]; }

  /// Its maker, and what writes to it before `reader`.
  void need(ValueId id, std::size_t reader) {
    m_needed[id.index()] = true;
    const int maker = m_flow.makers[id.index()];
    if (maker != ValueFlow::kInput && m_flow.roles[static_cast<std::size_t>(maker)] == NodeRole::Repeated)
      m_open.push_back(static_cast<std::size_t>(maker));
    const std::vector<std::size_t>& writers = m_writers[storageOf(id)];
    std::size_t& seen = m_writers_seen[storageOf(id)];
    for (; seen < writers.size() && writers[seen] < reader; ++seen) m_open.push_back(writers[seen]);
  }

  const ExportedGraph& m_graph;
  const ValueFlow& m_flow;
  std::vector<bool> m_needed, m_included;
  std::vector<std::vector<std::size_t>> m_writers;  ///< of each storage, in order
  std::vector<std::size_t> m_writers_seen;
  std::vector<std::size_t> m_open;
};

/// Parameters, by ties, that the blocks outside of the stage read.
std::set<int> readOutside(const ExportedGraph& graph, const ExportedBlocks& blocks, const std::map<ValueId, int>& ties,
                          BlockId first, BlockId end) {
  std::set<int> outside;
  for (std::size_t b = 0; b < blocks.blocks.size(); ++b) {
    if (b >= first.index() && b < end.index()) continue;
    for (const std::size_t node : blocks.blocks[b].nodes)
      for (const ValueId id : valuesRead(graph.nodes[node]))
        if (const auto tie = ties.find(id); tie != ties.end()) outside.insert(tie->second);
  }
  return outside;
}

StageCollector collectorOf(const ExportedGraph& graph, const ExportedBlocks& blocks, BlockId first, BlockId end) {
  StageCollector collector(graph, blocks.flow);
  for (std::size_t b = first.index(); b < end.index(); ++b)
    for (const std::size_t node : blocks.blocks.at(b).nodes) collector.includeCall(node);
  for (const ValueId id : blocks.crossing.at(end.index())) collector.includeResult(id);
  return collector;
}

std::vector<std::size_t> weightsIn(const ExportedGraph& graph, const StageCollector& collector) {
  std::vector<std::size_t> weights;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i)
    if (graph.inputs[i].kind != ExportedInput::Kind::User && collector.isNeeded(graph.inputs[i].value))
      weights.push_back(i);
  return weights;
}

}  // namespace

std::vector<std::optional<BlockId>> blockOfNodes(const ExportedGraph& graph, const ExportedBlocks& blocks) {
  std::vector<std::optional<BlockId>> block_of(graph.nodes.size());
  for (std::size_t b = 0; b < blocks.blocks.size(); ++b)
    for (const std::size_t node : blocks.blocks[b].nodes) block_of[node] = BlockId(b);
  return block_of;
}

std::vector<std::size_t> weightsOfBlock(const ExportedGraph& graph, const ExportedBlocks& blocks, BlockId block) {
  return weightsIn(graph, collectorOf(graph, blocks, block, BlockId(block.index() + 1)));
}

StageGraph stageOf(const ExportedProgram& program, const ExportedBlocks& blocks, BlockId first, BlockId end) {
  const ExportedGraph& graph = program.graph;
  StageGraph stage;
  stage.received = blocks.crossing.at(first.index());
  stage.sent = blocks.crossing.at(end.index());
  const StageCollector collector = collectorOf(graph, blocks, first, end);
  const std::vector<std::optional<BlockId>> block_of = blockOfNodes(graph, blocks);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    if (collector.isIncluded(i)) stage.nodes.push_back({i, block_of[i]});
  const std::map<ValueId, int> ties = weightTiesOf(program);
  const std::set<int> outside = readOutside(graph, blocks, ties, first, end);
  stage.weights = weightsIn(graph, collector);
  for (const std::size_t i : stage.weights) {
    const ExportedInput& input = graph.inputs[i];
    const auto tie = ties.find(input.value);
    if (input.kind == ExportedInput::Kind::Parameter && tie != ties.end() && outside.contains(tie->second))
      stage.tied.push_back(input.name);
  }
  for (std::size_t v = 0; v < graph.values.size(); ++v)
    if (graph.values[v].kind == ExportedValue::Kind::Int && collector.isNeeded(ValueId(v))) stage.sizes.emplace_back(v);
  return stage;
}

}  // namespace lanelab
