// SPDX-License-Identifier: GPL-3.0-only
// MODEL [--classes N] and what is taken when a command leaves shape and classes open.
#pragma once

#include <optional>
#include <string>

#include "app/cli/command.h"
#include "engine/model/model_spec.h"

namespace lanelab {

struct ModelChoice {
  std::string arch;
  std::optional<int> classes;  ///< default: 1000; 5 for toy, 2 for linear
  std::string input;           ///< default: 3x128x128; 10 for toy, 5 for linear
};

/// The positional MODEL and --classes.
void addModelOptions(const Command& command, ModelChoice& choice);

/// BadInput names the option and the fix.
Result<ModelSpec> describeChoice(const ModelChoice& choice);

}  // namespace lanelab
