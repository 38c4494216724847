// SPDX-License-Identifier: GPL-3.0-only
// Calls of one value with a parameter whose backward has a part of its own for the parameter: Rule::SplitBackward, and
// for convolutions Rule::ConvolutionProduct. Pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/exported/graph/exported_graph.h"
#include "engine/exported/operators/sample_sizes.h"
#include "engine/model/conv_products.h"

namespace lanelab {

/// Height and width each.
struct ConvolutionWindows {
  std::array<std::int64_t, 2> stride = {1, 1}, padding = {0, 0}, dilation = {1, 1};
  std::int64_t groups = 1;
};

struct WeightedCall {
  enum class Kind : unsigned char { Linear, Addmm, Convolution };
  Kind kind = Kind::Linear;
  ValueId input, weight;
  std::optional<ValueId> bias;
  ValueId output;
  ConvolutionWindows windows = {};  ///< of a convolution
};

/// Of each value: whether it is a parameter of the graph.
std::vector<bool> parametersOf(const ExportedGraph& graph);

/// Nothing for other calls, for those whose weight or bias is not a parameter, and for windows that are not constants.
std::optional<WeightedCall> weightedCallOf(const ExportedNode& node, const std::vector<bool>& parameters);

/// Of one sample, where products can do the convolution: a kernel of 1x1 or 3x3, padded by half of it, without groups
/// and dilation. `n` counts images per sample.
std::optional<ConvGeometry> productGeometry(const WeightedCall& call, const ExportedGraph& graph,
                                            const SampleSizes& sizes);

}  // namespace lanelab
