// SPDX-License-Identifier: GPL-3.0-only
// The blocks into which an exported network is cut, what crosses each cut, and the calls of a stage. Pure functions,
// linear in the graph.
//
// A block is a run of calls of one module. Calls of a module around it (a residual sum, flatten) belong to the block
// before them. What depends on no parameter, no data and no chance (masks, rotary tables) belongs to no block: each
// stage computes what it needs of it. Integers that follow from the batch are no calls of a stage at all.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "engine/exported/exported_block_choice.h"
#include "engine/exported/graph/exported_graph.h"
#include "engine/exported/value_flow.h"

namespace lanelab {

struct ExportedBlock {
  std::string name;                ///< path of its module; "NAME@1" for the second run of calls of the same module
  std::string type;                ///< class of the module
  std::string group;               ///< the part of its path that tells parts of the network apart: "layer1", "encoder"
  std::vector<std::size_t> nodes;  ///< in order
};

struct ExportedBlocks {
  std::vector<ExportedBlock> blocks;
  /// What crosses before block i, in the order in which it is made; the last are the outputs of the graph. One more
  /// than blocks.
  std::vector<std::vector<ValueId>> crossing;
  std::vector<std::string> notes;  ///< sentences for readers: blocks that cannot be apart, and why
  ValueFlow flow;
};

/// Errors (BadInput) say the reason and what to do, without the file's name: an unknown module (names the nearest), a
/// depth below 1, a number that is computed from sizes in a way that is not known.
Result<ExportedBlocks> blocksOf(const ExportedProgram& program, const ExportedBlockChoice& choice = {});

/// By node; none for those outside of all blocks.
std::vector<std::optional<BlockId>> blockOfNodes(const ExportedGraph& graph, const ExportedBlocks& blocks);

struct StageNode {
  std::size_t node = 0;            ///< place in ExportedGraph::nodes
  std::optional<BlockId> block{};  ///< none: computed in each stage that needs it
};

/// What a stage runs: calls in order, each value made before it is used.
struct StageGraph {
  std::vector<StageNode> nodes;
  std::vector<ValueId> received;  ///< from the stage before; for the first, the user's tensor
  std::vector<ValueId> sent;      ///< to the next stage; for the last, the outputs of the graph
  std::vector<ValueId> sizes;     ///< integers that it uses: ExportedValue::size at the batch
  std::vector<std::size_t>
      weights;                    ///< parameters, buffers and constants that it uses: places in ExportedGraph::inputs
  std::vector<std::string> tied;  ///< parameters that blocks outside of it use, too, by this or another name
};

/// StageGraph::weights of a stage of this block alone, without the rest of it.
std::vector<std::size_t> weightsOfBlock(const ExportedGraph& graph, const ExportedBlocks& blocks, BlockId block);

/// Blocks first to end - 1; not empty. Throws std::out_of_range if there are fewer blocks.
StageGraph stageOf(const ExportedProgram& program, const ExportedBlocks& blocks, BlockId first, BlockId end);

}  // namespace lanelab
