// SPDX-License-Identifier: GPL-3.0-only
// Whose work a thread launches: an action of a step, and its form as one number that a recorder carries from the launch
// to the kernel.
#pragma once

#include <cstdint>
#include <optional>

#include "profiler/trace/trace.h"

namespace lanelab {

/// -1 and None where a part does not apply: what belongs to a step but to no action has no stage, an update no
/// micro-batch.
struct LaunchOwner {
  int lane = -1;
  std::int32_t step = -1;
  std::int16_t stage = -1;
  std::int16_t micro_batch = -1;
  Phase phase = Phase::None;
  bool operator==(const LaunchOwner&) const = default;
};

/// From the lowest bit: lane 8, stage 8, micro-batch 13, phase 3, step 24, run 8. `run` tells records that a run left
/// behind from the next one's. 0, which means no owner, where the owner has no lane or a part does not fit.
std::uint64_t externalIdOf(const LaunchOwner& owner, std::uint8_t run);

struct IdentifiedOwner {
  LaunchOwner owner;
  std::uint8_t run = 0;
};
/// Nothing for 0 and for numbers that externalIdOf never gives.
std::optional<IdentifiedOwner> ownerOf(std::uint64_t external_id);

}  // namespace lanelab
