// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/replica_waits.h"

#include <algorithm>
#include <utility>

namespace lanelab {

namespace {

/// An update and what its lane did before.
struct Updated {
  std::uint32_t update;
  std::uint32_t before;
};

void addWaits(const TracedActions& traced, const std::vector<Updated>& replicas, ReplicaWaits& waits) {
  for (const Updated& one : replicas) {
    const TracedAction& update = traced.actions[one.update];
    std::vector<std::uint32_t> others;
    for (const Updated& other : replicas) {
      const TracedAction& last = traced.actions[other.before];
      if (last.lane != update.lane && last.range.end <= update.range.start) others.push_back(other.before);
    }
    if (!others.empty()) waits.emplace(one.update, std::move(others));
  }
}

}  // namespace

ReplicaWaits replicaWaits(const TracedActions& traced, std::size_t lanes) {
  ReplicaWaits waits;
  std::vector<std::uint32_t> last(lanes);
  for (std::size_t step = 0; step < traced.windows.size(); ++step) {
    std::map<int, std::vector<Updated>> by_stage;
    std::ranges::fill(last, kNoItem);
    for (const std::uint32_t item : traced.itemsOf(step)) {
      const TracedAction& action = traced.actions[item];
      std::uint32_t& before = last[static_cast<std::size_t>(action.lane)];
      if (action.phase == Phase::Update && before != kNoItem) by_stage[action.stage].push_back({item, before});
      // Updates of one lane follow each other, and none of them is what the others wait for.
      if (action.phase != Phase::Update) before = item;
    }
    for (const auto& [stage, replicas] : by_stage)
      if (replicas.size() > 1) addWaits(traced, replicas, waits);
  }
  return waits;
}

}  // namespace lanelab
