// SPDX-License-Identifier: GPL-3.0-only
#include "engine/model/linear_model.h"

#include <functional>
#include <numeric>

#include "engine/model/block_builder.h"

namespace lanelab {

ModelSpec describeLinear(int classes, const Shape& input) {
  ModelSpec model{"linear", classes, input, {}};
  const std::int64_t features = std::accumulate(input.begin(), input.end(), std::int64_t{1}, std::multiplies<>());
  BlockBuilder block("linear", "Linear", "head", {features}, false);
  block.linear("linear", classes);
  model.blocks.push_back(block.finish());
  return model;
}

}  // namespace lanelab
