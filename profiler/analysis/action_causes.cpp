// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/idle_causes.h"

#include <array>
#include <map>

#include "profiler/analysis/gap_walk.h"
#include "profiler/analysis/step_replay.h"
#include "profiler/analysis/traced_actions.h"

namespace lanelab {

namespace {

/// What a lane's host did, by category: sorted and disjoint.
struct HostWork {
  std::array<std::vector<TimeRange>, static_cast<std::size_t>(Category::Other)> ranges;
  std::vector<TimeRange>& of(Category category) { return ranges[static_cast<std::size_t>(category)]; }
};

std::vector<HostWork> hostWorkOf(const Trace& trace) {
  std::vector<HostWork> lanes(trace.lanes.size());
  for (const Track& track : trace.tracks) {
    if (trace.laneAt(track.lane) == nullptr) continue;
    HostWork& lane = lanes[static_cast<std::size_t>(track.lane)];
    for (std::size_t i = 0; i < track.spans.size();) {
      const std::size_t end = track.spans.categoryEnd(i);
      const Category category = track.spans[i].category;
      for (std::size_t k = i; k < end && isHostWork(category); ++k) lane.of(category).push_back(track.spans[k].range());
      i = end;
    }
  }
  for (HostWork& lane : lanes)
    for (std::vector<TimeRange>& ranges : lane.ranges) ranges = unionOf(std::move(ranges));
  return lanes;
}

/// "cuda:0/sm:32" is a part of "cuda:0", which it shares with the other parts.
std::string_view deviceOf(const LaneInfo& lane) {
  return std::string_view(lane.device).substr(0, lane.device.find('/'));
}

class ActionCauses {
 public:
  explicit ActionCauses(const Trace& trace)
      : m_trace(trace),
        m_traced(tracedActions(trace)),
        m_replay(replaySteps(m_traced, trace.lanes.size())),
        m_host(hostWorkOf(trace)) {
    for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane) m_busy.push_back(busyOf(lane));
    findSharedDevices();
  }

  IdleCauses explain() {
    IdleCauses result;
    for (std::size_t i = 0; i < m_busy.size(); ++i) {
      LaneCauses& lane = result.lanes.emplace_back();
      lane.lane = static_cast<int>(i);
      lane.name = m_trace.lanes[i].name;
      const auto explain = [&](TimeRange gap, std::uint32_t item, std::size_t window) {
        explainGap(i, gap, item, window);
      };
      explainLane(lane, m_busy[i], m_traced.windows, m_walk, explain,
                  [&](std::uint32_t item) { return m_traced.actions[item].name; });
    }
    return result;
  }

 private:
  std::vector<BusyPiece> busyOf(std::size_t lane) const {
    std::vector<BusyPiece> pieces;
    pieces.reserve(m_traced.lane_begins[lane + 1] - m_traced.lane_begins[lane]);
    for (std::size_t item = m_traced.lane_begins[lane]; item < m_traced.lane_begins[lane + 1]; ++item)
      pieces.push_back({m_traced.actions[item].range, static_cast<std::uint32_t>(item)});
    return joinedPieces(std::move(pieces));
  }

  /// In a gap of one lane, whatever runs on its device is another's, so one union serves all lanes of the device.
  void findSharedDevices() {
    std::map<std::string_view, std::vector<std::size_t>> lanes_of;
    for (std::size_t lane = 0; lane < m_busy.size(); ++lane)
      if (!m_trace.lanes[lane].device.empty()) lanes_of[deviceOf(m_trace.lanes[lane])].push_back(lane);
    m_device_of_lane.assign(m_busy.size(), kNoItem);
    for (const auto& [device, lanes] : lanes_of) {
      if (lanes.size() < 2) continue;
      std::vector<TimeRange> ranges;
      for (const std::size_t lane : lanes) {
        for (const BusyPiece& piece : m_busy[lane]) ranges.push_back(piece.range);
        m_device_of_lane[lane] = static_cast<std::uint32_t>(m_device_busy.size());
      }
      m_device_busy.push_back(unionOf(std::move(ranges)));
    }
  }

  void explainGap(std::size_t lane, TimeRange gap, std::uint32_t item, std::size_t window) {
    HostWork& host = m_host[lane];
    m_walk.within(host.of(Category::Profiler), Cause::Profiler);
    if (item == kNoItem) {
      upstream(gap.end, m_replay.at_end[window * m_busy.size() + lane], Phase::None);
      return;
    }
    const TracedAction& action = m_traced.actions[item];
    upstream(action.produced, m_replay.before_action[item], action.phase);
    m_walk.until(action.sent, Cause::TransferQueued);
    m_walk.until(action.arrived, Cause::Transfer);
    m_walk.within(host.of(Category::Data), Cause::Data);
    m_walk.within(host.of(Category::Sync), Cause::Sync);
    m_walk.within(host.of(Category::Allocator), Cause::Allocator);
    m_walk.within(host.of(Category::Host), Cause::Host);
    if (action.issued != 0) m_walk.until(action.issued, Cause::Host);
    if (m_device_of_lane[lane] != kNoItem) m_walk.within(m_device_busy[m_device_of_lane[lane]], Cause::Contention);
    m_walk.rest(Cause::Unresolved);
  }

  void upstream(Nanoseconds until, const ReplayedGap& replayed, Phase phase) {
    const std::array<GapWalk::Share, 2> shares{{{phase == Phase::Forward ? Cause::Fill : Cause::Drain, replayed.equal},
                                                {Cause::Imbalance, replayed.staged - replayed.equal}}};
    m_walk.untilShared(until, shares, Cause::Jitter);
  }

  const Trace& m_trace;
  TracedActions m_traced;
  Replay m_replay;
  std::vector<HostWork> m_host;
  std::vector<std::vector<BusyPiece>> m_busy;
  std::vector<std::vector<TimeRange>> m_device_busy;
  std::vector<std::uint32_t> m_device_of_lane;  ///< in m_device_busy; kNoItem where the lane has the device for itself
  GapWalk m_walk;
};

}  // namespace

IdleCauses explainActions(const Trace& trace) { return ActionCauses(trace).explain(); }

}  // namespace lanelab
