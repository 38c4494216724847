// SPDX-License-Identifier: GPL-3.0-only
// list: makes a schedule for any placement from the stages' times, by list scheduling: a lane that falls idle takes the
// most urgent action that is ready and for which there is memory. No such rule is best everywhere, so a few are tried
// and the one that ends first is kept.
#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

#include "engine/schedule/dependencies.h"
#include "engine/schedule/generate_parts.h"

namespace lanelab {
namespace {

constexpr int kProbedCells =
    20000;  // (stage, micro-batch) pairs on which the rules are compared; beyond, a pipeline repeats itself

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
  std::vector<int> most_on_lane;  ///< micro-batches from the first F to the last W of any of the lane's stages

  int stages() const { return static_cast<int>(lane_of_stage.size()); }
};

struct Answer {
  Rows rows;
  std::int64_t end = 0;
};

// A limit cannot block for ever: each stage takes the micro-batches in order, so the oldest unfinished one finds room
// wherever it goes.
class Greedy {
 public:
  Greedy(const Problem& problem, Rule rule)
      : m_problem(problem),
        m_rule(rule),
        m_stages_of_lane(static_cast<std::size_t>(problem.lanes)),
        m_next(problem.lane_of_stage.size()),
        m_free_at(static_cast<std::size_t>(problem.lanes), 0),
        m_ends(problem.stages(), problem.micro_batches) {
    for (std::size_t s = 0; s < m_next.size(); ++s) m_stages_of_lane[problem.lane_of_stage[s].index()].push_back(s);
    m_answer.rows.resize(static_cast<std::size_t>(problem.lanes));
  }

  Answer run() {
    for (std::size_t lane = 0; lane < m_free_at.size(); ++lane) m_moments.push({0, lane});
    while (!m_moments.empty()) {
      const auto [now, lane] = m_moments.top();
      m_moments.pop();
      if (m_free_at[lane] > now) continue;
      if (const auto action = choose(lane, now)) take(lane, now, *action);
    }
    return std::move(m_answer);
  }

 private:
  using Moment = std::pair<std::int64_t, std::size_t>;  ///< a time at which a lane may have something to do
  struct Counts {
    int forwards = 0, inputs = 0, weights = 0;  ///< done or under way
  };
  struct Choice {
    std::optional<Action> urgent;  ///< a ready F or I
    std::optional<Action> weight;  ///< the oldest W
    bool wants_room = false;       ///< an F is ready but for memory
    std::int64_t next_arrival = std::numeric_limits<std::int64_t>::max();
  };

  void take(std::size_t lane, std::int64_t now, const Action& action) {
    const std::size_t stage = action.stage.index();
    const std::int64_t end = now + durationOf(m_problem.times[stage], action.kind);
    m_answer.rows[lane].push_back(action);
    m_answer.end = std::max(m_answer.end, end);
    m_ends.of(action) = end;
    m_free_at[lane] = end;
    m_moments.push({end, lane});
    if (action.kind == ActionKind::BackwardWeight) {
      ++m_next[stage].weights;
      return;
    }
    const bool forward = action.kind == ActionKind::Forward;
    ++(forward ? m_next[stage].forwards : m_next[stage].inputs);
    const std::size_t neighbour = stage + (forward ? 1 : std::size_t(-1));
    if (neighbour < m_next.size()) m_moments.push({end, m_problem.lane_of_stage[neighbour].index()});
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
    if (m_next[stage].forwards - m_next[stage].weights >= m_problem.most_on_stage) return false;
    const std::vector<std::size_t>& stages = m_stages_of_lane[lane];
    if (stage != stages.front() || m_problem.most_on_lane.empty()) return true;
    int finished = m_next[stage].weights;
    for (const std::size_t s : stages) finished = std::min(finished, m_next[s].weights);
    return m_next[stage].forwards - finished < m_problem.most_on_lane[lane];
  }

  const Problem& m_problem;
  Rule m_rule;
  std::vector<std::vector<std::size_t>> m_stages_of_lane;
  std::vector<Counts> m_next;
  std::vector<std::int64_t> m_free_at;
  ActionTimes m_ends;
  Answer m_answer;
  std::priority_queue<Moment, std::vector<Moment>, std::greater<>> m_moments;
};

using Way = std::function<Answer(const Problem&)>;

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
    return Answer{std::move(schedule.lanes), end};
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

}  // namespace

std::vector<std::int64_t> bytesOfLanes(const std::vector<LaneId>& lane_of_stage, int lanes,
                                       const std::vector<std::int64_t>& stage_bytes) {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(lanes), 0);
  for (std::size_t s = 0; s < lane_of_stage.size(); ++s) bytes[lane_of_stage[s].index()] += stage_bytes[s];
  return bytes;
}

Rows listRows(const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches,
              const std::vector<StageTimes>& times, const ScheduleLimits& limits) {
  const int stages = static_cast<int>(lane_of_stage.size());
  Problem problem{lane_of_stage,
                  times,
                  lanes,
                  micro_batches,
                  limits.warm_up.value_or(limits.lane_bytes ? micro_batches : stages),
                  mostOnLanes(lane_of_stage, lanes, micro_batches, limits)};
  problem.micro_batches = std::min(micro_batches, std::max(16, kProbedCells / stages));
  const Way* best_way = nullptr;
  Answer best;
  const std::vector<Way> ways = waysOf(problem);
  for (const Way& way : ways) {
    Answer answer = way(problem);
    if (best_way && answer.end >= best.end) continue;
    best_way = &way;
    best = std::move(answer);
  }
  if (problem.micro_batches == micro_batches) return std::move(best.rows);
  problem.micro_batches = micro_batches;
  return (*best_way)(problem).rows;
}

}  // namespace lanelab
