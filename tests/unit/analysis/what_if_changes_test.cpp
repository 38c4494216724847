// SPDX-License-Identifier: GPL-3.0-only
// What a hand changes of a step: single actions and transfers, all of a kind, stages on other lanes.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "profiler/replay/changed_steps.h"
#include "profiler/trace/step_periods.h"
#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {
namespace {

/// Actions, transfers and the steps, by lane and start.
std::string rowsOfTrace(const Trace& trace) {
  std::map<std::pair<int, Category>, std::vector<Span>> rows;
  for (const Track& track : trace.tracks)
    for (const Span& span : track.spans) rows[{track.lane, span.category}].push_back(span);
  std::ostringstream text;
  for (auto& [key, spans] : rows) {
    std::ranges::stable_sort(spans, kParentsFirst);
    text << key.first << " " << toString(key.second) << ":";
    for (const Span& span : spans) text << " " << trace.nameOf(span) << " " << span.start << "-" << span.end;
    text << "\n";
  }
  return text.str();
}

/// 0F0 and its transfer, 1F0, 1B0 and its transfer, 0B0; 0F1 beside them.
std::shared_ptr<const Trace> beside() {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 10);
  world.action(0, "0F1", 12, 20);
  world.transfer(0, "0F0", 11, 14, 1);
  world.action(1, "1F0", 15, 35);
  world.action(1, "1B0", 35, 55);
  world.transfer(1, "1B0", 55, 60);
  world.action(0, "0B0", 60, 70);
  world.window(0, 70);
  return std::make_shared<const Trace>(world.built());
}

ScaledSpans one(Phase phase, int stage, int micro_batch, double factor, bool transfer = false, int step = 0) {
  return {transfer, false, {step, stage, phase, micro_batch}, stage, factor};
}
ScaledSpans all(Phase phase, int stage, double factor, bool transfer = false) {
  return {transfer, true, {0, stage, phase, 0}, stage, factor};
}

TEST(ChangedSpans, MoveWhatWaitsForThem) {
  const struct {
    const char* what;
    ScaledSpans change;
    const char* expected;
  } kRows[] = {
      {"one action half as long", one(Phase::Forward, 1, 0, 0.5),
       "0 lanelab: 0F0 0-10 0F1 12-20 0B0 50-60\n0 transfer: send 0F0 11-14\n0 step: step 0 0-60\n"
       "1 lanelab: 1F0 15-25 1B0 25-45\n1 transfer: send 1B0 45-50\n"},
      {"one action twice as long", one(Phase::Forward, 0, 1, 2),
       "0 lanelab: 0F0 0-10 0F1 12-28 0B0 60-70\n0 transfer: send 0F0 11-14\n0 step: step 0 0-70\n"
       "1 lanelab: 1F0 15-35 1B0 35-55\n1 transfer: send 1B0 55-60\n"},
      {"all backwards of a stage twice as long", all(Phase::Backward, 1, 2),
       "0 lanelab: 0F0 0-10 0F1 12-20 0B0 80-90\n0 transfer: send 0F0 11-14\n0 step: step 0 0-90\n"
       "1 lanelab: 1F0 15-35 1B0 35-75\n1 transfer: send 1B0 75-80\n"},
      {"one transfer four times as long", one(Phase::Forward, 0, 0, 4, true),
       "0 lanelab: 0F0 0-10 0F1 12-20 0B0 69-79\n0 transfer: send 0F0 11-23\n0 step: step 0 0-79\n"
       "1 lanelab: 1F0 24-44 1B0 44-64\n1 transfer: send 1B0 64-69\n"},
      {"all transfers back twice as long", all(Phase::Backward, 1, 2, true),
       "0 lanelab: 0F0 0-10 0F1 12-20 0B0 65-75\n0 transfer: send 0F0 11-14\n0 step: step 0 0-75\n"
       "1 lanelab: 1F0 15-35 1B0 35-55\n1 transfer: send 1B0 55-65\n"},
  };
  for (const auto& row : kRows)
    EXPECT_EQ(rowsOfTrace(replayWith(*beside(), withChange({}, row.change))), row.expected) << row.what;
}

TEST(MovedStages, DoTheirActionsOnTheOtherLaneInTheMeasuredOrder) {
  EXPECT_EQ(rowsOfTrace(replayWith(*beside(), withChange({}, StageMove{1, 1, 0}))),
            "0 lanelab: 0F0 0-10 0F1 12-20 1F0 21-41 1B0 41-61 0B0 61-71\n"
            "0 step: step 0 0-71\n")
      << "what was sent is there at once, and delays are retained";
}

TEST(MovedStages, FollowAnotherOrderWhereItIsGiven) {
  WhatIf changes = withChange({}, StageMove{1, 1, 0});
  changes.order = {{{0, Phase::Forward, 0},
                    {1, Phase::Forward, 0},
                    {0, Phase::Forward, 1},
                    {1, Phase::Backward, 0},
                    {0, Phase::Backward, 0}},
                   {}};
  EXPECT_EQ(rowsOfTrace(replayWith(*beside(), changes)),
            "0 lanelab: 0F0 0-10 1F0 11-31 0F1 33-41 1B0 41-61 0B0 61-71\n"
            "0 step: step 0 0-71\n");
  for (const bool missing : {true, false}) {
    WhatIf wrong = changes;
    if (missing)
      wrong.order[0].pop_back();
    else  // 0B0 before what it waits for
      wrong.order[0] = {{0, Phase::Backward, 0},
                        {0, Phase::Forward, 0},
                        {1, Phase::Forward, 0},
                        {0, Phase::Forward, 1},
                        {1, Phase::Backward, 0}};
    EXPECT_EQ(rowsOfTrace(replayWith(*beside(), wrong)),
              rowsOfTrace(replayWith(*beside(), withChange({}, StageMove{1, 1, 0}))))
        << "an order that cannot be done is left out";
  }
}

TEST(MovedStages, SendOverNewBoundariesWhatOthersSentInTheMean) {
  PipelineWorld world(2);
  world.action(0, "0F0", 0, 10);
  world.action(0, "1F0", 10, 20);
  world.transfer(0, "1F0", 22, 26, 2);
  world.action(1, "2F0", 26, 36);
  EXPECT_EQ(rowsOfTrace(replayWith(world.built(), withChange({}, StageMove{1, 0, 1}))),
            "0 lanelab: 0F0 0-10\n"
            "0 step: step 0 0-36\n"
            "1 lanelab: 1F0 16-26 2F0 26-36\n");
}

TEST(MovedStages, ThatComeBackAreAsMeasured) {
  const WhatIf changes = withChange(withChange({}, StageMove{1, 1, 0}), StageMove{1, 1, 1});
  EXPECT_TRUE(changesNothing(changes));
  EXPECT_EQ(rowsOfTrace(replayWith(*beside(), changes)), rowsOfTrace(*beside()));
}

TEST(SpanChanges, OfTheSameSpansMultiplyAndVanishAtOne) {
  const ScaledSpans shorter = one(Phase::Forward, 1, 0, 0.5);
  ScaledSpans back = shorter;
  back.factor = 2;
  WhatIf changes = withChange(withChange({}, shorter), all(Phase::Forward, 1, 0.8));
  EXPECT_EQ(countOf(changes), 2);
  TracedAction action;
  action.step = 0;
  action.stage = 1;
  action.phase = Phase::Forward;
  action.micro_batch = 0;
  action.lane = 1;
  EXPECT_DOUBLE_EQ(factorOf(changes, action, false), 0.4);
  EXPECT_DOUBLE_EQ(factorOf(changes, action, true), 1) << "its transfer is another span";
  action.micro_batch = 3;
  EXPECT_DOUBLE_EQ(factorOf(changes, action, false), 0.8);
  changes = withChange(changes, back);
  EXPECT_EQ(countOf(changes), 1);
  EXPECT_TRUE(changesNothing(withChange(changes, all(Phase::Forward, 1, 1.25))));
}

TEST(SpanChanges, AreOfOneStepOnlyIfAllAre) {
  const ScaledSpans first = one(Phase::Forward, 1, 0, 0.5), second = one(Phase::Forward, 1, 0, 0.5, false, 1);
  EXPECT_EQ(onlyStepOf(withChange({}, second)), 1);
  EXPECT_EQ(onlyStepOf(withChange(withChange({}, first), second)), std::nullopt);
  EXPECT_EQ(onlyStepOf(withChange(withChange({}, first), all(Phase::Forward, 0, 2))), std::nullopt);
  EXPECT_EQ(onlyStepOf(withChange(withChange({}, first), StageMove{0, 0, 1})), std::nullopt);
  EXPECT_EQ(onlyStepOf({}), std::nullopt);
}

TEST(ChangedSteps, SayWhatFollows) {
  const MeasuredSteps measured(beside());
  const ChangedSteps steps = measured.with(withChange({}, one(Phase::Forward, 1, 0, 0.5)));
  EXPECT_EQ(steps.step, 0);
  EXPECT_EQ(steps.before.step, 70);
  EXPECT_EQ(steps.after.step, 60);
  EXPECT_DOUBLE_EQ(*steps.before.idle[0], 1 - 28.0 / 70);
  EXPECT_DOUBLE_EQ(*steps.after.idle[0], 1 - 28.0 / 60);
  EXPECT_DOUBLE_EQ(*steps.after.idle[1], 1 - 30.0 / 60);
  EXPECT_EQ(steps.before.path.stage, 1);
  EXPECT_EQ(steps.after.path.phase, Phase::Backward) << "1B0 is the longest of the path now";
  const ChangedLength length =
      measured.lengthOf(one(Phase::Forward, 1, 0, 0.5), withChange({}, all(Phase::Forward, 1, 0.5)));
  EXPECT_EQ(length.before, 20);
  EXPECT_EQ(length.after, 10);
  EXPECT_EQ(measured.lengthOf(one(Phase::Forward, 0, 0, 1, true), {}).before, 3);
  EXPECT_EQ(measured.with(withChange({}, StageMove{1, 1, 0})).after.idle[1], std::nullopt)
      << "that lane has no work left";
}

TEST(ChangedSteps, WithoutAnyChangeAreTheMeasuredOnes) {
  const MeasuredSteps measured(beside());
  const ChangedSteps steps = measured.with({});
  EXPECT_EQ(rowsOfTrace(*steps.trace), rowsOfTrace(*beside()));
  EXPECT_EQ(steps.before.step, steps.after.step);
  EXPECT_EQ(steps.before.idle, steps.after.idle);
}

/// Replica 1 has nothing to do before replica 0 has its gradients.
TEST(ChangedSteps, UpdatesWaitForTheGradientsOfTheirReplicas) {
  PipelineWorld world(2);
  for (const int lane : {0, 1}) {
    world.action(lane, "0F" + std::to_string(lane), 0, 10);
    world.action(lane, "0B" + std::to_string(lane), 10, lane == 0 ? 40 : 30);
    world.action(lane, "0U", 45, 50);
  }
  const auto trace = std::make_shared<const Trace>(world.built());
  const ChangedSteps longer = MeasuredSteps(trace).with(withChange({}, one(Phase::Backward, 0, 0, 2)));
  EXPECT_EQ(longer.after.step, 80) << "the update of the other replica waits, too";
  const ChangedSteps shorter = MeasuredSteps(trace).with(withChange({}, one(Phase::Backward, 0, 0, 0.5)));
  EXPECT_EQ(shorter.after.step, 40) << "now the other one is the last";
}

}  // namespace
}  // namespace lanelab
