// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/inference/key_value_cache.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/scaled_dot_product_attention.h>

#include <utility>
#include <vector>

#include "engine/torch/graph/graph_arguments.h"

namespace lanelab {
void KeyValueCache::begin(std::int64_t room) {
  m_pairs.clear();
  m_room = room;
  m_past = 0;
}

at::Tensor KeyValueCache::withPast(at::Tensor& held, const at::Tensor& newest) const {
  std::vector<std::int64_t> shape = newest.sizes().vec();
  const std::int64_t count = std::exchange(shape[2], m_room);
  if (!held.defined()) held = at::empty(shape, newest.options());
  held.narrow(2, m_past, count).copy_(newest);
  return held.narrow(2, 0, m_past + count);
}

GraphOperation KeyValueCache::operationFor(const ExportedNode& node, std::size_t number) {
  const bool counts = node.target == "aten.cumsum.default";
  if (!counts && node.target != "aten.scaled_dot_product_attention.default") return nullptr;
  const ValueId output = node.outputs.front().value();
  if (counts)
    return [this, ones = requiredValue(node, "self"), output](GraphFrame& frame, const GraphPass&) {
      const at::Tensor& like = frame[ones].toTensor();
      frame[output] = at::arange(m_past + 1, m_past + 1 + like.size(1), like.options()).unsqueeze(0);
    };
  return [this, number, query = requiredValue(node, "query"), key = requiredValue(node, "key"),
          value = requiredValue(node, "value"), scale = requiredNumber(node, "scale"),
          grouped = flagOr(node, "enable_gqa", false), output](GraphFrame& frame, const GraphPass&) {
    const at::Tensor& newest = frame[query].toTensor();
    Pair& all = m_pairs[number];
    const at::Tensor keys = withPast(all.keys, frame[key].toTensor()),
                     values = withPast(all.values, frame[value].toTensor());
    frame[output] =
        at::scaled_dot_product_attention(newest, keys, values, {}, 0, /*is_causal=*/newest.size(2) > 1, scale, grouped);
  };
}

}  // namespace lanelab
