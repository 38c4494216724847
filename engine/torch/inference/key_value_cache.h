// SPDX-License-Identifier: GPL-3.0-only
// Generation without computing earlier tokens again: keys and values of all tokens so far.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>

#include "engine/torch/graph/graph_operation.h"

namespace lanelab {

/// One sequence of passes, one thread: many tokens at first, then one in each pass.
class KeyValueCache {
 public:
  /// Forgets all; there will be as many tokens.
  void begin(std::int64_t room);
  /// Behind a pass of these tokens.
  void advance(std::int64_t tokens) { m_past += tokens; }

  /// In place of causal attention, that of the newest tokens to all; in place of cumsum, positions behind those of the
  /// passes before. Empty for other calls. `number`: the node's within its graph. The cache must outlive it.
  GraphOperation operationFor(const ExportedNode& node, std::size_t number);

 private:
  at::Tensor withPast(at::Tensor& held, const at::Tensor& newest) const;

  struct Pair {
    at::Tensor keys, values;  ///< [rows, heads, room, head size], on the device of the attention
  };
  std::int64_t m_room = 0, m_past = 0;
  std::map<std::size_t, Pair> m_pairs;  ///< of each attention
};

}  // namespace lanelab
