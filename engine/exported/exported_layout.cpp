// SPDX-License-Identifier: GPL-3.0-only
#include "engine/exported/exported_layout.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "engine/exported/operators/operator_traits.h"

namespace lanelab {
namespace {

/// Views whose result is a copy where the strides of what they read do not allow a view.
constexpr std::array<std::string_view, 9> kCopySometimes = {
    "_unsafe_view", "contiguous", "flatten", "ravel", "reshape", "reshape_as", "unflatten", "view", "view_as"};

/// What happens to one memory.
struct ViewedMemory {
  bool written = false, may_be_copied = false, strided = false;
};

}  // namespace

std::set<ValueId> valuesInExportedLayout(const ExportedGraph& graph, const ValueFlow& flow) {
  std::vector<ViewedMemory> uses(graph.values.size());
  const auto use_of = [&](ValueId id) -> ViewedMemory& { return uses[flow.storages[id.index()]]; };
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const ExportedNode& node = graph.nodes[i];
    const std::string_view name = operatorName(node.target);
    // A nested graph may view what it is given in any way.
    const bool may_copy =
        std::ranges::find(kCopySometimes, name) != kCopySometimes.end() || nestedGraph(node) != nullptr;
    for (const ValueId id : valuesRead(node)) {
      use_of(id).may_be_copied |= may_copy;
      use_of(id).strided |= name == "as_strided";
    }
    for (const ValueId id : flow.written[i]) use_of(id).written = true;
  }
  std::vector<bool> seen(graph.values.size());
  for (const ExportedInput& input : graph.inputs)
    if (input.kind != ExportedInput::Kind::User) seen[flow.storages[input.value.index()]] = true;
  std::set<ValueId> first;
  for (std::size_t v = 0; v < graph.values.size(); ++v) {
    const ValueId id(v);
    const std::size_t storage = flow.storages[v];
    if (graph.values[v].kind != ExportedValue::Kind::Tensor || seen[storage]) continue;
    seen[storage] = true;
    const ViewedMemory& use = uses[storage];
    if (use.strided || (use.written && use.may_be_copied)) first.insert(id);
  }
  return first;
}

}  // namespace lanelab
