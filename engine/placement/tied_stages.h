// SPDX-License-Identifier: GPL-3.0-only
// Which stages use one and the same parameter. Pure function.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/model/model_spec.h"
#include "engine/placement/placement.h"

namespace lanelab {

/// Stages that use a parameter, by its name, ascending; only trained parameters of several stages.
using TiedStages = std::map<std::string, std::vector<StageId>>;
TiedStages tiedStages(const ModelSpec& model, const std::vector<Stage>& stages);

}  // namespace lanelab
