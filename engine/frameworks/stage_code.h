// SPDX-License-Identifier: GPL-3.0-only
// The network of a plan as a Python module: a torch.nn.Module for each stage, call by call, with the parameters named
// as in the network. It needs torch alone. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "engine/exported/exported_network.h"
#include "engine/placement/placement.h"

namespace lanelab {

/// network.py: the classes Stage0, Stage1, ..., the list STAGES of them, and CUTS: what goes into each stage, and out
/// of the last, as functions of the rows of a micro-batch. Errors (BadInput): see callLines().
Result<std::string> networkModule(const ExportedNetwork& network, const std::vector<Stage>& stages);

/// Of each stage that reads it, the name of each parameter that blocks of several stages read, ascending by stage.
struct TiedParameter {
  std::string name;
  std::vector<int> stages;
};
std::vector<TiedParameter> tiedParameters(const ExportedNetwork& network, const std::vector<Stage>& stages);

}  // namespace lanelab
