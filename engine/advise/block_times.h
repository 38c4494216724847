// SPDX-License-Identifier: GPL-3.0-only
// Block times that predictions of placements rest on, and where they come from: recorded on this machine, read from
// the trace of a run, or estimated from MACs.
#pragma once

#include <optional>
#include <string>

#include "engine/advise/profile_of.h"
#include "engine/experiment/resolution.h"
#include "profiler/trace/trace.h"

namespace lanelab {

struct BlockTimes {
  enum class Origin { Recorded, Traced, Estimated };
  Origin origin = Origin::Estimated;
  std::string day;        ///< "2026-11-22" (UTC), when the oldest of them was measured; empty for estimates
  LaneProfiles profiles;  ///< one for each kind of lane
};

/// What an estimate assumes: multiply-accumulates per second of a CPU thread and of a GPU, bytes per second between
/// lanes. Only ratios of an estimate are of use.
inline constexpr double kEstimatedCpuMacs = 20e9;
inline constexpr double kEstimatedGpuMacs = 10e12;
inline constexpr double kEstimatedBytes = 5e9;

/// Those recorded for each kind of lane of the experiment. Reads files; any thread.
std::optional<BlockTimes> recordedBlockTimes(const Resolution& resolution, const TrainingModes& modes,
                                             const Executor& executor, const ProfileStore& store);
/// Those in the trace of a variant that was run on `day`, for `experiment`; nothing if that differs from the run's in
/// model, samples, training or kinds of lanes, or the trace has no blocks. Reads the whole trace; any thread.
std::optional<BlockTimes> tracedBlockTimes(const Trace& trace, const ResolvedVariant& measured,
                                           const Experiment& experiment, const std::string& day);
/// From each block's MACs: a backward takes twice its forward.
BlockTimes estimatedBlockTimes(const Experiment& experiment, const ModelSpec& model);

}  // namespace lanelab
