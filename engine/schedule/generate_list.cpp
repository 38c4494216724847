// SPDX-License-Identifier: GPL-3.0-only
// list: makes a schedule for any placement from the stages' times, by list scheduling: a lane that falls idle takes the
// most urgent action that is ready and for which there is memory. No such rule is best everywhere, so a few are tried
// and the one that ends first is kept.
#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "engine/schedule/generate_parts.h"
#include "engine/schedule/lane_simulation.h"
#include "engine/schedule/order_choice.h"

namespace lanelab {
namespace {

constexpr double kRoundedOff = 1e-9;

/// When a W fills a gap: in every one, where it overruns by at most half of itself, where it fits; or right after its
/// I.
enum class Fill { Always, Half, Fits, AtOnce };

struct Rule {
  bool inputs_first = true;  ///< I before F, or F before I
  Fill fill = Fill::Always;
};

struct Problem {
  const std::vector<LaneId>& lane_of_stage;
  const std::vector<StageTimes>& times;
  int lanes;
  int micro_batches;
  int most_on_stage;              ///< micro-batches from F to W
  double held_after_input;        ///< as which a micro-batch counts from I to W
  std::vector<int> most_on_lane;  ///< micro-batches from the first F to the last W of any of the lane's stages

  int stages() const { return static_cast<int>(lane_of_stage.size()); }
};

struct TimedRows {
  ActionRows rows;
  std::int64_t end = 0;
};

// A limit cannot block for ever: each stage takes the micro-batches in order, so the oldest unfinished one finds room
// wherever it goes.
class Greedy : LaneSimulation {
 public:
  Greedy(const Problem& problem, Rule rule)
      : LaneSimulation(problem.lane_of_stage, problem.times, problem.lanes, problem.micro_batches),
        m_problem(problem),
        m_rule(rule),
        m_next(problem.lane_of_stage.size()) {}

  TimedRows run() {
    simulate([this](std::size_t lane, std::int64_t now) {
      const std::optional<Action> action = choose(lane, now);
      if (action) ++countOf(*action);
      return action;
    });
    return {std::move(m_rows), lastEnd()};
  }

 private:
  struct Counts {
    int forwards = 0, inputs = 0, weights = 0;  ///< done or under way
  };
  struct Choice {
    std::optional<Action> urgent;  ///< a ready F or I
    std::optional<Action> weight;  ///< the oldest W
    bool wants_room = false;       ///< an F is ready but for memory
    std::int64_t next_arrival = std::numeric_limits<std::int64_t>::max();
  };

  int& countOf(const Action& action) {
    Counts& counts = m_next[action.stage.index()];
    return action.kind == ActionKind::Forward         ? counts.forwards
           : action.kind == ActionKind::BackwardInput ? counts.inputs
                                                      : counts.weights;
  }

  std::optional<Action> choose(std::size_t lane, std::int64_t now) const {
    Choice choice;
    for (const std::size_t stage : m_stages_of_lane[lane]) look(lane, stage, now, choice);
    if (m_rule.fill == Fill::AtOnce && choice.weight) return choice.weight;
    if (choice.urgent || !choice.weight) return choice.urgent;
    const std::int64_t length = durationOf(m_problem.times[choice.weight->stage.index()], ActionKind::BackwardWeight);
    const std::int64_t gap = choice.next_arrival - now;
    const bool fills = m_rule.fill == Fill::Always || (m_rule.fill == Fill::Half ? gap >= length / 2 : gap >= length);
    return choice.wants_room || fills ? choice.weight : std::nullopt;
  }

  void look(std::size_t lane, std::size_t stage, std::int64_t now, Choice& choice) const {
    const Counts& next = m_next[stage];
    const auto action = [&](ActionKind kind, int k) { return Action{StageId(stage), kind, MicroBatchId(k)}; };
    if (next.weights < next.inputs) {
      const Action weight = action(ActionKind::BackwardWeight, next.weights);
      if (!choice.weight || weight.micro_batch < choice.weight->micro_batch) choice.weight = weight;
    }
    if (next.inputs < next.forwards) consider(action(ActionKind::BackwardInput, next.inputs), now, true, choice);
    if (next.forwards < m_problem.micro_batches)
      consider(action(ActionKind::Forward, next.forwards), now, hasRoom(lane, stage), choice);
  }

  void consider(const Action& action, std::int64_t now, bool room, Choice& choice) const {
    const std::int64_t ready = readyTime(action, m_problem.stages(), m_ends);
    if (ready < 0) return;
    if (ready > now) {
      choice.next_arrival = std::min(choice.next_arrival, ready);
    } else if (!room) {
      choice.wants_room = true;
    } else if (!choice.urgent || goesFirst(action, *choice.urgent)) {
      choice.urgent = action;
    }
  }

  bool goesFirst(const Action& a, const Action& b) const {
    if (a.kind != b.kind) return (a.kind == ActionKind::BackwardInput) == m_rule.inputs_first;
    if (a.micro_batch != b.micro_batch) return a.micro_batch < b.micro_batch;
    return a.kind == ActionKind::Forward ? a.stage > b.stage : a.stage < b.stage;
  }

  bool hasRoom(std::size_t lane, std::size_t stage) const {
    const Counts& next = m_next[stage];
    const double held = next.forwards - next.inputs + m_problem.held_after_input * (next.inputs - next.weights);
    if (held + 1 > m_problem.most_on_stage + kRoundedOff) return false;
    const std::vector<std::size_t>& stages = m_stages_of_lane[lane];
    if (stage != stages.front() || m_problem.most_on_lane.empty()) return true;
    int finished = m_next[stage].weights;
    for (const std::size_t s : stages) finished = std::min(finished, m_next[s].weights);
    return m_next[stage].forwards - finished < m_problem.most_on_lane[lane];
  }

  const Problem& m_problem;
  Rule m_rule;
  std::vector<Counts> m_next;
};

using Way = std::function<TimedRows(const Problem&)>;

Way greedyWay(Rule rule) {
  return [rule](const Problem& problem) { return Greedy(problem, rule).run(); };
}

// zb-h1 with its W put off, or with each W right after its I.
Way orderedWay(bool delayed) {
  return [delayed](const Problem& p) {
    const auto orders = splitOrders(p.stages(), p.micro_batches, p.most_on_stage, delayed);
    Schedule schedule{p.stages(), p.micro_batches,
                      mergeOrders(orders, p.lane_of_stage, p.times, p.lanes, p.micro_batches)};
    const std::int64_t end = lastEnd(schedule, p.times);
    return TimedRows{std::move(schedule.lanes), end};
  };
}

std::vector<Way> waysOf(const Problem& problem) {
  std::vector<Way> ways;
  if (problem.most_on_lane.empty()) ways = {orderedWay(true), orderedWay(false)};
  for (const bool inputs_first : {true, false}) {
    for (const Fill fill : {Fill::Always, Fill::Half, Fill::Fits, Fill::AtOnce})
      ways.push_back(greedyWay({inputs_first, fill}));
  }
  return ways;
}

std::vector<int> mostOnLanes(const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches,
                             const ScheduleLimits& limits) {
  std::vector<int> most;
  if (!limits.lane_bytes) return most;
  for (const std::int64_t bytes : bytesOfLanes(lane_of_stage, lanes, limits.stage_bytes))
    most.push_back(bytes == 0 ? micro_batches
                              : static_cast<int>(std::min<std::int64_t>(micro_batches, *limits.lane_bytes / bytes)));
  return most;
}

struct Answer {
  const Way* way;
  int limit;
  Schedule schedule;
  OrderCost cost;
};

Answer bestOf(const Problem& problem, const std::vector<Way>& ways, WindowKind window) {
  std::optional<Answer> best;
  for (const Way& way : ways) {
    TimedRows made = way(problem);
    Schedule schedule{problem.stages(), problem.micro_batches, std::move(made.rows)};
    const OrderCost cost = costOf(schedule, made.end, problem.times, window);
    if (!best || isBetter(cost, best->cost))
      best.emplace(Answer{&way, problem.most_on_stage, std::move(schedule), cost});
  }
  return std::move(*best);
}

/// What a stage holds at most, to choose from.
std::vector<int> limitsToTry(int stages, int micro_batches, const ScheduleLimits& limits, WindowKind window) {
  if (limits.warm_up) return {*limits.warm_up};
  if (limits.lane_bytes) return {micro_batches};
  return depthsToTry(stages, 2 * stages, window);
}

}  // namespace

std::vector<std::int64_t> bytesOfLanes(const std::vector<LaneId>& lane_of_stage, int lanes,
                                       const std::vector<std::int64_t>& stage_bytes) {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(lanes), 0);
  for (std::size_t s = 0; s < lane_of_stage.size(); ++s) bytes[lane_of_stage[s].index()] += stage_bytes[s];
  return bytes;
}

ActionRows listRows(const ScheduleRequest& request) {
  const auto& [lane_of_stage, lanes, micro_batches, window, times, limits] = request;
  const int stages = request.stages();
  Problem problem{lane_of_stage,
                  times,
                  lanes,
                  triedMicroBatches(stages, micro_batches),
                  stages,
                  limits.held_after_input,
                  mostOnLanes(lane_of_stage, lanes, micro_batches, limits)};
  const std::vector<Way> ways = waysOf(problem);
  std::optional<Answer> best;
  for (const int limit : limitsToTry(stages, micro_batches, limits, window)) {
    problem.most_on_stage = limit;
    Answer answer = bestOf(problem, ways, window);
    if (!best || isWorthMore(answer.cost, best->cost)) best.emplace(std::move(answer));
    if (best->cost.window <= static_cast<double>(busiestLane(best->schedule, times))) break;
  }
  if (problem.micro_batches == micro_batches) return std::move(best->schedule.lanes);
  problem.most_on_stage = best->limit;
  problem.micro_batches = micro_batches;
  return (*best->way)(problem).rows;
}

}  // namespace lanelab
