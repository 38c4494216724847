// SPDX-License-Identifier: GPL-3.0-only
// Which piece of forward work made an autograd node: found by the node's sequence number and the thread that made it.
//
// Autograd numbers the nodes that a thread makes in rising order, so each stretch of forward work owns a range of
// numbers. The numbers within it say nothing more: operators without a node do not draw one, and the node that bears a
// number need not be that of the operator that had it at its start.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/schedule/schedule.h"

namespace lanelab {

inline constexpr std::uint32_t kNoBlock = UINT32_MAX;

struct NodeOwner {
  Action action{};
  std::int32_t step = -1;
  std::uint32_t block = kNoBlock;  ///< its name in the trace
  bool operator==(const NodeOwner&) const = default;
};

/// Of one thread's forward work. Filled on that thread; read there, or while that thread waits for a backward pass.
class NodeOwners {
 public:
  /// What this thread makes from now on belongs to `owner`.
  void begin(const NodeOwner& owner);
  /// ... belongs to nobody.
  void end() { begin({}); }
  /// Null for nodes of nobody and for sequence numbers that are none, such as that of gradient accumulation.
  const NodeOwner* ownerOf(std::int64_t sequence) const;
  /// When the graphs of all that was noted are gone.
  void forget() { m_stretches.clear(); }

 private:
  struct Stretch {
    std::uint64_t from;  ///< up to that of the next one
    NodeOwner owner;
  };
  std::vector<Stretch> m_stretches;
};

}  // namespace lanelab
