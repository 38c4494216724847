// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/replay/changed_steps.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "profiler/trace/step_periods.h"

namespace lanelab {
namespace {

Nanoseconds stepLength(const Trace& trace, const TracedActions& traced, std::optional<int> step) {
  if (!step) return meanStepPeriod(trace).value_or(0);
  const std::vector<Nanoseconds> periods = stepPeriods(trace);
  for (std::size_t i = 0; i < traced.windows.size() && i < periods.size(); ++i)
    if (traced.windows[i].step == *step) return periods[i];
  return 0;
}

bool isIn(std::optional<int> step, int other) { return !step || *step == other; }

/// A lane does the actions of a window within it.
std::vector<std::optional<double>> idleShares(const Trace& trace, const TracedActions& traced,
                                              std::optional<int> step) {
  std::vector<Nanoseconds> windows(trace.lanes.size(), 0), busy(trace.lanes.size(), 0);
  if (traced.stretches.size() == traced.windows.size()) {
    for (const StepWindow& window : traced.windows)
      if (isIn(step, window.step))
        for (Nanoseconds& length : windows) length += window.range.length();
  } else {
    const auto periods = lanePeriods(trace);
    for (std::size_t lane = 0; lane < periods.size(); ++lane)
      for (const StepWindow& period : periods[lane])
        if (isIn(step, period.step)) windows[lane] += period.range.length();
  }
  for (const TracedAction& action : traced.actions)
    if (action.step >= 0 && isIn(step, action.step))
      busy[static_cast<std::size_t>(action.lane)] += action.range.length();
  std::vector<std::optional<double>> idle(trace.lanes.size());
  for (std::size_t lane = 0; lane < idle.size(); ++lane)
    if (busy[lane] > 0 && windows[lane] > 0) idle[lane] = std::max(0.0, 1 - shareOf(busy[lane], windows[lane]));
  return idle;
}

PathShare largestOnPath(const Trace& trace, const TracedActions& traced, const std::vector<CriticalPath>& paths,
                        std::optional<int> step) {
  using Kind = std::pair<int, Phase>;
  std::vector<Kind> kind_of(trace.names.size(), {-1, Phase::None});
  for (const TracedAction& action : traced.actions) kind_of[action.name] = {action.stage, action.phase};
  std::map<Kind, Nanoseconds> times;
  Nanoseconds whole = 0;
  for (const CriticalPath& path : paths) {
    if (!isIn(step, path.step)) continue;
    whole += path.window.length();
    for (const PathLink& link : path.links)
      if (link.kind == PathLink::Kind::Action) times[kind_of[link.action]] += link.range.length();
  }
  PathShare largest;
  for (const auto& [kind, time] : times)
    if (shareOf(time, whole) > largest.share) largest = {kind.first, kind.second, shareOf(time, whole)};
  return largest;
}

StepFacts factsOf(const Trace& trace, const TracedActions& traced, const std::vector<CriticalPath>& paths,
                  std::optional<int> step) {
  return {stepLength(trace, traced, step), idleShares(trace, traced, step), largestOnPath(trace, traced, paths, step)};
}

std::map<int, int> lanesOfStages(const TracedActions& traced) {
  std::map<int, int> lanes;
  std::set<int> replicated;
  for (const TracedAction& action : traced.actions) {
    if (action.stage < 0) continue;
    const auto [known, is_new] = lanes.try_emplace(action.stage, action.lane);
    if (!is_new && known->second != action.lane) replicated.insert(action.stage);
  }
  for (const int stage : replicated) lanes.erase(stage);
  return lanes;
}

}  // namespace

MeasuredSteps::MeasuredSteps(std::shared_ptr<const Trace> trace)
    : m_trace(std::move(trace)),
      m_traced(tracedActions(*m_trace)),
      m_paths(criticalPaths(*m_trace, m_traced)),
      m_lanes(lanesOfStages(m_traced)) {}

ChangedSteps MeasuredSteps::with(const WhatIf& changes) const {
  const auto trace = std::make_shared<const Trace>(replayWith(*m_trace, m_traced, changes));
  const TracedActions traced = tracedActions(*trace);
  const std::optional<int> step = onlyStepOf(changes);
  std::vector<CriticalPath> paths = criticalPaths(*trace, traced);
  const StepFacts before = factsOf(*m_trace, m_traced, m_paths, step), after = factsOf(*trace, traced, paths, step);
  return {trace, step, before, after, std::move(paths)};
}

ChangedLength MeasuredSteps::lengthOf(const ScaledSpans& spans, const WhatIf& changes) const {
  double before = 0, after = 0;
  int count = 0;
  std::set<std::uint32_t> sent;  // one result may go to several
  for (std::uint32_t item = 0; item < m_traced.actions.size(); ++item) {
    const TracedAction& action = m_traced.actions[item];
    const std::uint32_t meant = spans.transfers ? action.producer : item;
    if (meant == kNoItem || !means(spans, m_traced.actions[meant])) continue;
    if (spans.transfers && (action.sent == kNever || !sent.insert(meant).second)) continue;
    const auto length = static_cast<double>(spans.transfers ? action.arrived - action.sent : action.range.length());
    before += length;
    after += length * factorOf(changes, m_traced.actions[meant], spans.transfers);
    ++count;
  }
  if (count == 0) return {};
  return {std::llround(before / count), std::llround(after / count), count};
}

}  // namespace lanelab
