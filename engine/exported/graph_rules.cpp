// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/graph_rules.h"

#include "base/text.h"
#include "engine/exported/operators/operator_macs.h"
#include "engine/exported/operators/operator_traits.h"
#include "engine/exported/saved_tensors.h"

namespace lanelab {
namespace {

/// Results of a norm with a ReLU that nobody but convolutions and poolings of their block keep. A call that keeps a
/// view of one, or writes to it, has the memory itself.
class RemadeFinder {
 public:
  RemadeFinder(const ExportedGraph& graph, const ExportedBlocks& blocks, const TensorMemory& memory,
               const GraphRules& rules)
      : m_graph(graph), m_memory(memory), m_rules(rules), m_block_of(blockOfNodes(graph, blocks)) {
    for (const NormChain& chain : rules.norms) {
      if (chain.kind != NormActivation::Relu || chain.sum) continue;
      const ValueId made = *graph.nodes[chain.last()].outputs.front();
      m_candidates.emplace(baseOf(made), Candidate{made, m_block_of[chain.last()]});
      m_in_chain.insert({chain.norm, chain.last()});
    }
  }

  std::set<ValueId> find(const ValueFlow& flow, const SampleSizes& sizes) {
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
      if (m_in_chain.contains(i)) continue;
      for (const ValueId value : valuesRead(m_graph.nodes[i])) addReader(value, i);
      for (const ValueId value : savedBy(m_graph, m_graph.nodes[i], sizes, m_memory).values) addKeeper(value, i);
      for (const ValueId value : flow.written[i]) exclude(value);
    }
    for (const ValueId value : m_graph.outputs) exclude(value);
    std::set<ValueId> remade;
    for (const auto& [base, candidate] : m_candidates)
      if (candidate.kept && candidate.fits) remade.insert(candidate.made);
    return remade;
  }

 private:
  struct Candidate {
    ValueId made;
    std::optional<BlockId> block;
    bool kept = false, fits = true;
  };

  ValueId baseOf(ValueId value) const { return m_memory.bases[value.index()]; }

  Candidate* candidateOf(ValueId value) {
    const auto found = m_candidates.find(baseOf(value));
    return found == m_candidates.end() ? nullptr : &found->second;
  }

  void exclude(ValueId value) {
    if (Candidate* const candidate = candidateOf(value)) candidate->fits = false;
  }

  void addReader(ValueId value, std::size_t node) {
    Candidate* const candidate = candidateOf(value);
    if (candidate && candidate->block != m_block_of[node]) candidate->fits = false;
  }

  void addKeeper(ValueId value, std::size_t node) {
    Candidate* const candidate = candidateOf(value);
    if (!candidate) return;
    candidate->kept = true;
    if (value != candidate->made || !canRemake(node)) candidate->fits = false;
  }

  bool canRemake(std::size_t node) const {
    const auto weighted = m_rules.weighted.find(node);
    const bool convolves =
        weighted != m_rules.weighted.end() && weighted->second.kind == WeightedCall::Kind::Convolution;
    return convolves || isMaxPool(m_graph.nodes[node]);
  }

  const ExportedGraph& m_graph;
  const TensorMemory& m_memory;
  const GraphRules& m_rules;
  std::vector<std::optional<BlockId>> m_block_of;
  std::map<ValueId, Candidate> m_candidates;  ///< by the memory of the result
  std::set<std::size_t> m_in_chain;
};

AppliedRule applied(Rule rule, const ExportedGraph& graph, const std::string& block,
                    const std::vector<std::size_t>& nodes) {
  AppliedRule found{rule, block, {}, {}};
  std::vector<std::string> calls;
  for (const std::size_t i : nodes) {
    calls.emplace_back(operatorName(graph.nodes[i].target));
    if (const std::string module = graph.nodes[i].module(); found.modules.empty() || found.modules.back() != module)
      found.modules.push_back(module);
  }
  found.calls = joined(calls, ", ");
  return found;
}

// An estimate for all machines: reading and writing a number (8 bytes) takes as long as this many MACs. By the figures
// of lanelab-bench machine it is 55 on one core of a Xeon with AVX-512 (15.6 GB/s, 107 GMAC/s), and 32 with AVX2 alone.
constexpr double kMacsOfPass = 40;
// Counted from the fused kernel: it reads its input for the statistics, then reads it and writes another tensor.
constexpr double kNormPasses = 1.5;

}  // namespace

GraphRules graphRulesOf(const ExportedGraph& graph, const ExportedBlocks& blocks, const SampleSizes& sizes,
                        const TensorMemory& memory) {
  GraphRules rules;
  rules.norms = normChainsOf(graph, blocks);
  rules.attentions = selfAttentionsOf(graph, blocks);
  std::erase_if(rules.attentions, [&](const SelfAttention& found) { return !memory.gradient[found.packed.index()]; });
  rules.joined = joinedCallsOf(graph, blocks);
  std::erase_if(rules.joined, [&](const JoinedCalls& calls) {
    const auto follows = [&](std::size_t i) -> bool { return memory.gradient[calls.reads[i].index()]; };
    const bool tables_learn = calls.rule == Rule::RotaryEmbedding && (follows(1) || follows(2));
    return !follows(0) || tables_learn;
  });
  const std::vector<bool> parameters = parametersOf(graph);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const std::optional<WeightedCall> call = weightedCallOf(graph.nodes[i], parameters);
    if (!call) continue;
    rules.weighted.emplace(i, *call);
    if (const auto geometry = productGeometry(*call, graph, sizes)) rules.products.emplace(i, *geometry);
  }
  rules.remade = RemadeFinder(graph, blocks, memory, rules).find(blocks.flow, sizes);
  return rules;
}

std::vector<AppliedRule> appliedRules(const ExportedGraph& graph, const ExportedBlocks& blocks,
                                      const GraphRules& rules) {
  std::vector<std::string> block_of(graph.nodes.size());
  for (const ExportedBlock& block : blocks.blocks)
    for (const std::size_t i : block.nodes) block_of[i] = block.name;
  std::vector<AppliedRule> all;
  const auto add = [&](Rule rule, const std::vector<std::size_t>& nodes) {
    all.push_back(applied(rule, graph, block_of[nodes.back()], nodes));
  };
  for (const NormChain& chain : rules.norms) add(Rule::FusedNorm, chain.nodes());
  for (const SelfAttention& attention : rules.attentions) add(Rule::SelfAttention, attention.nodes());
  for (const RuleText& text : kRules)
    for (const JoinedCalls& joined : rules.joined)
      if (joined.rule == text.rule) add(joined.rule, joined.nodes);
  for (const auto& [node, geometry] : rules.products) add(Rule::ConvolutionProduct, {node});
  for (const NormChain& chain : rules.norms)
    if (rules.remade.contains(*graph.nodes[chain.last()].outputs.front())) add(Rule::RemadeActivation, chain.nodes());
  for (const auto& [node, call] : rules.weighted) add(Rule::SplitBackward, {node});
  for (const auto& [node, call] : rules.weighted)
    if (call.kind == WeightedCall::Kind::Linear) add(Rule::FoldedLinear, {node});
  return all;
}

std::vector<double> remadeShares(const ExportedGraph& graph, const std::vector<ExportedBlock>& blocks,
                                 const GraphRules& rules, const SampleSizes& sizes) {
  std::map<std::size_t, const NormChain*> chain_of;  // by the norm's node
  for (const NormChain& chain : rules.norms) chain_of.emplace(chain.norm, &chain);
  std::vector<double> shares;
  for (const ExportedBlock& block : blocks) {
    double whole = 0, again = 0;  // in MACs
    for (const std::size_t i : block.nodes) {
      whole += static_cast<double>(macsOf(graph, graph.nodes[i], sizes));
      const auto chain = chain_of.find(i);
      if (chain == chain_of.end()) continue;
      const ValueId made = *graph.nodes[chain->second->last()].outputs.front();
      const double pass = kMacsOfPass * static_cast<double>(sizes.elements(made));
      whole += kNormPasses * pass;
      if (rules.remade.contains(made)) again += pass;
    }
    shares.push_back(whole > 0 ? again / whole : 0);
  }
  return shares;
}

bool isMaxPool(const ExportedNode& node) { return node.target == "aten.max_pool2d.default"; }

}  // namespace lanelab
