// SPDX-License-Identifier: GPL-3.0-only
// Schedules in which one thing goes wrong on purpose, and whether it is called by its name.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "profiler/analysis/idle_causes.h"
#include "tests/support/dice.h"
#include "tests/support/sanitized.h"
#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {
namespace {

using test::Dice;

constexpr int kCasesACause = test::casesOf(100, 4);
constexpr double kShareToRecognise = 0.95;

/// Lanes, micro-batches and lengths at random; every action within 2 % of its stage's and phase's length.
PlannedStep randomStep(Dice& dice, int lanes) {
  PlannedStep step;
  step.schedule =
      scheduleOf(dice.oneOf<std::string>({"gpipe", "1f1b", "zb-h1"}), lanes, lanes, dice.between(lanes, 4 * lanes));
  step.forward = dice.between(800, 1200) * 1000;
  step.backward = 2 * step.forward;
  step.queued = dice.between(0, 5) * 1000;
  step.copy = dice.between(10, 40) * 1000;
  for (const auto& row : step.schedule.lanes)
    for (const Action& action : row) step.lengths[action] = step.lengthOf(action) / 100 * dice.between(98, 102);
  return step;
}

Action anyAction(Dice& dice, const PlannedStep& step) {
  std::vector<Action> actions;
  for (const auto& row : step.schedule.lanes) actions.insert(actions.end(), row.begin(), row.end());
  return dice.oneOf(actions);
}

/// An action whose input comes from another lane.
Action anyReceiver(Dice& dice, const PlannedStep& step) {
  const int last = step.schedule.stages - 1;
  while (true) {
    const Action action = anyAction(dice, step);
    if (action.kind == ActionKind::Forward ? action.stage.value > 0
                                           : action.kind != ActionKind::BackwardWeight && action.stage.value < last)
      return action;
  }
}

CauseTimes within(const IdleCauses& causes, const PlantedDelay& planted) {
  CauseTimes times;
  for (const CausePiece& piece : causes.lanes[static_cast<std::size_t>(planted.lane)].pieces) {
    const TimeRange both{std::max(piece.range.start, planted.range.start),
                         std::min(piece.range.end, planted.range.end)};
    if (!both.empty()) times[piece.cause] += both.length();
  }
  return times;
}

/// How often each planted cause was called what.
using Confusion = std::map<Cause, std::map<Cause, int>>;

void expectRecognised(const Confusion& confusion) {
  for (const auto& [planted, called] : confusion) {
    int all = 0;
    std::string what;
    for (const auto& [cause, count] : called) {
      all += count;
      what += std::string(toString(cause)) + " " + std::to_string(count) + " ";
    }
    EXPECT_GE(called.contains(planted) ? called.at(planted) : 0, kShareToRecognise * all)
        << toString(planted) << " was called " << what;
  }
}

/// A delay of one action of its own cause is called so where it came to lie.
TEST(PlantedCauses, DelaysOfOneActionAreCalledByTheirName) {
  Dice dice(1);
  Confusion confusion;
  for (const Cause cause : {Cause::Data, Cause::Sync, Cause::Allocator, Cause::Host, Cause::Profiler, Cause::Transfer,
                            Cause::TransferQueued}) {
    for (int i = 0; i < kCasesACause; ++i) {
      const int lanes = dice.between(2, 6);
      PlannedStep step = randomStep(dice, lanes);
      const bool of_transfer = cause == Cause::Transfer || cause == Cause::TransferQueued;
      // Longer than anything that the lane could do meanwhile, since a transfer delays nothing while its receiver
      // computes.
      const Nanoseconds length = (of_transfer ? 20 : 1) * step.backward;
      step.delays[of_transfer ? anyReceiver(dice, step) : anyAction(dice, step)] = {cause, length,
                                                                                    cause == Cause::Host && i % 2 == 0};
      PipelineWorld world(lanes);
      std::vector<PlantedDelay> planted;
      const Nanoseconds end = run(world, step, 0, 0, &planted);
      world.window(0, end);
      ASSERT_EQ(planted.size(), 1u);
      const CauseTimes times = within(explainIdle(world.built()), planted.front());
      ++confusion[cause][times.largest()];
    }
  }
  expectRecognised(confusion);
}

/// What a change adds to the idle time is mostly of the cause that was planted.
Cause mostAdded(const PlannedStep& before, const PlannedStep& after, int lanes) {
  CauseTimes added;
  for (const auto& [step, sign] : {std::pair(&after, 1), std::pair(&before, -1)}) {
    PipelineWorld world(lanes);
    run(world, *step);
    const CauseTimes times = totalOf(explainIdle(world.built()));
    for (std::size_t i = 0; i < kCauseCount; ++i) added.times[i] += sign * times.times[i];
  }
  return added.largest();
}

TEST(PlantedCauses, ASlowStageIsImbalance) {
  Dice dice(2);
  Confusion confusion;
  for (int i = 0; i < kCasesACause; ++i) {
    const int lanes = dice.between(2, 6);
    const PlannedStep before = randomStep(dice, lanes);
    PlannedStep after = before;
    const int slow = dice.between(0, lanes - 1);
    const int percent = dice.between(140, 250);
    for (auto& [action, length] : after.lengths)
      if (action.stage.value == slow) length = length / 100 * percent;
    ++confusion[Cause::Imbalance][mostAdded(before, after, lanes)];
  }
  expectRecognised(confusion);
}

TEST(PlantedCauses, ASlowMicroBatchIsJitter) {
  Dice dice(3);
  Confusion confusion;
  for (int i = 0; i < kCasesACause; ++i) {
    const int lanes = dice.between(2, 6);
    PlannedStep before = randomStep(dice, lanes);
    before.schedule = scheduleOf("1f1b", lanes, lanes, 4 * lanes);
    for (const auto& row : before.schedule.lanes)
      for (const Action& action : row) before.lengths.try_emplace(action, before.lengthOf(action));
    PlannedStep after = before;
    after.lengths[anyAction(dice, after)] += dice.between(4, 12) * after.backward;
    ++confusion[Cause::Jitter][mostAdded(before, after, lanes)];
  }
  expectRecognised(confusion);
}

TEST(PlantedCauses, LanesThatTakeTurnsOnOneDeviceContend) {
  Dice dice(4);
  Confusion confusion;
  for (int i = 0; i < kCasesACause; ++i) {
    PipelineWorld world(2);
    world.trace.lanes[0].device = world.trace.lanes[1].device = "cuda:0";
    const Nanoseconds first = dice.between(500, 900);
    const Nanoseconds second = dice.between(1000, 3000);
    world.action(0, "0F0", 0, first);
    world.action(0, "0F1", first, first + second);  // the device is lane 0's while 1F0 could run
    world.action(1, "1F0", first + second, first + second + 700);
    const Trace& trace = world.built();
    ++confusion[Cause::Contention]
               [explainIdle(trace).lanes[1].causesOf(explainIdle(trace).lanes[1].gaps.front()).largest()];
  }
  expectRecognised(confusion);
}

}  // namespace
}  // namespace lanelab
