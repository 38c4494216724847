// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/root_costs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "profiler/analysis/cause_shares.h"
#include "profiler/analysis/idle_replay.h"

namespace lanelab {

namespace {

constexpr std::size_t kMostPlays = 200'000'000;  ///< of actions
constexpr std::array kDelayCauses = {Cause::Data,       Cause::Sync,       Cause::Allocator, Cause::Host,
                                     Cause::Contention, Cause::Evaluation, Cause::Profiler};

struct LengthSum {
  double length = 0;
  double count = 0;
};

/// The boundary that the input of the action crossed.
int inputLinkOf(const TracedAction& action) { return action.phase == Phase::Forward ? action.stage - 1 : action.stage; }

class RootFinder {
 public:
  RootFinder(const Trace& trace, const PreparedActions& actions)
      : m_trace(trace),
        m_traced(actions.traced),
        m_delays(actions.delays),
        m_usual(actions.usual),
        m_replay(m_traced, trace.lanes.size()) {
    m_measured.replicas = replicaWaits(m_traced, trace.lanes.size());
    for (const TracedAction& action : m_traced.actions) {
      m_measured.lengths.push_back(static_cast<double>(action.range.length()));
      m_measured.transfers.push_back(static_cast<double>(queueTime(action) + transferTime(action)));
      m_measured.delays.push_back(0);
    }
    for (std::size_t i = 0; i < m_traced.stretches.size(); ++i) findDelays(m_traced.stretches[i]);
  }

  RootCosts find() {
    findRoots();
    chooseStretches();
    if (m_steps == 0) return {};
    RootCosts result;
    const double measured = played(m_measured);
    result.step = std::llround(measured);
    for (const Root& root : m_roots) {
      const double step = played(without(root));
      if (const Nanoseconds saved = std::llround(measured - step); saved > 0)
        result.costs.push_back({root, std::llround(step), saved});
    }
    std::ranges::stable_sort(result.costs, std::greater(), &RootCost::saved);
    return result;
  }

 private:
  /// What held each action back after its lane, its input and the replicas it needs were ready.
  void findDelays(const Stretch& stretch) {
    std::vector<Nanoseconds> free(m_trace.lanes.size(), stretch.range.start);
    for (const std::uint32_t item : m_traced.itemsOf(stretch)) {
      const TracedAction& action = m_traced.actions[item];
      Nanoseconds& lane = free[static_cast<std::size_t>(action.lane)];
      Nanoseconds ready = lane;
      if (action.producer != kNoItem) ready = std::max({ready, action.produced, action.arrived});
      if (const auto waits = m_measured.replicas.find(item); waits != m_measured.replicas.end())
        for (const std::uint32_t other : waits->second) ready = std::max(ready, m_traced.actions[other].range.end);
      m_measured.delays[item] = static_cast<double>(std::max<Nanoseconds>(0, action.range.start - ready));
      lane = std::max(lane, action.range.end);
    }
  }

  void findRoots() {
    std::set<int> links, stages;
    std::map<int, std::set<int>> lanes_of_stage;
    std::set<int> unequal;
    std::set<std::pair<Cause, int>> delays;
    for (std::size_t item = 0; item < m_traced.actions.size(); ++item) {
      const TracedAction& action = m_traced.actions[item];
      if (m_measured.transfers[item] > 0) links.insert(inputLinkOf(action));
      if (m_usual.staged[item] > m_usual.equal[item]) stages.insert(action.stage);
      if (m_measured.lengths[item] > m_usual.staged[item]) unequal.insert(action.lane);
      lanes_of_stage[action.stage].insert(action.lane);
      for (const Cause cause : kDelayCauses)
        if (delayOf(cause, item) > 0) delays.insert({cause, action.lane});
    }
    for (const int link : links) m_roots.push_back({Root::Kind::Link, link, Cause::Unresolved});
    for (const auto& [cause, lane] : delays) m_roots.push_back({Root::Kind::Delay, lane, cause});
    for (const int stage : stages) m_roots.push_back({Root::Kind::Stage, stage, Cause::Unresolved});
    std::set<int> replicas;
    for (const auto& [stage, lanes] : lanes_of_stage)
      if (lanes.size() > 1) replicas.insert(lanes.begin(), lanes.end());
    for (const int lane : replicas) m_roots.push_back({Root::Kind::Replica, lane, Cause::Unresolved});
    // Of replicas the lane as a whole is the root.
    for (const int lane : unequal)
      if (!replicas.contains(lane)) m_roots.push_back({Root::Kind::Unequal, lane, Cause::Unresolved});
    sumByLane();
  }

  Nanoseconds delayOf(Cause cause, std::size_t item) const {
    const std::vector<Nanoseconds>& delays = m_delays[static_cast<std::size_t>(cause)];
    return delays.empty() ? 0 : delays[item];
  }

  void chooseStretches() {
    const std::size_t most = kMostPlays / (m_roots.size() + 1);
    std::size_t plays = 0;
    for (const Stretch& stretch : m_traced.stretches) {
      plays += m_traced.itemsOf(stretch).size();
      if (m_stretches > 0 && plays > most) break;
      ++m_stretches;
      m_steps += stretch.count;
    }
  }

  /// The mean period of a step.
  double played(const ReplayTimes& times) {
    double sum = 0;
    for (std::size_t i = 0; i < m_stretches; ++i) {
      const Stretch& stretch = m_traced.stretches[i];
      Nanoseconds last = stretch.range.start;
      for (const std::uint32_t item : m_traced.itemsOf(stretch))
        last = std::max(last, m_traced.actions[item].range.end);
      m_replay.play(stretch, times);
      sum += m_replay.end() + static_cast<double>(std::max<Nanoseconds>(0, stretch.range.end - last));
    }
    return sum / static_cast<double>(m_steps);
  }

  ReplayTimes without(const Root& root) const {
    ReplayTimes times = m_measured;
    for (std::size_t item = 0; item < m_traced.actions.size(); ++item) {
      const TracedAction& action = m_traced.actions[item];
      switch (root.kind) {
        case Root::Kind::Link:
          if (inputLinkOf(action) == root.number) times.transfers[item] = 0;
          break;
        case Root::Kind::Delay:
          if (action.lane == root.number)
            times.delays[item] = std::max(0.0, times.delays[item] - static_cast<double>(delayOf(root.cause, item)));
          break;
        case Root::Kind::Stage:
          if (action.stage == root.number)
            times.lengths[item] -= std::max(0.0, m_usual.staged[item] - m_usual.equal[item]);
          times.lengths[item] = std::max(0.0, times.lengths[item]);
          break;
        case Root::Kind::Replica:
          if (action.lane == root.number) times.lengths[item] *= shareOfOthers(action);
          break;
        case Root::Kind::Unequal:
          if (action.lane == root.number) times.lengths[item] = std::min(times.lengths[item], m_usual.staged[item]);
          break;
      }
    }
    return times;
  }

  void sumByLane() {
    for (const TracedAction& action : m_traced.actions) {
      LengthSum& own = m_sums[{action.stage, action.phase, action.lane}];
      LengthSum& all = m_sums[{action.stage, action.phase, -1}];
      for (LengthSum* const sum : {&own, &all}) {
        sum->length += static_cast<double>(action.range.length());
        sum->count += 1;
      }
    }
  }

  /// How long the other replicas take for the same work, if that is less.
  double shareOfOthers(const TracedAction& action) const {
    const LengthSum& own = m_sums.at({action.stage, action.phase, action.lane});
    const LengthSum& all = m_sums.at({action.stage, action.phase, -1});
    if (all.count == own.count || own.length <= 0) return 1;
    return std::min(1.0, (all.length - own.length) / (all.count - own.count) / (own.length / own.count));
  }

  const Trace& m_trace;
  const TracedActions& m_traced;
  const CauseDelays& m_delays;
  const UsualLengths& m_usual;
  IdleReplay m_replay;
  ReplayTimes m_measured;
  std::vector<Root> m_roots;
  std::map<std::tuple<int, Phase, int>, LengthSum> m_sums;  ///< by stage, phase and lane; -1: all lanes
  std::size_t m_stretches = 0;                              ///< that are replayed
  std::size_t m_steps = 0;
};

}  // namespace

RootCosts rootCosts(const Trace& trace, const PreparedActions& actions) { return RootFinder(trace, actions).find(); }

}  // namespace lanelab
