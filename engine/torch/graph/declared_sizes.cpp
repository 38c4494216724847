// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/graph/declared_sizes.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "engine/torch/graph/graph_arguments.h"

namespace lanelab {

namespace {

/// Nothing where a size does not exist for this batch.
std::optional<std::vector<std::int64_t>> sizesAt(const ExportedValue& value, const SymbolValues& symbols) {
  std::vector<std::int64_t> sizes;
  for (const SizeExpression& size : value.sizes) {
    const std::optional<std::int64_t> one = size.evaluate(symbols);
    if (!one || *one < 0) return std::nullopt;
    sizes.push_back(*one);
  }
  return sizes;
}

std::string shapeText(at::IntArrayRef sizes) { return sizes.empty() ? "a number" : formatShape(sizes.vec()); }

}  // namespace

DeclaredSizes::DeclaredSizes(const ExportedGraph& graph, std::string batch_symbol)
    : m_graph(graph), m_batch_symbol(std::move(batch_symbol)), m_read(graph.values.size()) {
  for (const ExportedNode& node : graph.nodes)
    for (const ValueId id : valuesRead(node)) m_read[id.index()] = true;
  for (const ValueId id : graph.outputs) m_read[id.index()] = true;
}

void DeclaredSizes::hold(const ExportedNode& node, GraphFrame& frame, std::int64_t batch) const {
  const SymbolValues symbols{{m_batch_symbol, batch}};
  for (const auto& id : node.outputs) {
    if (!id || !m_read[id->index()] || !frame[*id].isTensor() || !frame[*id].toTensor().defined()) continue;
    const at::IntArrayRef made = frame[*id].toTensor().sizes();
    const auto declared = sizesAt(m_graph.value(*id), symbols);
    if (!declared || made == at::IntArrayRef(*declared)) continue;
    refuseCall(node, "it makes " + shapeText(made) + ", and the file declares " + shapeText(*declared) +
                         ". Export the network again");
  }
}

std::int64_t DeclaredSizes::largestBytes(std::int64_t batch) const {
  const SymbolValues symbols{{m_batch_symbol, batch}};
  std::int64_t largest = 0;
  for (const ExportedValue& value : m_graph.values) {
    std::int64_t bytes = bytesOf(value.type);
    const auto sizes = value.kind == ExportedValue::Kind::Tensor ? sizesAt(value, symbols) : std::nullopt;
    if (!sizes) continue;
    const bool fits =
        std::ranges::all_of(*sizes, [&](std::int64_t size) { return !__builtin_mul_overflow(bytes, size, &bytes); });
    if (fits) largest = std::max(largest, bytes);
  }
  return largest;
}

}  // namespace lanelab
