// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/idle_waterfall.h"

#include <cmath>
#include <string_view>

#include "base/text.h"
#include "profiler/analysis/cause_shares.h"
#include "profiler/analysis/idle_replay.h"

namespace lanelab {

namespace {

std::string_view wordsFor(Takes takes) {
  constexpr std::array<std::string_view, 6> kWords = {"this order, with equal stages and F = I = W",
                                                      "with the measured F, I and W",
                                                      "with the measured stages",
                                                      "with transfers",
                                                      "with delays of data, host and others",
                                                      "measured"};
  return kWords[static_cast<std::size_t>(takes)];
}

/// F, I and W are one unit.
double unitLength(Phase phase) {
  constexpr double kUnit = 1e6;
  switch (phase) {
    case Phase::Backward: return 2 * kUnit;
    case Phase::Forward:
    case Phase::BackwardInput:
    case Phase::BackwardWeight: return kUnit;
    default: return 0;
  }
}

class WaterfallFinder {
 public:
  WaterfallFinder(const Trace& trace, const PreparedActions& actions, WindowKind windows)
      : m_traced(actions.traced),
        m_usual(actions.usual),
        m_delays(actions.delays),
        m_replay(m_traced, trace.lanes.size()),
        m_lanes(trace.lanes.size()),
        m_windows(windows) {}

  std::vector<WaterfallStep> find() {
    if (m_traced.by_step.empty()) return {};
    const std::size_t count = m_traced.actions.size();
    ReplayTimes times{std::vector<double>(count), std::vector<double>(count), std::vector<double>(count)};
    for (std::size_t i = 0; i < count; ++i) times.lengths[i] = unitLength(m_traced.actions[i].phase);
    std::vector<WaterfallStep> steps{played(Takes::Order, times)};
    times.lengths = m_usual.equal;
    steps.push_back(played(Takes::Phases, times));
    times.lengths = m_usual.staged;
    steps.push_back(played(Takes::Stages, times));
    for (std::size_t i = 0; i < count; ++i)
      times.transfers[i] = static_cast<double>(queueTime(m_traced.actions[i]) + transferTime(m_traced.actions[i]));
    steps.push_back(played(Takes::Transfers, times));
    for (const std::vector<Nanoseconds>& delays : m_delays)
      for (std::size_t i = 0; i < delays.size(); ++i) times.delays[i] += static_cast<double>(delays[i]);
    steps.push_back(played(Takes::Delays, times));
    return steps;
  }

 private:
  /// Of the lanes that have work in a stretch.
  struct Sums {
    double window = 0;
    double busy = 0;
  };

  WaterfallStep played(Takes takes, const ReplayTimes& times) {
    Sums sums;
    for (const Stretch& stretch : m_traced.stretches) {
      m_replay.play(stretch, times);
      addStretch(stretch, times, sums);
    }
    const double idle = sums.window - sums.busy;
    return {takes, sums.window > 0 ? idle / sums.window : 0, sums.busy > 0 ? idle / sums.busy : 0};
  }

  void addStretch(const Stretch& stretch, const ReplayTimes& times, Sums& sums) {
    std::vector<double> outside(m_lanes, -1);  // of a period: before the lane's first action and after its last
    for (const std::uint32_t item : m_traced.itemsOf(stretch)) {
      const auto lane = static_cast<std::size_t>(m_traced.actions[item].lane);
      sums.busy += times.lengths[item];
      if (outside[lane] < 0) outside[lane] = m_replay.waitsBefore(item) + times.delays[item];
    }
    for (std::size_t lane = 0; lane < m_lanes; ++lane) {
      if (outside[lane] < 0) continue;
      sums.window += m_replay.end();
      if (m_windows == WindowKind::Period) sums.window -= outside[lane] + m_replay.waitsAtEnd(lane);
    }
  }

  const TracedActions& m_traced;
  const UsualLengths& m_usual;
  const CauseDelays& m_delays;
  IdleReplay m_replay;
  std::size_t m_lanes;
  WindowKind m_windows;
};

}  // namespace

std::vector<WaterfallStep> idleWaterfall(const Trace& trace, const IdleCauses& causes) {
  return idleWaterfall(trace, prepareActions(trace), causes);
}

std::vector<WaterfallStep> idleWaterfall(const Trace& trace, const PreparedActions& actions, const IdleCauses& causes) {
  if (trace.extent != Extent::Whole) return {};
  std::vector<WaterfallStep> steps = WaterfallFinder(trace, actions, causes.window_kind).find();
  if (steps.empty()) return steps;
  const auto [window, busy] = workTimes(causes);
  steps.push_back({Takes::All, shareOf(window - busy, window), shareOf(window - busy, busy)});
  return steps;
}

std::vector<WaterfallStep> tellingSteps(const std::vector<WaterfallStep>& waterfall) {
  constexpr double kChange = 0.0005;
  std::vector<WaterfallStep> telling;
  for (const WaterfallStep& step : waterfall) {
    const bool ends = &step == &waterfall.front() || &step == &waterfall.back();
    if (ends || std::abs(step.of_total - telling.back().of_total) >= kChange) telling.push_back(step);
  }
  return telling;
}

std::vector<std::vector<std::string>> waterfallRows(const std::vector<WaterfallStep>& waterfall) {
  std::vector<std::vector<std::string>> rows = {{"Idle share of the lane time", "", ""}};
  double before = 0;
  for (const WaterfallStep& step : tellingSteps(waterfall)) {
    const double change = 100 * (step.of_total - before);
    rows.push_back({std::string(wordsFor(step.takes)), formatPercent(step.of_total),
                    rows.size() == 1 ? std::string() : (change < 0 ? "" : "+") + formatFixed(change, 1)});
    before = step.of_total;
  }
  return rows;
}

}  // namespace lanelab
