// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/critical_path.h"

#include <algorithm>

#include "profiler/analysis/replica_waits.h"
#include "profiler/analysis/traced_actions.h"

namespace lanelab {

namespace {

class PathFinder {
 public:
  PathFinder(const Trace& trace, const TracedActions& traced)
      : m_traced(traced),
        m_replicas(replicaWaits(m_traced, trace.lanes.size())),
        m_previous(m_traced.actions.size(), kNoItem),
        m_place(m_traced.actions.size(), 0),
        m_lanes(trace.lanes.size()) {
    for (const Stretch& stretch : m_traced.stretches) order(stretch);
  }

  std::vector<CriticalPath> find() {
    for (const Stretch& stretch : m_traced.stretches) {
      const std::uint32_t last = lastOf(stretch);
      if (last == kNoItem || stretch.range.empty()) continue;
      const auto first_path = static_cast<std::ptrdiff_t>(m_paths.size());
      m_begin = stretch.range.start;
      m_time = stretch.range.end;
      m_path = {m_traced.actions[last].step, {m_begin, m_time}, {}};
      walkBack(last);
      endPath();
      std::reverse(m_paths.begin() + first_path, m_paths.end());
    }
    return std::move(m_paths);
  }

 private:
  const TimeRange& rangeOf(std::uint32_t item) const { return m_traced.actions[item].range; }
  std::uint32_t nameOf(std::uint32_t item) const { return m_traced.actions[item].name; }

  void order(const Stretch& stretch) {
    std::vector<std::uint32_t> last(m_lanes, kNoItem);
    std::uint32_t place = 0;
    for (const std::uint32_t item : m_traced.itemsOf(stretch)) {
      std::uint32_t& before = last[static_cast<std::size_t>(m_traced.actions[item].lane)];
      m_previous[item] = before;
      before = item;
      m_place[item] = place++;
    }
  }

  std::uint32_t lastOf(const Stretch& stretch) const {
    std::uint32_t last = kNoItem;
    for (const std::uint32_t item : m_traced.itemsOf(stretch))
      if (last == kNoItem || rangeOf(item).end > rangeOf(last).end) last = item;
    return last;
  }

  /// Adds what goes before what has been found: from `start` to there.
  void link(PathLink::Kind kind, std::uint32_t item, Nanoseconds start, std::uint32_t action) {
    const Nanoseconds from = std::max(start, m_begin);
    if (from >= m_time) return;
    m_path.links.push_back({kind, m_traced.actions[item].lane, {from, m_time}, action});
    m_time = from;
  }

  void walkBack(std::uint32_t item) {
    link(PathLink::Kind::Wait, item, rangeOf(item).end, kNoItem);
    while (item != kNoItem && m_time > m_begin) {
      if (m_traced.actions[item].step < m_path.step) {
        endPath();
        m_path = {m_traced.actions[item].step, {m_begin, m_time}, {}};
      }
      link(PathLink::Kind::Action, item, rangeOf(item).start, nameOf(item));
      item = cameBefore(item);
    }
  }

  /// What has been found since the last one is a step's part.
  void endPath() {
    m_path.window.start = m_time;
    std::reverse(m_path.links.begin(), m_path.links.end());
    if (!m_path.window.empty()) m_paths.push_back(std::move(m_path));
  }

  /// Links what lies between the action and the one that it had to wait for, and gives that; kNoItem when it had to
  /// wait for none.
  std::uint32_t cameBefore(std::uint32_t item) {
    const TracedAction& action = m_traced.actions[item];
    const std::uint32_t previous = m_previous[item];
    const Nanoseconds free = previous == kNoItem ? kNever : rangeOf(previous).end;
    // Only what stands before it in order of start, so that the walk ends whatever a file says.
    const bool fed = action.producer != kNoItem && m_place[action.producer] < m_place[item];
    const Nanoseconds there = fed ? std::max(action.produced, action.arrived) : kNever;
    const std::uint32_t replica = slowestReplica(item);
    if (replica != kNoItem && rangeOf(replica).end > std::max(free, there)) {
      link(PathLink::Kind::Wait, item, rangeOf(replica).end, nameOf(item));
      return replica;
    }
    if (previous == kNoItem && !fed) {
      link(PathLink::Kind::Wait, item, m_begin, nameOf(item));
      return kNoItem;
    }
    link(PathLink::Kind::Wait, item, std::max(free, there), nameOf(item));
    if (free >= there) return previous;
    const std::uint32_t sender = nameOf(action.producer);
    if (action.sent != kNever) {
      link(PathLink::Kind::Transfer, item, std::max(action.sent, action.produced), sender);
      link(PathLink::Kind::TransferQueued, item, action.produced, sender);
    }
    return action.producer;
  }

  /// Of those that the update waited for, what ended last.
  std::uint32_t slowestReplica(std::uint32_t item) const {
    std::uint32_t slowest = kNoItem;
    const auto waits = m_replicas.find(item);
    if (waits == m_replicas.end()) return slowest;
    for (const std::uint32_t other : waits->second)
      if (m_place[other] < m_place[item] && (slowest == kNoItem || rangeOf(other).end > rangeOf(slowest).end))
        slowest = other;
    return slowest;
  }

  const TracedActions& m_traced;
  ReplicaWaits m_replicas;
  std::vector<std::uint32_t> m_previous;  ///< on its lane, in its stretch
  std::vector<std::uint32_t> m_place;     ///< in the stretch's order of start
  std::size_t m_lanes;
  std::vector<CriticalPath> m_paths;
  CriticalPath m_path;
  Nanoseconds m_begin = 0;  ///< of the stretch
  Nanoseconds m_time = 0;   ///< where the links found so far begin
};

}  // namespace

std::vector<CriticalPath> criticalPaths(const Trace& trace) { return criticalPaths(trace, tracedActions(trace)); }

std::vector<CriticalPath> criticalPaths(const Trace& trace, const TracedActions& traced) {
  return PathFinder(trace, traced).find();
}

}  // namespace lanelab
