// SPDX-License-Identifier: GPL-3.0-only
// The period of steps without a barrier. Without contention the ends of lanes and links after a step decide all that
// follows, and each is a maximum of sums of those a step before: the state less its first entry repeats, after one step
// or a few.
#include <algorithm>
#include <cmath>

#include "engine/sim/simulate.h"
#include "engine/sim/step_simulation.h"

namespace lanelab {
namespace {

constexpr int kMostSteps = 24;       // where the state does not repeat, as with contention, the mean of the last half
constexpr double kSameState = 1e-9;  // of a step

class SteadyState {
 public:
  explicit SteadyState(const StepSimulation& simulation) : m_simulation(simulation) {}

  /// Whether the state repeats, and has since the first step that is to be shown.
  bool repeats(int step) {
    m_last = step;
    for (int earlier = step - 1; earlier >= 0; --earlier) {
      if (!same(earlier, step)) continue;
      m_since = earlier;
      m_settled = std::min(m_settled, earlier);
      return m_settled <= step + 1 - kShownSteps;
    }
    m_since = step / 2;
    return false;
  }

  /// Seconds from step to step.
  double period() const {
    double longest = 0;
    for (std::size_t lane = 0; lane < marks(0).starts.size(); ++lane)
      longest = std::max(longest, (marks(m_last).starts[lane] - marks(m_since).starts[lane]) / steps());
    return longest;
  }

  double busy(std::size_t lane) const {
    double sum = 0;
    for (int step = m_since + 1; step <= m_last; ++step) sum += marks(step).busy[lane];
    return sum / steps();
  }

 private:
  const StepMarks& marks(int step) const { return m_simulation.marks()[static_cast<std::size_t>(step)]; }
  int steps() const { return m_last - m_since; }

  /// The later state is the earlier one, moved.
  bool same(int earlier, int later) const {
    const StepMarks &a = marks(earlier), &b = marks(later);
    const std::size_t first = firstLane();
    const double moved = b.starts[first] - a.starts[first];
    const double most = kSameState * moved;
    const auto agree = [&](const std::vector<double>& one, const std::vector<double>& other, auto counts) {
      for (std::size_t i = 0; i < one.size(); ++i)
        if (counts(i) && std::abs(other[i] - one[i] - moved) > most) return false;
      return true;
    };
    const auto works = [&](std::size_t lane) { return m_simulation.hasWork(lane); };
    const auto carries = [&](std::size_t link) { return a.links[link] > 0; };
    return agree(a.starts, b.starts, works) && agree(a.ends, b.ends, works) && agree(a.links, b.links, carries);
  }

  std::size_t firstLane() const {
    std::size_t lane = 0;
    while (!m_simulation.hasWork(lane)) ++lane;
    return lane;
  }

  const StepSimulation& m_simulation;
  int m_last = 0;
  int m_since = 0;             ///< the mean begins after this step
  int m_settled = kMostSteps;  ///< the first step whose state came again
};

/// Times count from the first shown start, steps from 0.
void showFromStart(Simulation& simulation) {
  double start = HUGE_VAL;
  int step = kMostSteps;
  for (const SimulatedLane& lane : simulation.lanes) {
    if (lane.actions.empty()) continue;
    start = std::min(start, lane.actions.front().start);
    step = std::min(step, lane.actions.front().step);
  }
  for (SimulatedLane& lane : simulation.lanes) {
    for (SimulatedAction& action : lane.actions)
      action = {action.action, action.start - start, action.end - start, action.step - step};
  }
  for (SimulatedTransfer& sent : simulation.transfers)
    sent = {sent.producer,      sent.from,        sent.to,         sent.queued - start,
            sent.start - start, sent.end - start, sent.step - step};
}

}  // namespace

Simulation simulateSteady(const Schedule& schedule, const std::vector<Stage>& stages, const StepCosts& costs) {
  StepSimulation simulation(schedule, stages, costs);
  SteadyState steady(simulation);
  Simulation done = simulation.run(kMostSteps, kShownSteps, [&](int step) { return steady.repeats(step); });
  showFromStart(done);
  done.window = WindowKind::Period;
  done.step_seconds = simulation.marks().empty() ? 0 : steady.period();
  for (std::size_t lane = 0; lane < done.lanes.size(); ++lane) {
    done.lanes[lane].busy = simulation.marks().empty() ? 0 : steady.busy(lane);
    done.lanes[lane].idle = std::max(0.0, done.step_seconds - done.lanes[lane].busy);
  }
  return done;
}

}  // namespace lanelab
