// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/value_flow.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/exported/operators/operator_traits.h"

namespace lanelab {
namespace {

/// Values that share memory, as sets that are joined.
class Storages {
 public:
  explicit Storages(std::size_t values) : m_parents(values) { std::iota(m_parents.begin(), m_parents.end(), 0); }

  std::size_t of(ValueId id) {
    std::size_t at = id.index();
    while (m_parents[at] != at) {
      m_parents[at] = m_parents[m_parents[at]];
      at = m_parents[at];
    }
    return at;
  }
  void join(ValueId a, ValueId b) { m_parents[of(b)] = of(a); }

 private:
  std::vector<std::size_t> m_parents;
};

bool isTensor(const ExportedGraph& graph, ValueId id) { return graph.value(id).kind == ExportedValue::Kind::Tensor; }

/// What a nested graph does with what it is called with: by the places of its inputs.
struct NestedEffects {
  std::vector<bool> writes;
  std::vector<std::pair<std::size_t, std::size_t>> returns;  ///< an output that shares memory with an input
  bool random = false;
};

/// Arguments of the call behind its graph, which are the graph's inputs; nothing for those that are not values.
std::vector<std::optional<ValueId>> nestedArguments(const ExportedNode& node) {
  std::vector<std::optional<ValueId>> arguments;
  bool behind = false;
  for (const NamedArgument& input : node.inputs) {
    if (behind) {
      const auto* const id = std::get_if<ValueId>(&input.value);
      arguments.push_back(id ? std::optional(*id) : std::nullopt);
    }
    behind = behind || std::holds_alternative<std::shared_ptr<const ExportedGraph>>(input.value);
  }
  return arguments;
}

/// Storages of a graph, with what its calls write to.
struct Memory {
  explicit Memory(std::size_t values) : storages(values) {}
  Storages storages;
  std::vector<std::vector<ValueId>> written;
  std::vector<bool> random;  ///< of each node
};

Memory memoryOf(const ExportedGraph& graph);

NestedEffects effectsOf(const ExportedGraph& graph) {
  Memory memory = memoryOf(graph);
  NestedEffects effects;
  effects.random = std::ranges::find(memory.random, true) != memory.random.end();
  std::vector<bool> written(graph.values.size());
  for (const auto& ids : memory.written)
    for (const ValueId id : ids) written[memory.storages.of(id)] = true;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const std::size_t storage = memory.storages.of(graph.inputs[i].value);
    effects.writes.push_back(written[storage]);
    for (std::size_t o = 0; o < graph.outputs.size(); ++o)
      if (memory.storages.of(graph.outputs[o]) == storage) effects.returns.emplace_back(i, o);
  }
  return effects;
}

void addNested(const ExportedNode& node, const ExportedGraph& inner, std::size_t index, Memory& memory) {
  const NestedEffects effects = effectsOf(inner);
  const std::vector<std::optional<ValueId>> arguments = nestedArguments(node);
  memory.random[index] = memory.random[index] || effects.random;
  for (std::size_t i = 0; i < std::min(arguments.size(), effects.writes.size()); ++i)
    if (arguments[i] && effects.writes[i]) memory.written[index].push_back(*arguments[i]);
  for (const auto& [input, output] : effects.returns)
    if (input < arguments.size() && arguments[input] && output < node.outputs.size() && node.outputs[output])
      memory.storages.join(*arguments[input], *node.outputs[output]);
}

/// A view shares the memory of its first argument, which may be a list.
void addView(const ExportedGraph& graph, const ExportedNode& node, Memory& memory) {
  if (node.inputs.empty()) return;
  for (const ValueId from : valuesIn(node.inputs.front().value))
    for (const auto& to : node.outputs)
      if (to && isTensor(graph, from) && isTensor(graph, *to)) memory.storages.join(from, *to);
}

Memory memoryOf(const ExportedGraph& graph) {
  Memory memory(graph.values.size());
  memory.random.resize(graph.nodes.size());
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const ExportedNode& node = graph.nodes[i];
    memory.written.push_back(valuesWritten(node));
    memory.random[i] = isRandom(node);
    if (isView(node)) addView(graph, node, memory);
    if (const ExportedGraph* const inner = nestedGraph(node)) addNested(node, *inner, i, memory);
  }
  return memory;
}

/// Spreads "depends on parameters, the user or chance" along the graph.
class Dependence {
 public:
  Dependence(const ExportedGraph& graph, ValueFlow& flow, const std::vector<bool>& random)
      : m_graph(graph),
        m_flow(flow),
        m_random(random),
        m_marked(graph.values.size()),
        m_readers(graph.values.size()),
        m_sharing(graph.values.size()),
        m_written_storage(graph.values.size()) {
    for (std::size_t v = 0; v < graph.values.size(); ++v) m_sharing[flow.storages[v]].emplace_back(v);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) addReaders(i);
  }

  void spread() {
    for (const ExportedInput& input : m_graph.inputs) {
      const bool kept = input.kind == ExportedInput::Kind::Buffer || input.kind == ExportedInput::Kind::Constant;
      const std::size_t storage = m_flow.storages[input.value.index()];
      if (!kept || m_written_storage[storage]) mark(input.value);
    }
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
      if (m_random[i]) markNode(i);
    while (!m_open.empty()) {
      const ValueId id = m_open.back();
      m_open.pop_back();
      for (const std::size_t reader : m_readers[id.index()]) markNode(reader);
      if (m_flow.makers[id.index()] != ValueFlow::kInput) markNode(static_cast<std::size_t>(m_flow.makers[id.index()]));
    }
  }

 private:
  void addReaders(std::size_t i) {
    if (m_flow.roles[i] == NodeRole::Size || m_flow.roles[i] == NodeRole::Check) return;
    for (const ValueId id : valuesRead(m_graph.nodes[i])) m_readers[id.index()].push_back(i);
    for (const ValueId id : m_flow.written[i]) m_written_storage[m_flow.storages[id.index()]] = true;
  }

  void mark(ValueId id) {
    if (m_marked[id.index()]) return;
    m_marked[id.index()] = true;
    m_open.push_back(id);
  }

  /// Also what shares memory with what it writes to.
  void markNode(std::size_t i) {
    if (m_flow.roles[i] != NodeRole::Repeated) return;
    m_flow.roles[i] = NodeRole::Block;
    for (const auto& id : m_graph.nodes[i].outputs)
      if (id) mark(*id);
    for (const ValueId id : m_flow.written[i])
      for (const ValueId other : m_sharing[m_flow.storages[id.index()]]) mark(other);
  }

  const ExportedGraph& m_graph;
  ValueFlow& m_flow;
  const std::vector<bool>& m_random;
  std::vector<bool> m_marked;
  std::vector<std::vector<std::size_t>> m_readers;
  std::vector<std::vector<ValueId>> m_sharing;
  std::vector<bool> m_written_storage;
  std::vector<ValueId> m_open;
};

bool isSize(const ExportedGraph& graph, const ExportedNode& node) {
  return !node.outputs.empty() && std::ranges::all_of(node.outputs, [&](const auto& id) {
    return id && graph.value(*id).kind == ExportedValue::Kind::Int && graph.value(*id).size;
  });
}

}  // namespace

ValueFlow valueFlowOf(const ExportedGraph& graph) {
  Memory memory = memoryOf(graph);
  ValueFlow flow;
  flow.makers.assign(graph.values.size(), ValueFlow::kInput);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const ExportedNode& node = graph.nodes[i];
    flow.roles.push_back(isSize(graph, node) ? NodeRole::Size : isCheck(node) ? NodeRole::Check : NodeRole::Repeated);
    for (const auto& id : node.outputs)
      if (id) flow.makers[id->index()] = static_cast<int>(i);
  }
  for (std::size_t v = 0; v < graph.values.size(); ++v) flow.storages.push_back(memory.storages.of(ValueId(v)));
  flow.written = std::move(memory.written);
  Dependence(graph, flow, memory.random).spread();
  flow.crosses.resize(graph.values.size());
  for (std::size_t v = 0; v < graph.values.size(); ++v) {
    const int maker = flow.makers[v];
    flow.crosses[v] = maker != ValueFlow::kInput && flow.roles[static_cast<std::size_t>(maker)] == NodeRole::Block;
  }
  for (const ExportedInput& input : graph.inputs)
    if (input.kind == ExportedInput::Kind::User) flow.crosses[input.value.index()] = true;
  return flow;
}

}  // namespace lanelab
