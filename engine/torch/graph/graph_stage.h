// SPDX-License-Identifier: GPL-3.0-only
// A stage of an exported network: the calls of some of its blocks, on the values that the stage before sends.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "engine/exported/exported_network.h"
#include "engine/torch/graph/graph_norm.h"
#include "engine/torch/graph/graph_program.h"
#include "engine/torch/graph/stage_tensors.h"
#include "engine/torch/nn/stage_module.h"

namespace lanelab {

/// Made anywhere, used on its lane's thread. The first forward fixes device and compute type, by the values it is
/// given. In bf16, calls that need one type for all that they read are given bf16, or fp32 where PyTorch's autocast
/// keeps to it: graphs have the casts of an fp32 network.
class GraphStage final : public StageModule {
 public:
  /// Throws std::runtime_error with a sentence where a call cannot be run.
  GraphStage(std::shared_ptr<const ExportedNetwork> network, BlockId first, BlockId end, const TensorMap& constants,
             GraphUse use = GraphUse::Training, OperationChoice instead = {});

  TensorList forward(const TensorList& inputs, bool training, BlockListener* listener) override;
  bool differentiable(std::size_t input) const override;
  const std::vector<TensorSlot>& slots() const override { return m_tensors.slots(); }
  void beginMicroBatch(std::uint64_t seed) override { m_seed = seed; }
  void follow(Rules rules) override;
  void setStatistics(NormStatistics statistics) override;
  void commitStatistics() override;
  void forgetStatistics() override;

 private:
  void build(const CallTarget& target);
  GraphOperation operationOf(std::size_t node, const OperationOptions& options);
  GraphOperation ownOperationOf(std::size_t node);
  GraphOperation normOf(const NormChain& chain);
  GraphOperation weightedOperationOf(std::size_t node);
  GraphOperation lookUp(const ExportedNode& node) const;
  NodesTogether joinCalls();
  bool canBeJoined(const std::vector<std::size_t>& nodes, std::optional<std::size_t> place = {}) const;
  bool isRemade(ValueId value) const;
  std::vector<ValueId> laidOutResults(const ExportedNode& node) const;
  std::int64_t batchOf(const TensorList& inputs) const;
  void putReceived(GraphFrame& frame, const TensorList& inputs, std::int64_t batch) const;
  void runBlocks(GraphFrame& frame, const GraphPass& pass, BlockListener* listener);
  TensorList madeBy(BlockId block, GraphFrame& frame) const;

  const std::shared_ptr<const ExportedNetwork> m_network;
  const StageGraph m_stage;
  const GraphUse m_use;
  const OperationChoice m_instead;
  const std::set<ValueId> m_laid_out;  ///< values whose memory must be as in the file
  StageTensors m_tensors;
  std::vector<std::size_t> m_nodes;                ///< that are run
  std::vector<std::optional<BlockId>> m_block_of;  ///< of each node of the graph
  std::vector<bool> m_changed;                     ///< of each received value: whether a call writes to its memory
  std::set<ValueId> m_read_again;                  ///< parameters of several calls of the stage
  std::optional<GraphProgram> m_program;
  std::optional<CallTarget> m_target;
  std::vector<NormLayer*> m_norms;  ///< of the program
  NormStatistics m_statistics = NormStatistics::MoveEachTime;
  std::set<std::int64_t> m_held_batches;  ///< for which sizes were held against the file
  std::uint64_t m_seed = 0;
  Rules m_rules = {Rule::FoldedLinear};                      ///< to follow
  Rules m_followed;                                          ///< those on the present target
  std::map<std::size_t, const NormChain*> m_chains;          ///< of the program, by their last place
  std::map<std::size_t, const JoinedCalls*> m_joined;        ///< of the program, by their place
  std::map<std::size_t, const SelfAttention*> m_attentions;  ///< of the program, by the places of their parts
};

/// Makes stages of this network; `constants` by name, on the host. `instead`: what is done for some calls in their
/// place, with results of any size.
StageModuleFactory graphStages(std::shared_ptr<const ExportedNetwork> network, TensorMap constants, GraphUse use,
                               OperationChoice instead = {});

}  // namespace lanelab
