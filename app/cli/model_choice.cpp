// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/model_choice.h"

#include "base/text.h"

namespace lanelab {

void addModelOptions(const Command& command, ModelChoice& choice) {
  command.option("MODEL", choice.arch, joinOr(knownArchitectures())).required();
  command.option("--classes", choice.classes, "Outputs of the last layer (default: 1000; 5 for toy, 2 for linear)");
}

Result<ModelSpec> describeChoice(const ModelChoice& choice) {
  const bool toy = choice.arch == "toy", linear = choice.arch == "linear";
  const std::string input = !choice.input.empty() ? choice.input : toy ? "10" : linear ? "5" : "3x128x128";
  const Shape shape = parseShape(input);
  if (shape.empty())
    return Error::badInput("--input is \"" + input +
                           "\", which is no shape: write sizes joined by x, such as 3x128x128.");
  return describeModel(choice.arch, choice.classes.value_or(toy ? 5 : linear ? 2 : 1000), shape);
}

}  // namespace lanelab
