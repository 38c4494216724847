// SPDX-License-Identifier: GPL-3.0-only
// Multiply-accumulates of ATen operators, forward and for one sample: convolutions, products of matrices, attention,
// recurrent layers. All other operators count none. Pure functions.
#pragma once

#include <cstdint>

#include "engine/exported/graph/exported_graph.h"
#include "engine/exported/operators/sample_sizes.h"

namespace lanelab {

std::int64_t macsOf(const ExportedGraph& graph, const ExportedNode& node, const SampleSizes& sizes);

}  // namespace lanelab
