// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/replica_lanes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace lanelab {

namespace {

constexpr std::size_t kLooked = 4096;  ///< spans of a row of actions

/// A step has every action once, so one step tells all; of a step that was cut, as by the start of a recording, the
/// next one helps.
constexpr int kSteps = 2;

bool hasMicroBatch(const Span& span) {
  return span.category == Category::Action && span.micro_batch >= 0 && span.phase != Phase::Update &&
         span.phase != Phase::None;
}

void addMicroBatches(const Track& track, std::set<int>& micro_batches) {
  std::optional<int> first;
  for (std::size_t i = 0; i < std::min(track.spans.size(), kLooked); ++i) {
    const Span span = track.spans[i];
    if (!hasMicroBatch(span)) continue;
    if (!first) first = span.step;
    if (span.step - *first >= kSteps) return;
    micro_batches.insert(span.micro_batch);
  }
}

/// By lane.
std::vector<std::set<int>> microBatchesOf(const Trace& trace) {
  std::vector<std::set<int>> lanes(trace.lanes.size());
  for (const Track& track : trace.tracks) {
    if (track.kind == Track::Kind::Compute && trace.laneAt(track.lane) != nullptr)
      addMicroBatches(track, lanes[static_cast<std::size_t>(track.lane)]);
  }
  return lanes;
}

/// Lanes in groups; the number of a group is its first lane's.
class LaneGroups {
 public:
  explicit LaneGroups(std::size_t lanes) : m_above(lanes) { std::iota(m_above.begin(), m_above.end(), std::size_t{0}); }

  std::size_t of(std::size_t lane) {
    while (m_above[lane] != lane) lane = m_above[lane] = m_above[m_above[lane]];
    return lane;
  }
  void join(std::size_t a, std::size_t b) { m_above[std::max(of(a), of(b))] = std::min(of(a), of(b)); }

 private:
  std::vector<std::size_t> m_above;
};

}  // namespace

std::vector<int> replicasOfLanes(const Trace& trace) {
  const std::vector<std::set<int>> lanes = microBatchesOf(trace);
  LaneGroups groups(lanes.size());
  std::map<int, std::size_t> lane_of;  // a micro-batch's first lane
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    for (const int micro_batch : lanes[lane]) groups.join(lane_of.emplace(micro_batch, lane).first->second, lane);
  }
  std::map<std::size_t, int> replica_of;  // by group
  for (const auto& [micro_batch, lane] : lane_of)
    replica_of.emplace(groups.of(lane), static_cast<int>(replica_of.size()));
  if (replica_of.size() < 2) return {};
  std::vector<int> replicas;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    replicas.push_back(lanes[lane].empty() ? -1 : replica_of.at(groups.of(lane)));
  return replicas;
}

}  // namespace lanelab
