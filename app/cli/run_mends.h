// What would make a variant of a run faster, as the command line tells it.
#pragma once

#include <string>

#include "engine/advise/mends.h"

namespace lanelab {

/// "mends": [ { "text", "predicted_ratio", "change": { the variant's keys that change } } ], the best first.
std::string mendsMember(const Experiment& experiment, const Mends& mends);

/// The experiment with the best mend beside the variant that it mends, as a file that `run` takes. BadInput where FILE is there already, Failed where
/// nothing is worth it.
Status writeMended(const Experiment& experiment, const Mends& mends, const std::string& path);

}  // namespace lanelab
