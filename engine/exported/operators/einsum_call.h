// SPDX-License-Identifier: GPL-3.0-only
// A call of aten.einsum, by its labels. PyTorch computes one of two operands as a product of matrices, or of elements
// where no label is summed (aten/src/ATen/native/Linear.cpp, einsum and sumproduct_pair). Pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/exported/graph/exported_graph.h"
#include "engine/exported/operators/sample_sizes.h"

namespace lanelab {

struct EinsumCall {
  std::vector<ValueId> operands;
  std::vector<std::string> labels;  ///< of each operand, a character a dimension; those of "..." are no letters
  std::string result;
  std::map<char, std::int64_t> sizes;

  /// Labels of `in`, in the order of the result and then of the alphabet, that the other operand has (`shared`) and the
  /// result has (`kept`).
  std::string labelsOf(std::size_t in, bool shared, bool kept) const;
  /// Whether a label is summed that only one operand has: this is done before the product.
  bool sumsAlone() const;
  std::int64_t sizeOf(const std::string& of) const;
};

/// Nothing where the node is no einsum, or one whose equation does not fit its operands or takes a diagonal.
std::optional<EinsumCall> einsumOf(const ExportedGraph& graph, const ExportedNode& node, const SampleSizes& sizes);

/// How many tensors an einsum reads; 0 for other calls.
std::size_t einsumOperands(const ExportedNode& node);

}  // namespace lanelab
