// SPDX-License-Identifier: GPL-3.0-only
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <thread>

#include "base/quantile.h"
#include "engine/advise/stage_moves.h"
#include "engine/lanes/lane_infos.h"
#include "profiler/replay/changed_steps.h"
#include "profiler/trace/step_periods.h"
#include "tests/bench/benches.h"
#include "tests/support/fake_executor.h"
#include "tests/support/prepared.h"
#include "tests/support/stopwatch.h"

namespace lanelab::bench {

namespace {

constexpr int kImposedChanges = 20;
constexpr int kImposedSteps = 8;
constexpr int kMostRounds = 40;
constexpr double kAgreeing = 1.01;  ///< the second fastest round over the fastest
constexpr int kAnswers = 40;
constexpr double kNear = 0.05;

Phase phaseOfKind(ActionKind kind) {
  constexpr std::array kPhases = {Phase::Forward, Phase::Backward, Phase::BackwardInput, Phase::BackwardWeight,
                                  Phase::Update};
  return kPhases[static_cast<std::size_t>(kind)];
}

void spin(double nanoseconds) {
  const Nanoseconds until = monotonicNow() + std::llround(nanoseconds);
  while (monotonicNow() < until) std::this_thread::yield();
}

double meanSeconds(const Trace& trace, std::optional<int> step) {
  const std::vector<Nanoseconds> periods = stepPeriods(trace);
  const Nanoseconds length = step ? periods.at(static_cast<std::size_t>(*step)) : meanStepPeriod(trace).value_or(0);
  return 1e-9 * static_cast<double>(length);
}

/// A pipeline of two lanes with stages that only take time; the seed decides its schedule, size and times.
class TimedPipeline {
 public:
  explicit TimedPipeline(unsigned seed) : m_random(seed) {
    m_experiment.name = "drag";
    m_experiment.model.arch = "resnet18";
    m_experiment.model.classes = 10;
    m_experiment.data.shape = {3, 64, 64};
    m_experiment.data.batch = 8;
    for (int lane = 0; lane < 2; ++lane) m_experiment.lanes.push_back({Device::cpu(lane), "", 1});
    VariantConfig variant;
    variant.name = "Pipeline";
    variant.strategy = Strategy::Pipeline;
    const bool rounds = upTo(3) == 0;
    variant.schedule = rounds         ? ScheduleKind::InterleavedOneFOneB
                       : upTo(2) == 0 ? ScheduleKind::Gpipe
                                      : ScheduleKind::OneFOneB;
    variant.split_size = std::array{1, 2}[static_cast<std::size_t>(upTo(2))];
    variant.cuts =
        rounds ? std::vector<std::string>{"layer2.0", "layer3.0", "layer4.0"} : std::vector<std::string>{"layer3.0"};
    m_experiment.variants = {variant};
    m_resolution = resolve(m_experiment);
    if (!variantPlan().ok()) throw std::runtime_error(variantPlan().error().message);
    for (std::size_t stage = 0; stage < variantPlan()->stages.size(); ++stage)
      m_lengths.push_back(1e6 * (1.5 + 0.1 * upTo(20)));
  }

  int upTo(int n) { return static_cast<int>(m_random() % static_cast<unsigned>(n)); }
  const ResolvedVariant& variant() const { return m_resolution->variants().front(); }
  const Result<VariantPlan>& variantPlan() const { return variant().plan(); }

  /// With the changes imposed on what lanes do; of several rounds the fastest, until two
  /// agree: other processes only ever add.
  std::shared_ptr<const Trace> run(const ResolvedVariant& ran, const WhatIf& imposed, std::optional<int> step) const {
    FakeBehaviour behaviour;
    const VariantPlan& now = *ran.plan();
    behaviour.before = [&](LaneId, const Action& action, int number) { spin(lengthOf(now, action, number, imposed)); };
    const auto executor = makeFakeExecutor(behaviour);
    Result<std::unique_ptr<Session>> session = prepare(*executor, ran, kImposedSteps);
    if (!session.ok()) throw std::runtime_error(session.error().message);
    std::shared_ptr<const Trace> fastest;
    double first = 1e9, second = 1e9;
    for (int round = 0; round < 2 || (round < kMostRounds && second > kAgreeing * first); ++round) {
      TraceBuilder trace("Pipeline", laneInfos(m_experiment.lanes));
      const RepeatOutcome outcome = (*session)->runRepeat({.trace = &trace});
      if (!outcome.failure.ok()) throw std::runtime_error(outcome.failure.error().message);
      const auto recorded = trace.snapshot();
      const double seconds = meanSeconds(*recorded, step);
      second = std::min(second, std::max(first, seconds));
      if (seconds < first) fastest = recorded;
      first = std::min(first, seconds);
    }
    return fastest;
  }

 private:
  double lengthOf(const VariantPlan& now, const Action& action, int step, const WhatIf& imposed) const {
    const Stage& whole = now.stages[action.stage.index()];
    double length = 0;
    for (const Stage& part : variantPlan()->stages) {
      if (part.first < whole.first || whole.end < part.end) continue;
      TracedAction meant;
      meant.step = step;
      meant.stage = static_cast<std::int16_t>(part.id.value);
      meant.micro_batch = static_cast<std::int16_t>(action.micro_batch.value);
      meant.phase = phaseOfKind(action.kind);
      meant.lane = part.lane.value;
      const double share = action.kind == ActionKind::Backward ? 2 : action.kind == ActionKind::Update ? 0.2 : 1;
      length += m_lengths[part.id.index()] * share * factorOf(imposed, meant, false);
    }
    return length;
  }

  std::mt19937 m_random;
  Experiment m_experiment;
  std::shared_ptr<const Resolution> m_resolution;
  std::vector<double> m_lengths;  ///< of a forward, nanoseconds
};

struct ImposedChange {
  std::string words;
  double measured = 0;  ///< seconds a step, as are the others
  double predicted = 0;
  double imposed = 0;
  double error() const { return predicted / imposed - 1; }
};

ImposedChange imposedChange(unsigned seed) {
  TimedPipeline pipeline(seed);
  const VariantPlan& plan = *pipeline.variantPlan();
  const int stage = pipeline.upTo(static_cast<int>(plan.stages.size()));
  const int lane = plan.stages[static_cast<std::size_t>(stage)].lane.value;
  const int kind = pipeline.upTo(3);
  const double factor = std::array{0.5, 0.8, 1.25, 1.6, 2.5}[static_cast<std::size_t>(pipeline.upTo(5))];
  const Phase phase = pipeline.upTo(2) == 0 ? Phase::Forward : Phase::Backward;
  const int step = 1 + pipeline.upTo(kImposedSteps - 2), micro_batch = pipeline.upTo(plan.micro_batches.count());
  WhatIf changes = kind == 2
                       ? withChange({}, StageMove{stage, lane, 1 - lane})
                       : withChange({}, ScaledSpans{false, kind == 0, {step, stage, phase, micro_batch}, lane, factor});
  const std::optional<int> only = onlyStepOf(changes);
  std::shared_ptr<const Resolution> moved;
  if (kind == 2) {
    const Result<MovedStages> stages = movedStages(pipeline.variant(), changes.lanes);
    if (!stages.ok()) return {};  // a schedule that wants its own layout
    changes.order = stages->order;
    moved = pipeline.variant().with(stages->variant);
  }
  const ChangedSteps predicted = MeasuredSteps(pipeline.run(pipeline.variant(), {}, only)).with(changes);
  const auto imposed =
      moved ? pipeline.run(moved->variants().front(), {}, only) : pipeline.run(pipeline.variant(), changes, only);
  const std::string what = kind == 2 ? "stage " + std::to_string(stage) + " to lane " + std::to_string(1 - lane)
                           : kind == 0
                               ? "all " + std::string(1, letterOf(phase)) + " of stage " + std::to_string(stage)
                               : "one " + std::string(1, letterOf(phase)) + " of stage " + std::to_string(stage);
  char scaled[16] = "";
  if (kind != 2) std::snprintf(scaled, sizeof scaled, " %.2fx", factor);
  return {std::to_string(plan.stages.size()) + " stages, " + std::to_string(plan.micro_batches.count()) +
              " micro-batches: " + what + scaled,
          1e-9 * static_cast<double>(predicted.before.step), 1e-9 * static_cast<double>(predicted.after.step),
          meanSeconds(*imposed, only)};
}

/// Steps of the lanes above until there are as many spans.
std::shared_ptr<const Trace> tracedSpans(int spans) {
  const TimedPipeline pipeline(1);
  FakeBehaviour behaviour;
  const auto executor = makeFakeExecutor(behaviour);
  const auto rows =
      static_cast<int>(pipeline.variantPlan()->stages.size()) * (2 * pipeline.variantPlan()->micro_batches.count() + 1);
  const int steps = spans / rows + 1;
  Result<std::unique_ptr<Session>> session = prepare(*executor, pipeline.variant(), steps);
  if (!session.ok()) throw std::runtime_error(session.error().message);
  TraceBuilder trace("Pipeline", std::vector<LaneInfo>{{"", "cpu:0"}, {"", "cpu:1"}});
  (*session)->runRepeat({.trace = &trace});
  return trace.snapshot();
}

}  // namespace

nlohmann::json benchDrag(int spans, bool print) {
  const auto long_trace = tracedSpans(spans);
  const MeasuredSteps steps(long_trace);
  std::vector<double> answers;
  for (int i = 0; i < kAnswers; ++i) {
    const WhatIf changes = withChange({}, ScaledSpans{false, true, {0, 1, Phase::Forward, 0}, 1, 0.5 + 0.01 * i});
    const test::Stopwatch watch;
    steps.with(changes);
    answers.push_back(1e3 * watch.seconds());
  }
  const double median = medianOf(answers), longest = *std::ranges::max_element(answers);
  if (print)
    std::printf(
        "a change in a trace of %zu spans: replayed, with step, idle shares and critical path, in %.1f ms "
        "(median of %d, longest %.1f ms)\n\n%-58s %10s %10s %10s %8s\n",
        long_trace->spanCount(), median, kAnswers, longest, "change", "measured", "predicted", "imposed", "error");
  nlohmann::json rows = nlohmann::json::array();
  int near = 0;
  for (unsigned seed = 1; rows.size() < kImposedChanges; ++seed) {
    const ImposedChange change = imposedChange(seed);
    if (change.words.empty()) continue;
    near += std::abs(change.error()) <= kNear ? 1 : 0;
    rows.push_back({{"change", change.words},
                    {"measured_ms", 1e3 * change.measured},
                    {"predicted_ms", 1e3 * change.predicted},
                    {"imposed_ms", 1e3 * change.imposed}});
    if (print)
      std::printf("%-58s %7.2f ms %7.2f ms %7.2f ms %+6.1f %%\n", change.words.c_str(), 1e3 * change.measured,
                  1e3 * change.predicted, 1e3 * change.imposed, 100 * change.error());
  }
  if (print) std::printf("%d of %d predictions are within %.0f %%\n", near, kImposedChanges, 100 * kNear);
  return {{"spans", long_trace->spanCount()}, {"answer_ms", median}, {"changes", rows}, {"near", near}};
}

}  // namespace lanelab::bench
