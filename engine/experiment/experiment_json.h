// SPDX-License-Identifier: GPL-3.0-only
// The experiment's JSON form, for the files that hold one: experiment files and run.json.
#pragma once

#include "base/json_fields.h"
#include "engine/experiment/experiment.h"

namespace lanelab {

/// `path` is where the object stands in its file ("" or "experiment").
Experiment experimentFromJson(FieldErrors& errors, const Json& value, const std::string& path);
Json experimentToJson(const Experiment& experiment);

}  // namespace lanelab
