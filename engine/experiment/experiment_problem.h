// SPDX-License-Identifier: GPL-3.0-only
// What is wrong with an experiment: the place and a sentence. Plain value.
#pragma once

#include <string>

#include "base/result.h"

namespace lanelab {

/// A problem of an experiment, for a form that wants them all: where ("variants[2].split_size") and a sentence.
struct ExperimentProblem {
  std::string where;
  std::string message;
};

/// BadInput, as the command line prints it: "data.batch: The batch must be ...".
inline Error errorOf(const ExperimentProblem& problem) {
  return Error::badInput(problem.where + ": " + problem.message);
}

}  // namespace lanelab
