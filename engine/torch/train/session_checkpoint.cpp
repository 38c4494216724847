// SPDX-License-Identifier: GPL-3.0-only
#include "engine/torch/train/session_checkpoint.h"

#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "base/stop_point.h"
#include "engine/torch/lanes/session_peers.h"

namespace lanelab {

namespace {

Result<NamedTensors> stateOfAll(SessionLanes& lanes) {
  NamedTensors state;
  std::set<std::string> known;  // a parameter of several stages is the same in all of them
  const Status collected = lanes.onEachOfFirstReplica([&](LaneId, TorchLaneWorker& worker) {
    for (auto& named : worker.stages().state())
      if (known.insert(named.first).second) state.push_back(std::move(named));
  });
  if (!collected.ok()) return collected.error();
  if (!lanes.peers()) return state;
  const Result<TensorMap> all = tensorsOfAll(*lanes.peers(), TensorMap(state.begin(), state.end()));
  if (!all.ok()) return all.error();
  return NamedTensors(all->begin(), all->end());
}

Result<bool> exists(const std::string& path, Peers* peers) {
  std::error_code none;
  const bool here = std::filesystem::exists(path, none);
  if (!peers) return here;
  return asRankZeroSays(*peers, here);
}

}  // namespace

bool isCheckpointDue(const CheckpointPlan& plan, int step, int steps) {
  const bool due = !plan.path.empty() && plan.every > 0 && (step + 1) % plan.every == 0;
  return due && step + 1 < steps;
}

Status storeCheckpoint(SessionLanes& lanes, const CheckpointPlan& plan, Checkpoint done) {
  Result<NamedTensors> state = stateOfAll(lanes);
  if (!state.ok()) return state.error();
  done.state = std::move(*state);
  if (lanes.mayWriteFiles()) {
    const Status written = withStop(currentStopToken(), [&] { return writeCheckpoint(plan.path, done); });
    if (!written.ok()) return written;
  }
  if (!lanes.peers()) return {};
  // Nobody continues, or looks for the file, before it is written.
  const Result<bool> met = asRankZeroSays(*lanes.peers(), true);
  return met.ok() ? Status() : Status(met.error());
}

Result<Checkpoint> restoreCheckpoint(SessionLanes& lanes, const CheckpointPlan& plan) {
  Checkpoint none;
  none.repeat = plan.repeat;
  if (!plan.resume) return none;
  const Result<bool> found = exists(plan.path, lanes.peers());
  if (!found.ok()) return found.error();
  if (!*found) return none;
  Result<Checkpoint> checkpoint = readCheckpoint(plan.path);
  if (!checkpoint.ok()) return checkpoint;
  const int next = checkpoint->nextStep();
  if (checkpoint->repeat != plan.repeat || next > lanes.job().experiment.data.steps) return none;
  const NamedTensors named = std::exchange(checkpoint->state, {});
  const TensorMap state(named.begin(), named.end());
  const Status set = lanes.onEach([&](LaneId, TorchLaneWorker& worker) { worker.stages().setState(state, next); });
  if (!set.ok()) return set.error();
  return checkpoint;
}

}  // namespace lanelab
