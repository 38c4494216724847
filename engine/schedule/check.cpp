// SPDX-License-Identifier: GPL-3.0-only
#include "engine/schedule/check.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "engine/schedule/dependencies.h"

namespace lanelab {
namespace {

using Kind = ScheduleProblem::Kind;

constexpr std::size_t kMostProblems = 20;  // a list that a user still reads

std::string laneName(std::size_t lane) { return "lane " + std::to_string(lane); }

// Whether every action is there once, on its stage's lane, and nothing else is.
class Inventory {
 public:
  Inventory(const Schedule& schedule, const StageLanes& lanes) : m_schedule(schedule), m_lanes(lanes) {}

  std::vector<ScheduleProblem> problems() {
    for (std::size_t lane = 0; lane < m_schedule.lanes.size(); ++lane) {
      for (const Action& action : m_schedule.lanes[lane]) note(lane, action);
    }
    findMissing();
    return std::move(m_problems);
  }

 private:
  static unsigned bitOf(ActionKind kind) { return 1U << static_cast<unsigned>(kind); }
  static constexpr unsigned kForward = 1, kBackward = 2, kInput = 4, kWeight = 8;  ///< in the order of ActionKind

  template <class... Values>
  void report(Kind kind, MessageCode<std::type_identity_t<Values>...> code, const Values&... values) {
    if (m_problems.size() < kMostProblems) m_problems.emplace_back(kind, sentence<Values...>(code, values...));
  }

  bool known(const Action& action) const {
    return action.kind != ActionKind::Update && action.stage.value >= 0 && action.stage.value < m_schedule.stages &&
           action.micro_batch.value >= 0 && action.micro_batch.value < m_schedule.micro_batches &&
           action.stage.index() < m_lanes[0].size();
  }

  std::uint64_t keyOf(StageId stage, MicroBatchId k) const {
    return static_cast<std::uint64_t>(stage.index()) * static_cast<std::uint64_t>(m_schedule.micro_batches) + k.index();
  }

  void note(std::size_t lane, const Action& action) {
    if (!known(action)) {
      report(Kind::UnknownAction,
             "{} holds {}, but the schedule has stages 0 to {} and micro-batches 0 to {}, each with F and B (updates "
             "follow by themselves): remove it.",
             laneName(lane), toString(action), m_schedule.stages - 1, m_schedule.micro_batches - 1);
      return;
    }
    const LaneId home =
        m_lanes[static_cast<std::size_t>(replicaOf(m_schedule, action.micro_batch))][action.stage.index()];
    if (home.index() != lane) {
      report(Kind::WrongLane, "{} is on {}, but stage {} is on {}: move it there.", toString(action), laneName(lane),
             action.stage.value, laneName(home.index()));
    }
    unsigned& seen = m_seen[keyOf(action.stage, action.micro_batch)];
    const unsigned bit = bitOf(action.kind);
    const bool split_and_whole = (bit == kBackward && (seen & (kInput | kWeight))) ||
                                 (bit != kBackward && bit != kForward && (seen & kBackward));
    if (seen & bit)
      report(Kind::DoubleAction, "{} appears twice, the second time on {}: remove one.", toString(action),
             laneName(lane));
    if (split_and_whole) {
      report(Kind::DoubleAction, "{} on {} repeats a backward that is there already: use either B, or I and W.",
             toString(action), laneName(lane));
    }
    seen |= bit;
  }

  // Stops after a list that a user reads, so its cost is that of the actions seen even when the claimed counts are
  // huge.
  void findMissing() {
    const int stages = std::max(m_schedule.stages, static_cast<int>(m_lanes[0].size()));
    for (int s = 0; s < stages; ++s) {
      for (int k = 0; k < m_schedule.micro_batches; ++k) {
        if (m_problems.size() >= kMostProblems) return;
        const auto found = m_seen.find(keyOf(StageId(s), MicroBatchId(k)));
        const unsigned seen = found == m_seen.end() ? 0 : found->second;
        const auto missing = [&](ActionKind kind) {
          report(Kind::MissingAction, "{} is missing: add it to the row of stage {}'s lane.",
                 toString(Action{StageId(s), kind, MicroBatchId(k)}), s);
        };
        if (!(seen & kForward)) missing(ActionKind::Forward);
        if (!(seen & (kBackward | kInput | kWeight))) missing(ActionKind::Backward);
        if (seen & kBackward) continue;
        if ((seen & kWeight) && !(seen & kInput)) missing(ActionKind::BackwardInput);
        if ((seen & kInput) && !(seen & kWeight)) missing(ActionKind::BackwardWeight);
      }
    }
  }

  const Schedule& m_schedule;
  const StageLanes& m_lanes;
  std::unordered_map<std::uint64_t, unsigned> m_seen;
  std::vector<ScheduleProblem> m_problems;
};

// Executes the lanes side by side without time: each lane continues until something is missing and is woken when that
// is done, so every action is looked at a bounded number of times.
class DryRun {
 public:
  explicit DryRun(const Schedule& schedule)
      : m_schedule(schedule),
        m_done(schedule.stages, schedule.micro_batches),
        m_next(schedule.lanes.size(), 0),
        m_sleeper(m_done.size(), -1) {}

  std::optional<ScheduleProblem> run() {
    for (std::size_t lane = 0; lane < m_next.size(); ++lane) m_awake.push_back(lane);
    while (!m_awake.empty()) {
      const std::size_t lane = m_awake.back();
      m_awake.pop_back();
      advance(lane);
    }
    for (std::size_t lane = 0; lane < m_next.size(); ++lane) {
      if (m_next[lane] < m_schedule.lanes[lane].size()) return nameDeadlock(lane);
    }
    return std::nullopt;
  }

 private:
  const Action& current(std::size_t lane) const { return m_schedule.lanes[lane][m_next[lane]]; }

  void advance(std::size_t lane) {
    for (; m_next[lane] < m_schedule.lanes[lane].size(); ++m_next[lane]) {
      const Action& action = current(lane);
      if (const auto missing = missingFor(action, m_schedule.stages, m_done)) {
        sleep(lane, *missing);
        return;
      }
      m_done.of(action) = 0;
      wake(action);
    }
  }

  // A result can have two readers: the next stage and the same stage's own later action, both perhaps on lanes of their
  // own.
  void sleep(std::size_t lane, const Action& wanted) {
    m_sleepers_next.resize(m_next.size(), -1);
    int& first = m_sleeper[m_done.indexOf(wanted)];
    m_sleepers_next[lane] = first;
    first = static_cast<int>(lane);
  }

  void wake(const Action& action) {
    int& first = m_sleeper[m_done.indexOf(action)];
    for (int lane = first; lane >= 0; lane = m_sleepers_next[static_cast<std::size_t>(lane)])
      m_awake.push_back(static_cast<std::size_t>(lane));
    first = -1;
  }

  // Where an action that has not run lies: by phase of its (stage, micro-batch), B and I alike.
  std::size_t laneHolding(const Action& wanted, Action& as_written) const {
    for (std::size_t lane = 0; lane < m_next.size(); ++lane) {
      for (std::size_t i = m_next[lane]; i < m_schedule.lanes[lane].size(); ++i) {
        const Action& action = m_schedule.lanes[lane][i];
        if (m_done.indexOf(action) != m_done.indexOf(wanted)) continue;
        as_written = action;
        return lane;
      }
    }
    return m_next.size();
  }

  // Follows "waits for a result of" from lane to lane until it closes; every stuck lane waits for another stuck one, or
  // for itself.
  ScheduleProblem nameDeadlock(std::size_t lane) const {
    std::vector<std::size_t> chain;
    std::vector<std::string> sentences;
    while (std::ranges::find(chain, lane) == chain.end()) {
      Action wanted = *missingFor(current(lane), m_schedule.stages, m_done);
      const std::size_t holder = laneHolding(wanted, wanted);
      chain.push_back(lane);
      sentences.push_back(laneName(lane) + " waits at " + toString(current(lane)) + " for " + toString(wanted));
      lane = holder;
    }
    const auto begin = static_cast<std::size_t>(std::ranges::find(chain, lane) - chain.begin());
    std::string circle = sentences[begin];
    if (begin + 1 == sentences.size())
      return {Kind::Deadlock, sentence("Deadlock: {}, which comes later on the same lane.", circle)};
    for (std::size_t i = begin + 1; i < sentences.size(); ++i)
      circle += (i == begin + 1 ? ", while " : ", and ") + sentences[i];
    return {Kind::Deadlock, sentence("Deadlock: {}.", circle)};
  }

  const Schedule& m_schedule;
  ActionTimes m_done;
  std::vector<std::size_t> m_next;
  std::vector<int> m_sleeper;        ///< for each action the first lane that waits for it
  std::vector<int> m_sleepers_next;  ///< for each lane the next one that waits for the same action
  std::vector<std::size_t> m_awake;
};

}  // namespace

std::vector<ScheduleProblem> checkSchedule(const Schedule& schedule, const std::vector<LaneId>& lane_of_stage) {
  return checkSchedule(schedule, StageLanes{lane_of_stage});
}

std::vector<ScheduleProblem> checkSchedule(const Schedule& schedule, const StageLanes& lanes) {
  std::vector<ScheduleProblem> problems = Inventory(schedule, lanes).problems();
  if (!problems.empty()) return problems;
  if (const auto deadlock = DryRun(schedule).run()) problems.push_back(*deadlock);
  return problems;
}

}  // namespace lanelab
