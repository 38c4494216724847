// SPDX-License-Identifier: GPL-3.0-only
// An exported network as ModelSpec, computed without running it: what plans, forecasts and the board need. Pure
// function, linear in the graph.
#pragma once

#include <string>
#include <vector>

#include "engine/exported/exported_blocks.h"
#include "engine/exported/graph_rules.h"
#include "engine/model/model_spec.h"

namespace lanelab {

struct DescribedModel {
  ModelSpec model;
  std::vector<std::string> notes;  ///< sentences for readers: of the blocks, tied parameters, operators without a rule
  GraphRules rules = {};
};

/// Of ModelSpec: `arch` is "exported"; `vocabulary` the rows of the smallest embedding that reads the input, 2 where
/// none does; `classes` the size of the output's class dimension (behind the batch, or the last of a sequence). A
/// parameter counts in the first block that reads it, tied ones once. Layers are modules that call no others. Bytes a
/// sample are those that one more sample in the batch adds.
DescribedModel describeExported(const ExportedProgram& program, const ExportedBlocks& blocks);

}  // namespace lanelab
