// SPDX-License-Identifier: GPL-3.0-only
// How near a run came to its bound: from a trace with times that can be added up by hand.
#include "engine/record/schedule_bound.h"

#include <gtest/gtest.h>

#include "base/json_text.h"
#include "engine/report/bound_text.h"
#include "engine/report/report.h"
#include "tests/unit/experiment/small_experiment.h"

namespace lanelab {
namespace {

constexpr Nanoseconds kMs = 1'000'000;

VariantPlan planOf(const std::string& csv) {
  VariantPlan plan;
  plan.schedule = *parseScheduleCsv(csv);
  for (const LaneId lane : lanesOfRows(plan.schedule))
    plan.stages.push_back({StageId(plan.stages.size()), lane, BlockId(0), BlockId(1)});
  return plan;
}

/// Each action at the place given, in ms.
struct Done {
  const char* action;
  int lane, start, end;
};

Trace traceOf(const std::vector<Done>& all, int step_end) {
  Trace trace;
  trace.lanes = {{"a", "cpu:0"}, {"b", "cpu:1"}};
  trace.names = {"x"};
  Track steps{0, Track::Kind::Step, "steps", {}};
  Span step;
  step.end = step_end * kMs;
  step.step = 0;
  step.category = Category::Step;
  steps.spans.push_back(step);
  trace.tracks.push_back(steps);
  for (int lane = 0; lane < 2; ++lane) {
    Track track{lane, Track::Kind::Compute, "compute", {}};
    for (const Done& done : all) {
      if (done.lane != lane) continue;
      const auto action = parseAction(done.action);
      Span span;
      span.start = done.start * kMs;
      span.end = done.end * kMs;
      span.step = 0;
      span.stage = static_cast<std::int16_t>(action->stage.value);
      span.micro_batch = static_cast<std::int16_t>(action->micro_batch.value);
      span.category = Category::Action;
      span.phase = phaseOfLetter(letterOf(action->kind));
      track.spans.push_back(span);
    }
    trace.tracks.push_back(track);
  }
  return trace;
}

/// 1F1B of two micro-batches with two waits that are not the schedule's: F 2 ms, B 4 ms, update 1 ms on both lanes.
const std::vector<Done> kWaiting = {{"0F0", 0, 0, 2},   {"0F1", 0, 2, 4}, {"0B0", 0, 9, 13}, {"0B1", 0, 16, 20},
                                    {"0U", 0, 20, 21},  {"1F0", 1, 3, 5}, {"1B0", 1, 5, 9},  {"1F1", 1, 9, 11},
                                    {"1B1", 1, 11, 15}, {"1U", 1, 15, 16}};

TEST(ScheduleBound, OwnOrderWorkAndIdleAreThoseOfTheMeasuredTimes) {
  const auto bound = scheduleBound(traceOf(kWaiting, 22), planOf("0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1\n"));
  ASSERT_TRUE(bound.has_value());
  EXPECT_NEAR(bound->step_seconds, 0.022, 1e-12);
  EXPECT_NEAR(bound->order_seconds, 0.019, 1e-12) << "2 + 2 + 4 + 2 + 4 + 4 and the update";
  EXPECT_NEAR(bound->work_seconds, 0.013, 1e-12);
  EXPECT_NEAR(bound->step_idle, 1 - 13.0 / 22, 1e-12);
  EXPECT_NEAR(bound->order_idle, 1 - 13.0 / 19, 1e-12);
  EXPECT_EQ(stageTimesText(*bound), (std::vector<std::string>{"2000:2000:2000", "2000:2000:2000"}));
}

TEST(ScheduleBound, SplitBackwardsKeepTheirParts) {
  const auto bound = scheduleBound(
      traceOf(
          {{"0F0", 0, 0, 2}, {"0I0", 0, 6, 9}, {"0W0", 0, 9, 10}, {"1F0", 1, 2, 4}, {"1I0", 1, 4, 6}, {"1W0", 1, 6, 9}},
          10),
      planOf("0F0,0I0,0W0\n1F0,1I0,1W0\n"));
  ASSERT_TRUE(bound.has_value());
  EXPECT_NEAR(bound->order_seconds, 0.010, 1e-12);
  EXPECT_NEAR(bound->work_seconds, 0.007, 1e-12);
  EXPECT_EQ(stageTimesText(*bound), (std::vector<std::string>{"2000:3000:1000", "2000:2000:3000"}));
}

TEST(ScheduleBound, WithoutAStepBarrierTheOwnOrderTakesItsPeriod) {
  // Everything takes 2 ms: lane 0 computes from 0 to 18, lane 1 from 2 to 20.
  const std::vector<Done> done = {{"0F0", 0, 0, 2},   {"0F1", 0, 2, 4},   {"0F2", 0, 4, 6},   {"0I0", 0, 6, 8},
                                  {"0W0", 0, 8, 10},  {"0I1", 0, 10, 12}, {"0W1", 0, 12, 14}, {"0I2", 0, 14, 16},
                                  {"0W2", 0, 16, 18}, {"1F0", 1, 2, 4},   {"1I0", 1, 4, 6},   {"1F1", 1, 6, 8},
                                  {"1I1", 1, 8, 10},  {"1F2", 1, 10, 12}, {"1I2", 1, 12, 14}, {"1W0", 1, 14, 16},
                                  {"1W1", 1, 16, 18}, {"1W2", 1, 18, 20}};
  VariantPlan plan = planOf("0F0,0F1,0F2,0I0,0W0,0I1,0W1,0I2,0W2\n1F0,1I0,1F1,1I1,1F2,1I2,1W0,1W1,1W2\n");
  for (const auto& [barrier, seconds] : {std::pair(StepBarrier::Asked, 0.020), std::pair(StepBarrier::None, 0.018)}) {
    plan.step_barrier = barrier;
    const auto bound = scheduleBound(traceOf(done, 20), plan);
    ASSERT_TRUE(bound.has_value());
    EXPECT_NEAR(bound->order_seconds, seconds, 1e-12) << toWord(barrier);
    EXPECT_NEAR(bound->order_idle, 1 - 0.018 / seconds, 1e-12) << toWord(barrier);
  }
}

TEST(ScheduleBound, NoStepIsFasterThanItsIdeal) {
  // Forwards of 1 and 5 ms: lane 1 is slow where lane 0 is fast.
  const auto bound = scheduleBound(traceOf({{"0F0", 0, 0, 1},
                                            {"0F1", 0, 1, 6},
                                            {"1F0", 1, 1, 6},
                                            {"1F1", 1, 6, 7},
                                            {"1B0", 1, 7, 8},
                                            {"1B1", 1, 8, 9},
                                            {"0B0", 0, 8, 9},
                                            {"0B1", 0, 9, 10}},
                                           10),
                                   planOf("0F0,0F1,0B0,0B1\n1F0,1F1,1B0,1B1\n"));
  ASSERT_TRUE(bound.has_value());
  EXPECT_NEAR(bound->step_seconds, 0.010, 1e-12);
  EXPECT_NEAR(bound->order_seconds, 0.010, 1e-12) << "with means of 3 ms 3 + 3 + 3 + 1 + 1 + 1";
  RunRecord older = RunRecord();
  VariantRecord variant;
  variant.name = "P";
  variant.bound = *bound;
  variant.bound->order_seconds = 0.012;
  older.variants = {variant};
  EXPECT_EQ(boundRows(older)[1][2], "10.0");
  EXPECT_EQ(boundRows(older)[1][6], "100.0 %");
}

TEST(ScheduleBound, WithoutARecordingThereIsNone) {
  EXPECT_FALSE(scheduleBound(traceOf({}, 10), planOf("0F0,0B0\n")).has_value());
  EXPECT_FALSE(scheduleBound(Trace{}, planOf("0F0,0B0\n")).has_value());
}

TEST(ScheduleBound, OverRepeatsItIsTheMean) {
  ScheduleBound a{0.02, 0.01, 0.008, 0.4, 0.2, {{1, 2, 0, 1}}}, b{0.04, 0.03, 0.016, 0.6, 0.4, {{3, 4, 0, 1}}};
  const ScheduleBound mean = meanBound({a, b});
  EXPECT_NEAR(mean.step_seconds, 0.03, 1e-12);
  EXPECT_NEAR(mean.order_seconds, 0.02, 1e-12);
  EXPECT_NEAR(mean.work_seconds, 0.012, 1e-12);
  EXPECT_NEAR(mean.step_idle, 0.5, 1e-12);
  EXPECT_NEAR(mean.stages[0].backward, 3, 1e-12);
}

/// Two pipelines on the same cuts: one with whole and one with split backwards.
RunRecord twoPipelines(const ScheduleBound& whole, const ScheduleBound& split) {
  RunRecord record;
  record.id = "run";
  record.experiment = test::smallExperiment();
  VariantConfig config = record.experiment.variants.front();
  config.strategy = Strategy::Pipeline;
  config.cuts = std::vector<std::string>{"net2"};
  config.split_size = 2;
  for (const auto& [name, schedule, bound] :
       {std::tuple{"1F1B", ScheduleKind::OneFOneB, whole}, std::tuple{"ZB-H1", ScheduleKind::ZbH1, split}}) {
    config.name = name;
    config.schedule = schedule;
    record.experiment.variants.push_back(config);
    VariantRecord variant;
    variant.name = name;
    variant.strategy = Strategy::Pipeline;
    variant.stages = 2;
    variant.split_size = 2;
    variant.bound = bound;
    for (const double factor : {0.998, 0.999, 1.0, 1.001, 1.002})
      variant.repeats.push_back({factor * bound.step_seconds, {factor * bound.step_seconds}, {1.0}});
    record.variants.push_back(variant);
  }
  EXPECT_TRUE(refreshStatistics(record).ok());
  return record;
}

const ScheduleBound kWholeStep{0.100, 0.095, 0.080, 0.2, 0.15, {{10, 20, 0, 0}, {10, 20, 0, 0}}};

TEST(BoundText, SaysWhySplittingDidNotPay) {
  const ScheduleBound dear{0.110, 0.104, 0.094, 0.15, 0.10, {{11, 12, 13, 0}, {11, 12, 13, 0}}};
  const auto notes = boundNotes(twoPipelines(kWholeStep, dear));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].sentence.message.find("10.0 % of a step instead of 15.0 %, its actions take 20.0 % longer"),
            std::string::npos)
      << notes[0].sentence.message;
  EXPECT_NE(
      notes[0].sentence.message.find("its repeats are 1.10x slower (95 % CI 1.10 to 1.10x; 5 repeats each): splitting "
                                     "the backwards costs more than the idle time that it saves."),
      std::string::npos)
      << notes[0].sentence.message;
  const ScheduleBound late{0.110, 0.090, 0.080, 0.25, 0.05, {{10, 10, 10, 0}, {10, 10, 10, 0}}};
  EXPECT_NE(boundNotes(twoPipelines(kWholeStep, late))[0].sentence.message.find("transfers, waits and overhead"),
            std::string::npos);
  const ScheduleBound fast{0.090, 0.085, 0.080, 0.12, 0.06, {{10, 10, 10, 0}, {10, 10, 10, 0}}};
  EXPECT_NE(
      boundNotes(twoPipelines(kWholeStep, fast))[0].sentence.message.find("its repeats are 1.11x faster (95 % CI"),
      std::string::npos);
}

TEST(BoundText, NamesNoWinnerWhereNothingIsClear) {
  RunRecord record = twoPipelines(kWholeStep, {0.090, 0.085, 0.080, 0.12, 0.06, {{10, 10, 10, 0}, {10, 10, 10, 0}}});
  for (std::size_t i = 0; i < 5; ++i) record.variants[1].repeats[i].seconds = 0.07 + 0.02 * static_cast<double>(i);
  const std::string unclear = boundNotes(record)[0].sentence.message;
  EXPECT_NE(unclear.find("there is no clear difference in speed (95 % CI"), std::string::npos) << unclear;
  EXPECT_EQ(unclear.find("faster"), std::string::npos) << unclear;
  record.variants[1].repeats.resize(3);
  const std::string few = boundNotes(record)[0].sentence.message;
  EXPECT_NE(few.find("too few repeats to compare their speed (3 and 5 repeats; an interval needs 5)"),
            std::string::npos)
      << few;
}

TEST(BoundText, TableReportAndFileHaveIt) {
  const RunRecord record = twoPipelines(kWholeStep, kWholeStep);
  EXPECT_NE(boundTable(record).find(
                "1F1B           100                       95.0               80.0  20.0 %      15.0 %      95.0 %"),
            std::string::npos)
      << boundTable(record);
  const std::string html = htmlReport(record, {});
  EXPECT_NE(html.find("Schedule efficiency"), std::string::npos);
  EXPECT_NE(html.find("95.0 %"), std::string::npos);
  const Result<RunRecord> again = parseRunRecord(toJson(record), "run.json");
  ASSERT_TRUE(again.ok()) << again.error().message;
  ASSERT_TRUE(again->variants[1].bound.has_value());
  EXPECT_EQ(boundRows(*again), boundRows(record));
  EXPECT_TRUE(boundNotes(record).empty()) << "no split among them";
}

}  // namespace
}  // namespace lanelab
