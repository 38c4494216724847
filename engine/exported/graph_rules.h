// SPDX-License-Identifier: GPL-3.0-only
// Where the rules of engine/model/rules.h apply in a graph, found once for everybody who follows them. Pure function,
// linear in the graph.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/exported/exported_blocks.h"
#include "engine/exported/joined_calls.h"
#include "engine/exported/norm_chains.h"
#include "engine/exported/operators/sample_sizes.h"
#include "engine/exported/operators/weighted_calls.h"
#include "engine/exported/self_attention.h"
#include "engine/exported/tensor_memory.h"
#include "engine/model/rules.h"

namespace lanelab {

struct GraphRules {
  std::vector<NormChain> norms;                  ///< Rule::FusedNorm, by place
  std::vector<SelfAttention> attentions;         ///< Rule::SelfAttention
  std::vector<JoinedCalls> joined;               ///< FusedRmsNorm, GatedProduct, RotaryEmbedding, TanhGelu, JoinedParts
  std::map<std::size_t, WeightedCall> weighted;  ///< Rule::SplitBackward, and FoldedLinear of those that are linear
  std::map<std::size_t, ConvGeometry> products;  ///< Rule::ConvolutionProduct, of one sample
  std::set<ValueId> remade;                      ///< Rule::RemadeActivation: results of chains of a norm and a ReLU
};

/// A pooling whose backward reads indices, and of its input only the shape.
bool isMaxPool(const ExportedNode& node);

GraphRules graphRulesOf(const ExportedGraph& graph, const ExportedBlocks& blocks, const SampleSizes& sizes,
                        const TensorMemory& memory);

/// A rule at one place, for readers.
struct AppliedRule {
  Rule rule = Rule::FusedNorm;
  std::string block;                 ///< that has it
  std::vector<std::string> modules;  ///< whose calls it takes, in order
  std::string calls;                 ///< "batch_norm, add, relu"
};

/// By rule, then by place.
std::vector<AppliedRule> appliedRules(const ExportedGraph& graph, const ExportedBlocks& blocks,
                                      const GraphRules& rules);

/// By block, the part of its forward that making its activations again takes, 0 to 1, for a sample: an estimate, where
/// going over a number in memory counts as a fixed number of MACs.
///
/// Activations that directly follow a batch norm need not be stored for the backward, because they can be made again,
/// bit for bit, from the norm's input, which is stored anyway. Idea: InPlace-ABN (Rota Bulo et al. 2018,
/// mapillary/inplace_abn), which inverts the activation instead and so needs one that is invertible; a ReLU is not.
std::vector<double> remadeShares(const ExportedGraph& graph, const std::vector<ExportedBlock>& blocks,
                                 const GraphRules& rules, const SampleSizes& sizes);

}  // namespace lanelab
