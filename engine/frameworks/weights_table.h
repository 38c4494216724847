// SPDX-License-Identifier: GPL-3.0-only
// Where the initial weights of a network come from, as resources/frameworks/weights.py reads it. Pure; any thread.
#pragma once

#include <map>
#include <string>

#include "engine/experiment/experiment.h"
#include "engine/exported/exported_network.h"

namespace lanelab {

struct WeightsTable {
  std::string json;                           ///< weights.json
  std::map<std::string, std::string> copies;  ///< name beside it -> file to copy
};

WeightsTable weightsTable(const ExportedNetwork& network, const ModelConfig& model);

}  // namespace lanelab
