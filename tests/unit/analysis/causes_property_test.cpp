// SPDX-License-Identifier: GPL-3.0-only
// Random traces: what the causes of idle time add up to.
#include <gtest/gtest.h>

#include <algorithm>

#include "profiler/analysis/idle_causes.h"
#include "tests/support/dice.h"
#include "tests/support/sanitized.h"
#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {
namespace {

using test::Dice;

Nanoseconds windowsOf(const Trace& trace) {
  Nanoseconds sum = 0;
  for (const StepWindow& window : stepWindows(trace)) sum += std::max<Nanoseconds>(0, window.range.length());
  return sum;
}

/// Plays the step from 0 on and gives its window.
Nanoseconds play(PipelineWorld& world, const PlannedStep& step) {
  const Nanoseconds end = run(world, step);
  world.window(0, end);
  return end;
}

Nanoseconds idleOf(const PlannedStep& step, int lanes) {
  PipelineWorld world(lanes);
  Nanoseconds idle = play(world, step) * lanes;
  for (const auto& row : step.schedule.lanes)
    for (const Action& action : row) idle -= step.lengthOf(action);
  return idle;
}

PlannedStep equalStages(Dice& dice, int lanes) {
  PlannedStep step;
  step.schedule = scheduleOf(dice.oneOf<std::string>({"gpipe", "1f1b", "zb-h1"}), lanes, lanes, dice.between(4, 12));
  step.forward = dice.between(10, 30);
  step.backward = 2 * dice.between(10, 30);
  return step;
}

/// Each lane is held back before all actions of every second micro-batch, or every transfer takes its time.
void plant(PlannedStep& step, Cause cause, Dice& dice) {
  if (cause == Cause::TransferQueued) step.queued = dice.between(1, 15);
  if (cause == Cause::Transfer) step.copy = dice.between(1, 15);
  for (const auto& row : step.schedule.lanes) {
    const Nanoseconds length = cause < Cause::Data ? 0 : dice.below(20);
    const int odd = dice.below(2);
    for (const Action& action : row)
      if (length > 0 && action.micro_batch.value % 2 == odd) step.delays[action] = {cause, length};
  }
}

TEST(IdleCausesProperty, ACauseOfEqualActionsIsTheIdleTimeWithItMinusThatWithoutIt) {
  Dice dice(20261127);
  for (int round = 0; round < 400; ++round) {
    const int lanes = dice.between(2, 8);
    const PlannedStep without = equalStages(dice, lanes);
    PlannedStep step = without;
    const Cause cause = dice.oneOf<Cause>({Cause::TransferQueued, Cause::Transfer, Cause::Data, Cause::Sync,
                                           Cause::Allocator, Cause::Host, Cause::Profiler, Cause::Unresolved});
    plant(step, cause, dice);
    PipelineWorld world(lanes);
    play(world, step);
    const CauseTimes found = totalOf(explainIdle(world.built()));
    ASSERT_EQ(found[cause], idleOf(step, lanes) - idleOf(without, lanes)) << toString(cause) << " round " << round;
    ASSERT_EQ(found[Cause::Fill] + found[Cause::Drain], idleOf(without, lanes)) << "round " << round;
  }
}

/// With several causes, what one costs depends on the others; but none of it is unequal work.
TEST(IdleCausesProperty, SeveralCausesOfEqualActionsLeaveNoJitterAndNoImbalance) {
  Dice dice(27);
  for (int round = 0; round < 200; ++round) {
    const int lanes = dice.between(2, 8);
    PlannedStep step = equalStages(dice, lanes);
    for (const Cause cause : {Cause::TransferQueued, Cause::Transfer, Cause::Host, Cause::Data})
      if (dice.below(2) == 0) plant(step, cause, dice);
    PipelineWorld world(lanes);
    play(world, step);
    const CauseTimes found = totalOf(explainIdle(world.built()));
    ASSERT_EQ(found.total(), idleOf(step, lanes));
    ASSERT_EQ(found[Cause::Imbalance] + found[Cause::Jitter], 0) << "round " << round;
  }
}

void throwHostSpans(PipelineWorld& world, Dice& dice, int until) {
  for (int i = dice.below(12); i > 0; --i) {
    const Nanoseconds start = dice.below(until);
    world.host(dice.below(static_cast<int>(world.trace.lanes.size())),
               dice.oneOf<Category>({Category::Profiler, Category::Data, Category::Sync, Category::Allocator,
                                     Category::Host, Category::Wait}),
               start, start + dice.below(30));
  }
}

void throwJunk(PipelineWorld& world, Dice& dice) {
  for (int i = dice.below(30); i > 0; --i) {
    const Nanoseconds start = dice.below(180) - 20;
    const std::string name = std::to_string(dice.below(5)) + "FBIW"[dice.below(4)] + std::to_string(dice.below(3));
    const EditedSpan span = world.action(dice.below(3), name, start, start + dice.below(20), dice.below(4) - 1);
    if (dice.below(2) == 0) span->mark = start - 10 + dice.below(40);
    if (dice.below(9) == 0) span->stage = static_cast<std::int16_t>(dice.oneOf<int>({-1, 30000, 32767, -32768}));
    if (dice.below(9) == 0) span->micro_batch = static_cast<std::int16_t>(dice.oneOf<int>({-1, 30000, 32767, -32768}));
    if (dice.below(3) == 0)
      world.transfer(dice.below(3), name, start + dice.below(50), start + 50 + dice.below(20), dice.below(10),
                     dice.below(4) - 1);
  }
  throwHostSpans(world, dice, 200);
  if (dice.below(2) == 0) world.window(dice.below(100), dice.below(200), dice.below(3));
}

TEST(IdleCausesProperty, WhateverATraceSaysTheCausesAddUpToItsGaps) {
  Dice dice(7);
  for (int round = 0; round < test::casesOf(500); ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    PipelineWorld world(3);
    throwJunk(world, dice);
    const Trace& trace = world.built();
    const WindowKind windows = dice.below(2) == 0 ? WindowKind::Step : WindowKind::Period;
    const IdleCauses causes = explainIdle(trace, windows);
    for (std::size_t i = 0; i < causes.lanes.size(); ++i) {
      const LaneCauses& lane = causes.lanes[i];
      if (windows == WindowKind::Step) {
        ASSERT_EQ(lane.window, windowsOf(trace));
      }
      ASSERT_EQ(lane.busy + lane.idle, lane.window);
      ASSERT_EQ(lane.causes.total(), lane.idle);
      for (const ExplainedGap& gap : lane.gaps) {
        Nanoseconds time = gap.range.start;
        for (std::uint32_t p = gap.first_piece; p < gap.first_piece + gap.piece_count; ++p) {
          ASSERT_EQ(lane.pieces[p].range.start, time) << told(trace, lane);
          ASSERT_FALSE(lane.pieces[p].range.empty());
          time = lane.pieces[p].range.end;
        }
        ASSERT_EQ(time, gap.range.end) << told(trace, lane);
      }
    }
  }
}

}  // namespace
}  // namespace lanelab
