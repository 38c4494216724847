// SPDX-License-Identifier: GPL-3.0-only
// What would make a variant of a run faster, as the command line tells it.
#pragma once

#include <string>

#include "engine/advise/suggestions.h"

namespace lanelab {

/// "suggestions": [ { "text", "predicted_ratio", "change": { the variant's keys that change } } ], the best first.
std::string suggestionsMember(const Experiment& experiment, const Suggestions& suggestions);

/// The experiment with the best suggestion beside the variant that it suggestions, as a file that `run` takes. BadInput
/// where FILE is there already, Failed where nothing is worth it.
Status writeSuggested(const Experiment& experiment, const Suggestions& suggestions, const std::string& path);

}  // namespace lanelab
