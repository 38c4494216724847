// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/path_parts.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "profiler/analysis/replica_waits.h"
#include "profiler/analysis/traced_actions.h"

namespace lanelab {

namespace {

constexpr Nanoseconds kLate = std::numeric_limits<Nanoseconds>::max() / 2;

/// How late each action may end, found backwards from the end of its stretch.
class SlackFinder {
 public:
  SlackFinder(const TracedActions& traced, std::size_t lanes)
      : m_traced(traced),
        m_replicas(replicaWaits(traced, lanes)),
        m_previous(traced.actions.size(), kNoItem),
        m_latest(traced.actions.size(), kLate),
        m_lanes(lanes) {}

  std::vector<Nanoseconds> find() {
    for (const Stretch& stretch : m_traced.stretches) walk(stretch);
    std::vector<Nanoseconds> slack(m_traced.actions.size(), kLate);
    for (std::size_t item = 0; item < slack.size(); ++item)
      if (m_latest[item] < kLate) slack[item] = m_latest[item] - m_traced.actions[item].range.end;
    return slack;
  }

 private:
  void walk(const Stretch& stretch) {
    const auto items = m_traced.itemsOf(stretch);
    std::vector<std::uint32_t> last(m_lanes, kNoItem);
    Nanoseconds end = stretch.range.start;
    for (const std::uint32_t item : items) {
      std::uint32_t& before = last[static_cast<std::size_t>(m_traced.actions[item].lane)];
      m_previous[item] = before;
      before = item;
      end = std::max(end, m_traced.actions[item].range.end);
    }
    for (auto item = items.rbegin(); item != items.rend(); ++item) {
      m_latest[*item] = std::min(m_latest[*item], end);
      passOn(*item);
    }
  }

  /// What it waits for must have ended as long before it as its delay and its transfer take.
  void passOn(std::uint32_t item) {
    const TracedAction& action = m_traced.actions[item];
    const std::uint32_t previous = m_previous[item];
    const bool fed = action.producer != kNoItem && action.produced <= action.range.start;
    const Nanoseconds free = previous == kNoItem ? kNever : m_traced.actions[previous].range.end;
    const Nanoseconds there = fed ? std::max(action.produced, action.arrived) : kNever;
    const auto replicas = m_replicas.find(item);
    Nanoseconds ready = std::max(free, there);
    if (replicas != m_replicas.end())
      for (const std::uint32_t other : replicas->second) ready = std::max(ready, m_traced.actions[other].range.end);
    const Nanoseconds delay = ready == kNever ? 0 : std::max<Nanoseconds>(0, action.range.start - ready);
    const Nanoseconds latest = m_latest[item] - action.range.length() - delay;
    if (previous != kNoItem) limit(previous, latest);
    if (fed) limit(action.producer, latest - (there - action.produced));
    if (replicas != m_replicas.end())
      for (const std::uint32_t other : replicas->second) limit(other, latest);
  }

  void limit(std::uint32_t item, Nanoseconds latest) { m_latest[item] = std::min(m_latest[item], latest); }

  const TracedActions& m_traced;
  ReplicaWaits m_replicas;
  std::vector<std::uint32_t> m_previous;
  std::vector<Nanoseconds> m_latest;  ///< end
  std::size_t m_lanes;
};

/// Actions of a path by lane, to look up what lies in them.
std::vector<std::vector<TimeRange>> actionsByLane(const Trace& trace, const std::vector<CriticalPath>& paths) {
  std::vector<std::vector<TimeRange>> lanes(trace.lanes.size());
  for (const CriticalPath& path : paths)
    for (const PathLink& link : path.links)
      if (link.kind == PathLink::Kind::Action) lanes[static_cast<std::size_t>(link.lane)].push_back(link.range);
  for (std::vector<TimeRange>& lane : lanes) std::ranges::sort(lane, {}, &TimeRange::start);
  return lanes;
}

std::vector<PathBlock> blocksOn(const Trace& trace, const std::vector<std::vector<TimeRange>>& lanes) {
  std::map<std::string, Nanoseconds> times;
  for (const Track& track : trace.tracks) {
    if (trace.laneAt(track.lane) == nullptr) continue;
    for (const Span& span : track.spans)
      if (span.category == Category::Block)
        if (const Nanoseconds time = coveredTime(lanes[static_cast<std::size_t>(track.lane)], span.range()); time > 0)
          times[trace.nameOf(span)] += time;
  }
  std::vector<PathBlock> blocks;
  blocks.reserve(times.size());
  for (const auto& [name, time] : times) blocks.push_back({name, time});
  std::ranges::stable_sort(blocks, std::greater(), &PathBlock::time);
  return blocks;
}

}  // namespace

PathParts pathParts(const Trace& trace, const TracedActions& traced, const std::vector<CriticalPath>& paths) {
  PathParts result;
  if (paths.empty()) return result;
  for (const CriticalPath& path : paths) result.path += path.window.length();
  const std::vector<Nanoseconds> slack = SlackFinder(traced, trace.lanes.size()).find();
  const std::vector<std::vector<TimeRange>> lanes = actionsByLane(trace, paths);
  std::map<int, std::set<int>> lanes_of;
  for (const TracedAction& action : traced.actions) lanes_of[action.stage].insert(action.lane);
  std::map<std::tuple<int, Phase, int>, PathPart> parts;
  for (std::size_t item = 0; item < traced.actions.size(); ++item) {
    const TracedAction& action = traced.actions[item];
    if (slack[item] == kLate) continue;
    const int lane = lanes_of[action.stage].size() > 1 ? action.lane : -1;
    PathPart& part =
        parts
            .try_emplace({action.stage, action.phase, lane}, PathPart{action.stage, action.phase, lane, 0, slack[item]})
            .first->second;
    part.time += coveredTime(lanes[static_cast<std::size_t>(action.lane)], action.range);
    part.slack = std::min(part.slack, slack[item]);
  }
  for (const auto& [key, part] : parts) result.parts.push_back(part);
  std::ranges::stable_sort(result.parts, [](const PathPart& a, const PathPart& b) {
    return a.time != b.time ? a.time > b.time : a.slack < b.slack;
  });
  result.blocks = blocksOn(trace, lanes);
  return result;
}

}  // namespace lanelab
