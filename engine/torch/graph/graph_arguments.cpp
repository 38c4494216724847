// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/graph_arguments.h"

#include <stdexcept>

namespace lanelab {

void refuseCall(const ExportedNode& node, const std::string& why) {
  std::string text = node.target;
  if (const std::string module = node.module(); !module.empty()) text += " of module " + module;
  if (!node.source.empty()) text += " (" + node.source + ")";
  throw std::runtime_error(text + ": " + why);
}

ValueId requiredValue(const ExportedNode& node, const std::string& name) {
  const std::optional<ValueId> value = valueOr(node, name);
  if (!value) refuseCall(node, "the file lacks its argument \"" + name + "\"");
  return *value;
}

double requiredNumber(const ExportedNode& node, const std::string& name) {
  const std::optional<double> number = numberOr(node, name);
  if (!number) refuseCall(node, "the file lacks its argument \"" + name + "\"");
  return *number;
}

}  // namespace lanelab
