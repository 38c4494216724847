// SPDX-License-Identifier: GPL-3.0-only
// The lanes of a variant in thought, one step after another: the part that simulate.h and steady_state.h share.
//
// Each lane does its row of a step, updates included, then its row of the next; nothing else holds a step back. Seconds
// from the first step's first action. Used once; one thread.
#pragma once

#include <functional>
#include <queue>
#include <tuple>
#include <vector>

#include "engine/sim/simulate.h"

namespace lanelab {

/// What a stage's actions take on its lane, overhead included, and its output's way on.
struct StageSeconds {
  double forward = 0;
  double backward = 0;
  double input = 0;
  double weight = 0;
  double update = 0;  ///< 0: none is done
  double transfer = 0;
  double transfer_before = 0;  ///< of the gradient, over the boundary before the stage

  double of(ActionKind kind) const;
};

/// `common` gives what does not depend on the micro-batch's size.
StageSeconds secondsOf(const Stage& stage, const CostModel& costs, const CostModel& common);

/// When a step held each lane and link; by lane of the schedule, 0 for lanes without work.
struct StepMarks {
  std::vector<double> starts;  ///< of the lane's first action
  std::vector<double> ends;    ///< of its last one
  std::vector<double> busy;
  std::vector<double> links;  ///< when each link had carried the step's last message
  int lanes_left = 0;         ///< that have not done the step yet
};

class StepSimulation {
 public:
  /// As simulate() says, which is asserted; the three outlive it.
  StepSimulation(const Schedule& schedule, const std::vector<Stage>& stages, const StepCosts& costs);

  /// Simulates `most` steps, or fewer: `enough(step)` is asked after each step that all lanes have done, from 0. The
  /// actions and transfers of the last `retained` done steps remain. Lanes' busy and idle times are left to the caller.
  Simulation run(int most, int retained, const std::function<bool(int step)>& enough);

  const std::vector<StepMarks>& marks() const { return m_marks; }
  bool hasWork(std::size_t lane) const { return !m_rows[lane].empty(); }

 private:
  enum Direction : std::size_t { Onward, Back };

  struct ActionEnd {
    double virtual_end;
    std::size_t lane;
    bool operator>(const ActionEnd& other) const {
      return std::tie(virtual_end, lane) > std::tie(other.virtual_end, other.lane);
    }
  };
  struct Arrival {
    double time;
    std::size_t input;  ///< index into m_arrived
    std::size_t lane;
    bool operator>(const Arrival& other) const { return std::tie(time, input) > std::tie(other.time, other.input); }
  };
  template <class T>
  using Earliest = std::priority_queue<T, std::vector<T>, std::greater<>>;

  const StageSeconds& secondsFor(const Action& action) const;
  double slowdown() const;
  double timeOf(double virtual_time) const;
  void advanceTo(double time);
  std::size_t inputOf(std::size_t stage, MicroBatchId k, Direction direction) const;
  bool ready(const Action& action, int step) const;
  StepMarks& marksOf(int step);
  bool enterStep(std::size_t lane);
  void startNext(std::size_t lane);
  void finish(ActionEnd ended, double time);
  void finishStep(std::size_t lane);
  void send(const Action& action, std::size_t lane);
  void sendTo(std::size_t stage, Direction direction, const Action& action, std::size_t lane, double seconds);
  void arrive(Arrival arrival);
  void retainSteps(int first, int last);

  const Schedule& m_schedule;
  const std::vector<Stage>& m_stages;
  StageLanes m_lanes;
  std::vector<StageSeconds> m_whole;
  std::vector<StageSeconds> m_last;
  double m_contention;
  ActionRows m_rows;
  std::vector<std::size_t> m_next;  ///< by lane, in its row of m_step
  std::vector<int> m_step;
  std::vector<bool> m_running;
  std::vector<double> m_link_free;
  std::vector<int> m_arrived;  ///< how many steps' message has come; a step's comes after the one before
  std::vector<StepMarks> m_marks;
  int m_working = 0;  ///< lanes that have work
  int m_most = 1;
  int m_retained = 1;
  std::function<bool(int)> m_enough;
  bool m_ended = false;
  int m_computing = 0;
  double m_now = 0;
  double m_virtual_now = 0;
  Earliest<ActionEnd> m_ends;
  Earliest<Arrival> m_arrivals;
  Simulation m_result;
};

}  // namespace lanelab
