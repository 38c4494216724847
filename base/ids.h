// SPDX-License-Identifier: GPL-3.0-only
// Index types that cannot be mixed up: a lane is not a stage is not a block.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>

namespace lanelab {

/// A zero-based index of one kind of thing. Explicit in both directions.
template <class Tag>
struct Id {
  int value = 0;

  constexpr Id() = default;
  constexpr explicit Id(int v) : value(v) {}
  constexpr explicit Id(std::size_t v) : value(static_cast<int>(v)) {}
  constexpr std::size_t index() const { return static_cast<std::size_t>(value); }
  constexpr auto operator<=>(const Id&) const = default;
};

using LaneId = Id<struct LaneTag>;              ///< index into the experiment's lanes
using StageId = Id<struct StageTag>;            ///< index into the stages of a placement, in model order
using BlockId = Id<struct BlockTag>;            ///< index into ModelSpec::blocks
using MicroBatchId = Id<struct MicroBatchTag>;  ///< micro-batch within a step, from 0

}  // namespace lanelab

template <class Tag>
struct std::hash<lanelab::Id<Tag>> {
  std::size_t operator()(lanelab::Id<Tag> id) const noexcept { return std::hash<int>()(id.value); }
};
