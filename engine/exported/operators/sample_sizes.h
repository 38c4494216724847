// SPDX-License-Identifier: GPL-3.0-only
// Sizes of an exported program's tensors for one sample. Pure functions of immutable values.
//
// A sample's elements are those that one more sample in the batch adds, so what does not depend on the batch has none.
// With a static batch they are a sample's share.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/exported/graph/exported_graph.h"
#include "engine/model/shape.h"

namespace lanelab {

class SampleSizes {
 public:
  explicit SampleSizes(const ExportedProgram& program);

  std::int64_t elements(ValueId id) const { return elementsOf(m_graph.value(id).sizes); }
  std::int64_t elementsOf(const std::vector<SizeExpression>& sizes) const;
  std::int64_t bytes(ValueId id) const;
  /// Without the batch, if that is size 0; otherwise all sizes of a batch of one.
  Shape shape(ValueId id) const;
  /// Of a batch of two, or the static one.
  Shape wholeShape(ValueId id) const;
  /// Whether its elements are in order without gaps.
  bool isContiguous(ValueId id) const;
  /// Whether view() could give it this shape, of which one size may be -1.
  bool canBeViewedAs(ValueId id, const Shape& shape) const;
  /// Whether a view can have these groups of its dimensions as one dimension each, in this order.
  bool canBeGrouped(ValueId id, const std::vector<std::vector<std::size_t>>& groups) const;

 private:
  std::optional<std::int64_t> at(const SizeExpression& size, std::int64_t batch) const;
  std::optional<std::int64_t> count(const std::vector<SizeExpression>& sizes, std::int64_t batch) const;
  Shape evaluated(const std::vector<SizeExpression>& sizes) const;

  const ExportedGraph& m_graph;
  std::string m_symbol;
  std::int64_t m_static_batch;
};

}  // namespace lanelab
