// SPDX-License-Identifier: GPL-3.0-only
// What the rows of an experiment's fields say to editors and people. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace lanelab {

/// The JSON Schema (2020-12) of experiment files: resources/schema/experiment.schema.json, as `lanelab-cli schema`
/// prints it.
std::string experimentSchema();

/// What the value at a place is for, such as "training.lr_warmup" or "variants[2].warm_up"; empty where nothing is
/// said.
std::string fieldDescription(std::string_view place);

}  // namespace lanelab
