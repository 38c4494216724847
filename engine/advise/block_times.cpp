// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/block_times.h"

#include <algorithm>
#include <utility>

#include "engine/advise/traced_profile.h"

namespace lanelab {
namespace {

Timing once(double seconds) { return {seconds, seconds, seconds, 1}; }

/// Macs per second of a lane.
double speedOf(const LaneConfig& lane) {
  return lane.device.isCpu() ? kEstimatedCpuMacs * std::max(lane.threads, 1) : kEstimatedGpuMacs;
}

BlockProfile estimatedProfile(const ModelSpec& model, double speed) {
  BlockProfile profile;
  profile.sizes.resize(1);
  BlockProfile::Size& size = profile.sizes.front();
  size.samples = 1;
  for (std::size_t i = 0; i < model.blocks.size(); ++i) {
    const BlockSpec& block = model.blocks[i];
    const double forward = static_cast<double>(block.macs) / speed;
    BlockTiming times{once(forward), once(2 * forward), once(forward), once(forward), {}};
    if (i + 1 < model.blocks.size()) times.transfer = once(static_cast<double>(block.output_bytes) / kEstimatedBytes);
    size.blocks.push_back(times);
    profile.block_names.push_back(block.name);
    profile.updates.push_back(once(0));
  }
  return profile;
}

bool oneKindOfLane(const std::vector<LaneConfig>& lanes) {
  return std::ranges::all_of(lanes, [&](const LaneConfig& lane) {
    return lane.device.kind == lanes.front().device.kind && lane.threads == lanes.front().threads;
  });
}

bool trainsAlike(const Experiment& a, const Experiment& b) {
  return a.model == b.model && a.data.shape == b.data.shape && a.training == b.training;
}

}  // namespace

std::optional<BlockTimes> recordedBlockTimes(const Resolution& resolution, const TrainingModes& modes,
                                             const Executor& executor, const ProfileStore& store) {
  std::optional<LaneProfiles> stored = storedProfiles(resolution, modes, executor, store);
  if (!stored) return std::nullopt;
  std::string oldest;
  for (const BlockProfile& profile : stored->profiles) {
    const std::string day = store.dayOf(profile.key);
    if (oldest.empty() || (!day.empty() && day < oldest)) oldest = day;
  }
  return BlockTimes{BlockTimes::Origin::Recorded, oldest, std::move(*stored)};
}

std::optional<BlockTimes> tracedBlockTimes(const Trace& trace, const ResolvedVariant& measured,
                                           const Experiment& experiment, const std::string& day) {
  const Experiment& run = measured.experiment();
  if (!measured.plan().ok() || experiment.lanes.empty() || run.lanes.empty()) return std::nullopt;
  std::vector<LaneConfig> all = run.lanes;
  all.insert(all.end(), experiment.lanes.begin(), experiment.lanes.end());
  if (!trainsAlike(run, experiment) || !oneKindOfLane(all)) return std::nullopt;
  std::optional<BlockProfile> profile = profileOfTrace(trace, measured);
  if (!profile) return std::nullopt;
  return BlockTimes{BlockTimes::Origin::Traced, day, LaneProfiles::alike(*std::move(profile), experiment.lanes.size())};
}

BlockTimes estimatedBlockTimes(const Experiment& experiment, const ModelSpec& model) {
  BlockTimes times;
  std::vector<double> speeds;
  for (const LaneConfig& lane : experiment.lanes) {
    const double speed = speedOf(lane);
    const auto known = std::ranges::find(speeds, speed);
    times.profiles.of_lane.push_back(static_cast<std::size_t>(known - speeds.begin()));
    if (known != speeds.end()) continue;
    speeds.push_back(speed);
    times.profiles.profiles.push_back(estimatedProfile(model, speed));
  }
  return times;
}

}  // namespace lanelab
