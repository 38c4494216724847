// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/python_operators.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "engine/exported/operator_traits.h"

namespace lanelab {
namespace {

/// The operators of libtorch, and functions of Python that torch.export uses for numbers.
constexpr std::array<std::string_view, 6> kNamespaces = {"aten.",     "prims.", "_operator.",
                                                         "builtins.", "math.",  "torch."};
constexpr std::string_view kRunHere = "higher_order.wrap_with_set_grad_enabled";  ///< the one of a nested graph

bool isOfPythonOnly(const std::string& target) {
  return target != kRunHere &&
         std::ranges::none_of(kNamespaces, [&](std::string_view begin) { return target.starts_with(begin); });
}

std::string placeOf(const ExportedNode& node) {
  const std::string module = node.module();
  return (module.empty() ? std::string() : " of module " + module) +
         (node.source.empty() ? std::string() : " (" + node.source + ")");
}

}  // namespace

Status refusePythonOperators(const ExportedGraph& graph) {
  for (const ExportedNode& node : graph.nodes) {
    if (isOfPythonOnly(node.target))
      return Error::badInput(
          "{}{}: this operator exists in Python only, and LaneLab runs PyTorch's own. Write a factory whose network "
          "does without it.",
          node.target, placeOf(node));
    if (const ExportedGraph* const nested = nestedGraph(node); nested != nullptr) {
      if (Status fit = refusePythonOperators(*nested); !fit.ok()) return fit;
    }
  }
  return {};
}

}  // namespace lanelab
