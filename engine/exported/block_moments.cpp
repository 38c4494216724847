// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/block_moments.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "engine/exported/saved_tensors.h"
#include "engine/exported/weight_ties.h"

namespace lanelab {
namespace {

/// Whether `a` is at least as high as `b` for any samples, in a first and in a later backward, at a cut or not.
bool covers(const MemoryMoment& a, const MemoryMoment& b) {
  return a.sample_bytes >= b.sample_bytes && a.sample_bytes - a.received_bytes >= b.sample_bytes - b.received_bytes &&
         a.fixed_bytes >= b.fixed_bytes && a.fixed_bytes + a.landed_bytes >= b.fixed_bytes + b.landed_bytes;
}

void addMoment(std::vector<MemoryMoment>& to, const MemoryMoment& moment) {
  if (std::ranges::any_of(to, [&](const MemoryMoment& other) { return covers(other, moment); })) return;
  std::erase_if(to, [&](const MemoryMoment& other) { return covers(moment, other); });
  to.push_back(moment);
}

/// What the calls save, by the memory that values share.
class Savings {
 public:
  Savings(const ExportedProgram& program, const ExportedBlocks& blocks, const SampleSizes& sizes,
          const TensorMemory& memory)
      : users(program.graph.values.size()),
        bases(program.graph.nodes.size()),
        made(program.graph.nodes.size()),
        kept(blocks.blocks.size()) {
    std::int64_t level = 0;
    for (std::size_t b = 0; b < blocks.blocks.size(); ++b) {
      for (const std::size_t i : blocks.blocks[b].nodes) {
        const SavedTensors saved = savedBy(program.graph, program.graph.nodes[i], sizes, memory);
        made[i] = saved.made_bytes;
        for (const ValueId id : saved.values)
          if (!memory.of_weight[id.index()]) bases[i].insert(memory.bases[id.index()]);
        level += made[i];
        for (const ValueId base : bases[i])
          if (users[base.index()]++ == 0) level += sizes.bytes(base);
      }
      kept[b] = level;
    }
  }

  std::vector<int> users;                ///< of each base: how many calls save it
  std::vector<std::set<ValueId>> bases;  ///< of each node
  std::vector<std::int64_t> made;        ///< of each node
  std::vector<std::int64_t> kept;        ///< up to each block
};

class MomentWalk {
 public:
  MomentWalk(const ExportedProgram& program, const ExportedBlocks& blocks, const SampleSizes& sizes,
             const TensorMemory& memory)
      : m_graph(program.graph),
        m_sizes(sizes),
        m_memory(memory),
        m_ties(weightTiesOf(program)),
        m_savings(program, blocks, sizes, memory),
        m_block_of(program.graph.nodes.size(), -1),
        m_moments(blocks.blocks.size()) {
    for (std::size_t b = 0; b < blocks.blocks.size(); ++b)
      for (const std::size_t i : blocks.blocks[b].nodes) m_block_of[i] = static_cast<int>(b);
    for (const ExportedInput& input : m_graph.inputs) m_of_input.insert(input.value);
  }

  std::vector<BlockMoments> walk() {
    forward(/*keeps=*/true);
    forward(/*keeps=*/false);
    backward();
    return std::move(m_moments);
  }

 private:
  /// Of each base, the last call that reads, writes or makes it.
  std::vector<std::vector<ValueId>> lastUses() const {
    std::vector<std::optional<std::size_t>> last(m_graph.values.size());
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
      for (const ValueId id : valuesRead(m_graph.nodes[i])) last[baseOf(id).index()] = i;
      for (const auto& id : m_graph.nodes[i].outputs)
        if (id) last[baseOf(*id).index()] = i;
    }
    for (const ValueId id : m_graph.outputs) last[baseOf(id).index()].reset();
    std::vector<std::vector<ValueId>> leaving(m_graph.nodes.size());
    for (std::size_t v = 0; v < last.size(); ++v)
      if (last[v]) leaving[*last[v]].emplace_back(v);
    return leaving;
  }

  void forward(bool keeps) {
    const std::vector<std::vector<ValueId>> leaving = lastUses();
    std::int64_t level = 0;
    std::set<ValueId> there;
    const ValueId user = userInput(m_graph).value;
    if (keeps && m_savings.users[user.index()] > 0) level += m_sizes.bytes(user);
    std::size_t block = 0;
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
      const ExportedNode& node = m_graph.nodes[i];
      if (m_block_of[i] >= 0) block = static_cast<std::size_t>(m_block_of[i]);
      for (const auto& id : node.outputs)
        if (id && isTensor(*id) && baseOf(*id) == *id && there.insert(*id).second) level += m_sizes.bytes(*id);
      if (keeps) level += m_savings.made[i];
      const PassingBytes passing = forwardPassing(m_graph, node, m_sizes);
      const std::int64_t besides = level + passing.sample + (keeps ? -m_savings.kept[block] : m_savings.made[i]);
      addMoment(keeps ? m_moments[block].forward : m_moments[block].passing, {besides, passing.fixed});
      for (const ValueId base : leaving[i])
        if (!(keeps && m_savings.users[base.index()] > 0) && there.erase(base) > 0) level -= m_sizes.bytes(base);
    }
  }

  /// Gradients of one or more values.
  struct Gradient {
    std::int64_t bytes = 0;
    int users = 0;
    std::size_t block = 0;  ///< that made it
  };

  void backward() {
    m_gradient_of.assign(m_graph.values.size(), -1);
    m_level = m_savings.kept.empty() ? 0 : m_savings.kept.back();
    m_users = m_savings.users;
    m_block = m_moments.empty() ? 0 : m_moments.size() - 1;
    const ValueId output = m_graph.outputs.front();
    m_gradient_of[output.index()] = make(m_sizes.bytes(output));
    for (std::size_t i = m_graph.nodes.size(); i-- > 0;) {
      if (m_block_of[i] >= 0 && static_cast<std::size_t>(m_block_of[i]) != m_block) enter(i);
      backwardOf(i);
    }
    leave();
  }

  /// What blocks behind this one made, and what it has not used.
  void leave() {
    if (m_moments.empty()) return;
    for (const int id : m_alive) {
      const Gradient& gradient = m_gradients[static_cast<std::size_t>(id)];
      if (gradient.block > m_block && gradient.bytes > 0)
        m_moments[m_block].skipping.push_back({BlockId(gradient.block), gradient.bytes});
    }
  }

  void enter(std::size_t node) {
    leave();
    m_block = static_cast<std::size_t>(m_block_of[node]);
    m_landed = 0;
    m_received = m_gradients_there;
  }

  void backwardOf(std::size_t i) {
    const ExportedNode& node = m_graph.nodes[i];
    std::vector<int> gradients;
    for (const auto& id : node.outputs)
      if (id && m_gradient_of[id->index()] >= 0) gradients.push_back(m_gradient_of[id->index()]);
    if (gradients.empty()) return;
    std::vector<std::pair<ValueId, int>> made;
    std::int64_t of_weights = 0, landed = 0;
    for (const ValueId id : valuesRead(node)) {
      if (!isTensor(id) || !m_memory.gradient[id.index()]) continue;
      const bool passes = passesGradient(m_graph, node, id, m_sizes, m_memory);
      if (m_memory.of_weight[id.index()]) {
        const std::int64_t bytes = passes ? 0 : bytesOfWeight(baseOf(id));
        of_weights += bytes;
        if (bytes > 0 && m_landed_ties.insert(tieOf(baseOf(id))).second) landed += bytes;
      } else if (passes) {
        made.emplace_back(id, gradients.front());
        ++m_gradients[static_cast<std::size_t>(gradients.front())].users;
      } else {
        made.emplace_back(id, make(m_sizes.bytes(id)));
      }
    }
    const PassingBytes passing = backwardPassing(m_graph, node, m_sizes, m_memory);
    mark(passing.sample, std::max(of_weights, passing.fixed));
    m_landed += landed;
    for (const int gradient : gradients) release(gradient);
    releaseSaved(i);
    for (const auto& [id, gradient] : made) deliver(id, gradient);
  }

  void releaseSaved(std::size_t i) {
    m_level -= m_savings.made[i];
    for (const ValueId base : m_savings.bases[i])
      if (--m_users[base.index()] == 0) m_level -= m_sizes.bytes(base);
  }

  void mark(std::int64_t sample, std::int64_t fixed) {
    addMoment(m_moments[m_block].backward,
              {m_level + m_gradients_there + sample - m_savings.kept[m_block], fixed, m_landed, m_received});
  }

  int make(std::int64_t bytes) {
    m_gradients.push_back({bytes, 1, m_block});
    m_gradients_there += bytes;
    const int id = static_cast<int>(m_gradients.size()) - 1;
    m_alive.insert(id);
    return id;
  }

  void release(int gradient) {
    Gradient& released = m_gradients[static_cast<std::size_t>(gradient)];
    if (--released.users > 0) return;
    m_alive.erase(gradient);
    m_gradients_there -= released.bytes;
    if (released.block > m_block) m_received -= released.bytes;
  }

  /// Two gradients of one value are added in place if nobody else has the first.
  void deliver(ValueId id, int gradient) {
    int& there = m_gradient_of[id.index()];
    if (there < 0) {
      there = gradient;
      return;
    }
    if (m_gradients[static_cast<std::size_t>(there)].users > 1) {
      const int sum = make(m_sizes.bytes(id));
      mark(0, 0);
      release(there);
      there = sum;
    }
    release(gradient);
  }

  bool isTensor(ValueId id) const { return m_graph.value(id).kind == ExportedValue::Kind::Tensor; }
  ValueId baseOf(ValueId id) const { return m_memory.bases[id.index()]; }
  int tieOf(ValueId id) const {
    const auto tie = m_ties.find(id);
    return tie == m_ties.end() ? -1 : tie->second;
  }
  std::int64_t bytesOfWeight(ValueId id) const {
    return m_of_input.contains(id) ? numbersOf(m_sizes.wholeShape(id)) * bytesOf(m_graph.value(id).type) : 0;
  }

  const ExportedGraph& m_graph;
  const SampleSizes& m_sizes;
  const TensorMemory& m_memory;
  const std::map<ValueId, int> m_ties;
  const Savings m_savings;
  std::vector<int> m_block_of;  ///< -1: of none
  std::set<ValueId> m_of_input;
  std::vector<BlockMoments> m_moments;

  std::vector<Gradient> m_gradients;
  std::vector<int> m_gradient_of;  ///< of each value; -1: none yet
  std::vector<int> m_users;        ///< of each base: calls whose backward still needs it
  std::set<int> m_alive;           ///< gradients
  std::set<int> m_landed_ties;
  std::int64_t m_level = 0, m_gradients_there = 0, m_received = 0, m_landed = 0;
  std::size_t m_block = 0;
};

}  // namespace

std::vector<BlockMoments> momentsOf(const ExportedProgram& program, const ExportedBlocks& blocks,
                                    const SampleSizes& sizes, const TensorMemory& memory) {
  return MomentWalk(program, blocks, sizes, memory).walk();
}

}  // namespace lanelab
