// SPDX-License-Identifier: GPL-3.0-only
// The block profile of an experiment's model on one of its lanes: kept from earlier, or measured now and kept.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "engine/advise/profile_store.h"
#include "engine/lanes/executor.h"
#include "engine/memory/memory_fit.h"

namespace lanelab {

struct ProfileOptions {
  LaneId lane;                 ///< whose kind is measured
  std::vector<int> samples;    ///< micro-batch sizes; empty: profileSizes()
  bool refresh = false;        ///< measure again what is stored
  ReportProgress report;       ///< of all that is measured; never called if nothing is
  MemoryRule memory = {};      ///< for micro-batches that do not fit
  SharedWeights weights = {};  ///< those that the experiment's check read; null: the blocks read or draw their own
};

struct FoundProfile {
  BlockProfile profile;       ///< has every size that was asked for, and those kept before
  std::vector<int> measured;  ///< sizes measured now; the others were kept
  std::vector<std::string> warnings;
};

/// Of blocks that train in `modes` (those by stage are not looked at). Only what is not kept yet is measured. A profile
/// that cannot be written is a warning. Errors: a size outside 1 ... batch or one that cannot fit in memory (BadInput),
/// the executor's.
Result<FoundProfile> profileOf(const Resolution& resolution, const TrainingModes& modes, Executor& executor,
                               const ProfileStore& store, const ProfileOptions& options, std::stop_token stop);

/// The profiles of the lanes that the experiment's variants may use: one measurement for each kind of lane.
struct LaneProfiles {
  std::vector<BlockProfile> profiles;
  std::vector<std::size_t> of_lane;  ///< index into `profiles` for each lane of the experiment
  std::vector<std::string> warnings;

  /// Of lanes that are all of one kind.
  static LaneProfiles alike(BlockProfile profile, std::size_t lanes) {
    return {{std::move(profile)}, std::vector<std::size_t>(lanes), {}};
  }
  /// One for each lane of the experiment; valid while this value lives and is not changed.
  std::vector<const BlockProfile*> ofLanes() const;
};

/// profileOf() for every kind of lane, as one piece of work; `options.lane` says nothing here.
Result<LaneProfiles> profilesOf(const Resolution& resolution, const TrainingModes& modes, Executor& executor,
                                const ProfileStore& store, const ProfileOptions& options, std::stop_token stop);

/// The same from what is kept, measuring nothing. Nothing where a kind of lane has no profile.
std::optional<LaneProfiles> storedProfiles(const Resolution& resolution, const TrainingModes& modes,
                                           const Executor& executor, const ProfileStore& store);

/// The micro-batch sizes of the experiment's variants, uneven last ones too, and half and twice each split size, for
/// what lies between. Ascending.
std::vector<int> profileSizes(const Experiment& experiment);
/// The sizes that a batch is cut into: the split size, and the last micro-batch where it is smaller.
std::vector<int> microBatchSizes(int batch, const std::vector<int>& split_sizes);

/// What the times depend on, for a lane of the experiment.
ProfileKey profileKey(const Resolution& resolution, const TrainingModes& modes, const Executor& executor, LaneId lane);
/// The other lanes of the same kind on devices of their own, in order.
std::vector<LaneId> peerLanes(const Experiment& experiment, const Executor& executor, LaneId lane);

}  // namespace lanelab
