// SPDX-License-Identifier: GPL-3.0-only
// What a replay says of a change, held against a clock that runs the step with the change imposed: other lengths, other
// lanes, and other noise than when it was measured. lanelab-bench drag does the same on real lanes.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "engine/advise/stage_moves.h"
#include "profiler/replay/changed_steps.h"
#include "profiler/trace/step_periods.h"
#include "tests/support/resolved.h"
#include "tests/support/sanitized.h"
#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {
namespace {

constexpr int kSteps = 4;
constexpr double kNoise = 0.03;  ///< of a length, either way

/// A pipeline, and what its actions take: by stage of the first plan.
class ImposedWorld {
 public:
  explicit ImposedWorld(unsigned seed) : m_random(seed) {
    const int lanes = 2 + upTo(3);
    m_experiment.model.arch = "resnet50";
    m_experiment.model.classes = 10;
    m_experiment.data.shape = {3, 64, 64};
    m_experiment.data.batch = 8 * (1 + upTo(4));
    for (int lane = 0; lane < lanes; ++lane) m_experiment.lanes.push_back({Device::cpu(lane), "", 1});
    VariantConfig variant;
    variant.name = "Pipeline";
    variant.strategy = Strategy::Pipeline;
    variant.schedule = std::array{ScheduleKind::Gpipe, ScheduleKind::OneFOneB, ScheduleKind::ZbH1}[upTo(3)];
    variant.split_size = m_experiment.data.batch / (1 << (1 + upTo(3)));
    const std::vector<std::string> cuts = {"layer2.0", "layer3.0", "layer4.0"};
    variant.cuts = std::vector<std::string>(cuts.begin(), cuts.begin() + (lanes - 1));
    m_experiment.variants = {variant};
    m_resolution = resolve(m_experiment);
    for (int stage = 0; stage < lanes; ++stage) m_lengths.push_back(1000 + upTo(2000));
    m_transfer = upTo(200);
  }

  const VariantPlan& plan() const { return *m_resolution->variants().front().plan(); }
  const ResolvedVariant& variant() const { return m_resolution->variants().front(); }
  int upTo(int n) { return static_cast<int>(m_random() % static_cast<unsigned>(n)); }

  /// Runs the plan with these changes imposed on each action; `parts` are the stages of the first plan in each of its
  /// own.
  std::shared_ptr<const Trace> run(const VariantPlan& plan, const WhatIf& imposed) {
    PipelineWorld world(static_cast<int>(m_experiment.lanes.size()));
    Nanoseconds time = 0;
    for (int number = 0; number < kSteps; ++number) {
      PlannedStep step;
      step.schedule = plan.schedule;
      step.queued = 10;
      step.copy = m_transfer;
      for (const auto& row : step.schedule.lanes)
        for (const Action& action : row) step.lengths[action] = lengthOf(plan, action, number, imposed);
      const Nanoseconds end = lanelab::run(world, step, time, number);
      world.window(time, end, number);
      time = end + 500;
    }
    return std::make_shared<const Trace>(world.built());
  }

 private:
  Nanoseconds lengthOf(const VariantPlan& now, const Action& action, int step, const WhatIf& imposed) {
    const Stage& whole = now.stages[action.stage.index()];
    double length = 0;
    for (const Stage& part : plan().stages) {
      if (part.first < whole.first || whole.end < part.end) continue;
      TracedAction meant;
      meant.step = step;
      meant.stage = static_cast<std::int16_t>(part.id.value);
      meant.micro_batch = static_cast<std::int16_t>(action.micro_batch.value);
      meant.phase = phaseOf(action.kind);
      meant.lane = part.lane.value;
      const double noise = 1 + kNoise * (upTo(2001) - 1000) / 1000.0;
      length += m_lengths[part.id.index()] * (action.kind == ActionKind::Backward ? 2 : 1) * noise *
                factorOf(imposed, meant, false);
    }
    return std::llround(length);
  }
  static Phase phaseOf(ActionKind kind) {
    constexpr std::array kPhases = {Phase::Forward, Phase::Backward, Phase::BackwardInput, Phase::BackwardWeight,
                                    Phase::Update};
    return kPhases[static_cast<std::size_t>(kind)];
  }

  std::mt19937 m_random;
  Experiment m_experiment;
  std::shared_ptr<const Resolution> m_resolution;
  std::vector<double> m_lengths;
  int m_transfer = 0;
};

struct Outcome {
  double predicted = 0;
  double imposed = 0;
  double error() const { return std::abs(predicted / imposed - 1); }
};

/// Steps of which the mean is compared: those that the change is in.
double meanStep(const Trace& trace, std::optional<int> step) {
  const std::vector<Nanoseconds> periods = stepPeriods(trace);
  return step ? static_cast<double>(periods.at(static_cast<std::size_t>(*step)))
              : static_cast<double>(meanStepPeriod(trace).value_or(0));
}

Outcome scaledOutcome(ImposedWorld& world, bool all) {
  const int stage = world.upTo(static_cast<int>(world.plan().stages.size()));
  const bool splits = splitsBackward(world.plan().schedule);
  const Phase phase = world.upTo(2) == 0 ? Phase::Forward : splits ? Phase::BackwardInput : Phase::Backward;
  const double factor = std::array{0.5, 0.8, 1.25, 1.6, 2.5}[static_cast<std::size_t>(world.upTo(5))];
  const int step = world.upTo(kSteps), micro_batch = world.upTo(world.plan().micro_batches.count());
  const WhatIf changes = withChange({}, ScaledSpans{false, all, {step, stage, phase, micro_batch}, stage, factor});
  const auto measured = world.run(world.plan(), {});
  const ChangedSteps predicted = MeasuredSteps(measured).with(changes);
  const auto imposed = world.run(world.plan(), changes);
  return {static_cast<double>(predicted.after.step), meanStep(*imposed, predicted.step)};
}

Outcome movedOutcome(ImposedWorld& world) {
  const int stages = static_cast<int>(world.plan().stages.size());
  const int stage = world.upTo(stages);
  const int from = world.plan().stages[static_cast<std::size_t>(stage)].lane.value;
  const int to = (from + 1 + world.upTo(stages - 1)) % stages;
  WhatIf changes = withChange({}, StageMove{stage, from, to});
  const Result<MovedStages> moved = movedStages(world.variant(), changes.lanes);
  EXPECT_TRUE(moved.ok()) << (moved.ok() ? "" : moved.error().message);
  if (!moved.ok()) return {1, 1};
  changes.order = moved->order;
  const auto resolution = world.variant().with(moved->variant);
  const auto measured = world.run(world.plan(), {});
  const ChangedSteps predicted = MeasuredSteps(measured).with(changes);
  const auto imposed = world.run(*resolution->variants().front().plan(), {});
  return {static_cast<double>(predicted.after.step), meanStep(*imposed, std::nullopt)};
}

TEST(ImposedChanges, TakeTheStepThatTheReplayPredicts) {
  constexpr int kTries = test::casesOf(60, 3);
  int near = 0;
  for (int i = 0; i < kTries; ++i) {
    ImposedWorld world(static_cast<unsigned>(100 + i));
    const Outcome outcome = i % 3 == 0   ? scaledOutcome(world, true)
                            : i % 3 == 1 ? scaledOutcome(world, false)
                                         : movedOutcome(world);
    near += outcome.error() <= 0.05 ? 1 : 0;
    EXPECT_LT(outcome.error(), 0.1) << "try " << i << ": predicted " << outcome.predicted << ", imposed "
                                    << outcome.imposed;
  }
  EXPECT_GE(near, kTries * 19 / 20);
}

}  // namespace
}  // namespace lanelab
