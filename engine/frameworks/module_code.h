// SPDX-License-Identifier: GPL-3.0-only
// Which calls of an exported graph are those of a torch.nn module, such as nn.Conv2d, whose parameters are named after
// it. Pure; any thread.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/exported/graph/exported_graph.h"

namespace lanelab {

struct ModuleCode {
  std::string path;         ///< "layer1.0.conv1"
  std::string constructor;  ///< "nn.Conv2d(64, 64, kernel_size=[3, 3], padding=[1, 1], bias=False)"
};

struct ModuleCalls {
  std::map<std::size_t, ModuleCode> modules;  ///< by the node that is their call
  std::set<std::size_t> counted;              ///< nodes that a batch norm does itself: its count of batches
  std::set<std::string> tensors;              ///< names of parameters and buffers that the modules have
};

/// Of these nodes of a program. `held`: the name of each weight, which modules are found by. A module is one only if
/// nothing else reads its weights.
ModuleCalls moduleCallsOf(const ExportedProgram& program, const std::vector<std::size_t>& nodes,
                          const std::map<ValueId, std::string>& held);

}  // namespace lanelab
