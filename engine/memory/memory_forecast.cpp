// SPDX-License-Identifier: GPL-3.0-only
#include "engine/memory/memory_forecast.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "engine/schedule/lane_simulation.h"

namespace lanelab {
namespace {

/// Forward 1, backward 2, its parts 1 each, times the stage's MACs.
class Clock {
 public:
  explicit Clock(const ForecastQuestion& q)
      : m_starts(q.schedule.stages, q.schedule.micro_batches), m_ends(m_starts), m_complete(run(q)) {}

  /// False when lanes wait for each other for ever.
  bool complete() const { return m_complete; }
  std::int64_t startOf(const Action& action) const { return m_starts.of(action); }
  std::int64_t endOf(const Action& action) const { return m_ends.of(action); }
  /// The end of the backward, whole or its input part; and of what follows it where it is split.
  std::int64_t endOfBackward(StageId stage, MicroBatchId k) const { return endOf({stage, ActionKind::Backward, k}); }
  std::int64_t endOfWeights(StageId stage, MicroBatchId k) const {
    return std::max(endOfBackward(stage, k), endOf({stage, ActionKind::BackwardWeight, k}));
  }
  std::int64_t endOfUse(StageId stage, MicroBatchId k, bool for_weights) const {
    return for_weights ? endOfWeights(stage, k) : endOfBackward(stage, k);
  }

 private:
  bool run(const ForecastQuestion& q) {
    const auto duration = [&](const Action& action) {
      const std::int64_t macs = costOf(q.model, q.stages[action.stage.index()]).macs;
      const std::int64_t forward = std::max<std::int64_t>(1, macs / 1000 * q.micro_batches.size(action.micro_batch));
      return action.kind == ActionKind::Backward ? 2 * forward : forward;
    };
    std::vector<std::int64_t> free_at(q.schedule.lanes.size(), 0);
    return runInOrder(q.schedule, m_ends, free_at, duration,
                      [this](std::size_t, const Action& action, std::int64_t start) { m_starts.of(action) = start; });
  }

  ActionTimes m_starts, m_ends;
  bool m_complete;
};

/// One lane from the beginning of a step to its end.
class LaneWalk {
 public:
  LaneWalk(const ForecastQuestion& question, const Clock& clock, const std::vector<StageMemory>& stages,
           std::size_t lane)
      : m_q(question),
        m_clock(clock),
        m_stages(stages),
        m_lane(lane),
        m_backwards_left(m_q.stages.size(), m_q.schedule.micro_batches) {}

  LaneForecast walk() {
    if (m_q.schedule.lanes[m_lane].empty()) return {};
    begin();
    for (const Action& action : m_q.schedule.lanes[m_lane]) {
      letGoUntil(m_clock.startOf(action));
      perform(action);
      if (endsBackward(action.kind) && --m_backwards_left[action.stage.index()] == 0) update(action.stage);
    }
    m_forecast.resting = {m_level.parameters, m_level.gradients, m_level.optimizer, 0, 0, 0};
    return m_forecast;
  }

 private:
  LaneMemoryTraits traits() const { return m_q.lanes[m_lane]; }
  bool sameMemory(StageId other) const {
    return m_q.lanes[m_q.stages[other.index()].lane.index()].memory == traits().memory;
  }
  bool isFirst(StageId stage) const { return stage.value == 0; }
  bool isLast(StageId stage) const { return stage.index() + 1 == m_q.stages.size(); }

  void begin() {
    for (const Stage& placed : m_q.stages) {
      if (placed.lane.index() != m_lane) continue;
      const StageMemory& stage = m_stages[placed.id.index()];
      m_level += stage.resident();
      if (m_q.training.steps > 1) m_level.optimizer += stage.optimizerBytes();
      // The host's samples are fp32: a lane that computes in other numbers, or in memory of its own, has them as a
      // copy.
      if (isFirst(placed.id) && (traits().cpu_threads == 0 || m_q.training.element_bytes != 4))
        m_level.transfers += stage.inputBytes(m_q.micro_batches.batch);
    }
    m_forecast = {m_level, m_q.schedule.lanes[m_lane].front(), {}};
  }

  void letGoUntil(std::int64_t time) {
    const auto end = m_releases.upper_bound(time);
    for (auto release = m_releases.begin(); release != end; ++release) m_level += release->second;
    m_releases.erase(m_releases.begin(), end);
  }

  void take(const Action& action, const ActionMemory& memory) {
    MemoryParts highest = m_level;
    highest += memory.highest;
    if (highest.total() > m_forecast.at_peak.total()) m_forecast = {highest, action, {}};
    m_level += memory.after;
  }

  /// Whether this action makes the first gradients of its stage's parameters in the step: an input part makes the batch
  /// norms', a weight part the others'.
  bool makesGradients(const Action& action) {
    bool makes = false;
    if (action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardInput)
      makes = m_norms_made.insert(action.stage).second;
    if (action.kind == ActionKind::Backward || action.kind == ActionKind::BackwardWeight)
      makes = m_weights_made.insert(action.stage).second;
    return makes;
  }

  void perform(const Action& action) {
    const StageMemory& stage = m_stages[action.stage.index()];
    const int samples = m_q.micro_batches.size(action.micro_batch);
    ActionMemory memory = memoryOf(action, samples, makesGradients(action));
    const bool copies_input = !isFirst(action.stage) && !sameMemory(StageId(action.stage.value - 1));
    const bool copies_gradient = !isLast(action.stage) && !sameMemory(StageId(action.stage.value + 1));
    if (action.kind == ActionKind::Forward && copies_input) memory.highest.transfers += stage.inputBytes(samples);
    if (action.kind != ActionKind::Forward && action.kind != ActionKind::BackwardWeight && copies_gradient)
      memory.highest.transfers += stage.outputBytes(samples);
    take(action, memory);
    if (action.kind == ActionKind::Forward) {
      if (copies_input) holdInput(action, samples);
      if (!isLast(action.stage)) lendOutput(action, samples);
    } else if (action.kind != ActionKind::BackwardWeight && !isFirst(action.stage)) {
      sendGradient(action, samples);
    }
  }

  const ActionMemory& memoryOf(const Action& action, int samples, bool first) {
    const auto key = std::make_tuple(action.stage, action.kind, samples, first);
    const auto known = m_known.find(key);
    return known != m_known.end() ? known->second : m_known.emplace(key, ask(action, samples, first)).first->second;
  }

  ActionMemory ask(const Action& action, int samples, bool first) const {
    const StageMemory& stage = m_stages[action.stage.index()];
    switch (action.kind) {
      case ActionKind::Forward: return stage.forward(samples);
      case ActionKind::Backward: return stage.backward(samples, first);
      case ActionKind::BackwardInput: return stage.backward(samples, first, /*input_only=*/true);
      case ActionKind::BackwardWeight: return stage.backwardWeight(samples, first);
      case ActionKind::Update: break;
    }
    return stage.update();
  }

  void retainUntil(std::int64_t time, const MemoryParts& taken, const MemoryParts& given) {
    m_level += taken;
    m_releases.emplace(time, given);
  }

  void holdInput(const Action& action, int samples) {
    const StageMemory& stage = m_stages[action.stage.index()];
    const std::int64_t bytes = stage.inputBytes(samples);
    retainUntil(m_clock.endOfUse(action.stage, action.micro_batch, stage.weightsNeedInput()), {.transfers = bytes},
                {.transfers = -bytes});
  }

  // An output stays until this stage's own backward has let go of it, and each stage behind that reads the very same
  // tensor, or hands it on.
  void lendOutput(const Action& action, int samples) {
    const bool again = m_q.training.recomputeOf(action.stage) == Recompute::Stage;
    for (const PassedTensor& sent : m_stages[action.stage.index()].sentTensors(samples)) {
      std::int64_t until = again ? 0 : m_clock.endOfUse(action.stage, action.micro_batch, sent.for_weights);
      for (StageId reader(action.stage.value + 1);; reader = StageId(reader.value + 1)) {
        if (!sameMemory(reader)) {
          until = std::max(until, m_clock.endOf({reader, ActionKind::Forward, action.micro_batch}));
          break;
        }
        const StageMemory& stage = m_stages[reader.index()];
        until = std::max(until, m_clock.endOfUse(reader, action.micro_batch, stage.weightsNeedInput(sent.tensor)));
        if (!stage.handsOn(sent.tensor)) break;
      }
      retainUntil(until, {.activations = sent.bytes}, {.activations = -sent.bytes});
    }
  }

  // A gradient for a stage before stays until the backward is done that uses it.
  void sendGradient(const Action& action, int samples) {
    const bool input_only = action.kind == ActionKind::BackwardInput;
    for (const PassedTensor& sent : sentGradients(action, samples, input_only)) {
      std::int64_t until = sent.for_weights ? m_clock.endOfWeights(action.stage, action.micro_batch) : 0;
      for (StageId user(action.stage.value - 1);; user = StageId(user.value - 1)) {
        const StageMemory& stage = m_stages[user.index()];
        until = std::max(until, m_clock.endOfUse(user, action.micro_batch, stage.weightsNeedGradient(sent.tensor)));
        if (!stage.handsGradientBack(sent.tensor)) break;
      }
      retainUntil(until, {.transfers = sent.bytes}, {.transfers = -sent.bytes});
    }
  }

  const std::vector<PassedTensor>& sentGradients(const Action& action, int samples, bool input_only) {
    const auto key = std::make_tuple(action.stage, samples, input_only);
    const auto known = m_sent_gradients.find(key);
    if (known != m_sent_gradients.end()) return known->second;
    return m_sent_gradients.emplace(key, m_stages[action.stage.index()].sentGradients(samples, input_only))
        .first->second;
  }

  void update(StageId stage) {
    const Action action{stage, ActionKind::Update, MicroBatchId(0)};
    take(action, memoryOf(action, 0, false));
  }

  const ForecastQuestion& m_q;
  const Clock& m_clock;
  const std::vector<StageMemory>& m_stages;
  const std::size_t m_lane;
  std::vector<int> m_backwards_left;
  std::map<std::tuple<StageId, ActionKind, int, bool>, ActionMemory> m_known;
  std::map<std::tuple<StageId, int, bool>, std::vector<PassedTensor>> m_sent_gradients;
  std::set<StageId> m_norms_made, m_weights_made;
  std::multimap<std::int64_t, MemoryParts> m_releases;  ///< what goes when another lane is done with it, by the time
  MemoryParts m_level;
  LaneForecast m_forecast;
};

}  // namespace

std::vector<LaneForecast> forecastMemory(const ForecastQuestion& question) {
  const Clock clock(question);
  if (!clock.complete()) return {};
  std::vector<StageMemory> stages;
  for (const Stage& stage : question.stages)
    stages.emplace_back(question.model, stage, question.training, question.lanes[stage.lane.index()].cpu_threads);
  std::vector<LaneForecast> forecasts;
  for (std::size_t lane = 0; lane < question.schedule.lanes.size(); ++lane)
    forecasts.push_back(LaneWalk(question, clock, stages, lane).walk());
  return forecasts;
}

}  // namespace lanelab
