// SPDX-License-Identifier: GPL-3.0-only
// What the loop records: the spans of the trace dialect, complete and without overlap.
#include <map>

#include "profiler/analysis/idle_causes.h"
#include "tests/unit/step_loop/recorded_spans.h"

namespace lanelab {
namespace {

TEST(Spans, EachActionAndUpdateIsOneSpanInTheOrderOfTheSchedule) {
  const Plan plan = planOf({0, 1, 0}, 2, "1f1b", 3);
  const auto trace = recorded(plan, 1);
  std::string names;
  for (const Span& span : spansOf(*trace, 0, Track::Kind::Compute)) {
    EXPECT_EQ(span.category, Category::Action);
    EXPECT_EQ(span.step, 0);
    names += trace->nameOf(span) + " ";
  }
  std::string expected;
  std::map<int, int> backwards;
  for (const Action& action : plan.schedule.lanes[0]) {
    expected += toString(action) + " ";
    if (action.kind == ActionKind::Backward && ++backwards[action.stage.value] == 3)
      expected += std::to_string(action.stage.value) + "U ";
  }
  EXPECT_EQ(names, expected);
}

TEST(Spans, AWaitForDataBelongsToTheStepAndIsCalledSo) {
  const Plan plan = planOf({0, 1}, 2, "gpipe", 3);
  constexpr Nanoseconds kWait = 5'000'000;
  Loop one(plan);
  one.world.data_wait = [&](LaneId lane, int step) {
    const Nanoseconds now = monotonicNow();
    return lane.value == 0 && step == 0 ? TimeRange{now - kWait, now} : TimeRange{};
  };
  TraceBuilder builder("test", plan.lanes);
  const RepeatOutcome outcome = one.run(3, &builder);
  ASSERT_TRUE(outcome.failure.ok()) << messageOf(outcome.failure);
  const auto trace = builder.snapshot();
  const std::vector<Span> waits = hostSpans(*trace, 0, Category::Data);
  ASSERT_EQ(waits.size(), 1U);
  EXPECT_EQ(waits[0].step, 0);
  const std::vector<StepWindow> steps = stepWindows(*trace);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].range.start, waits[0].start);
  EXPECT_GE(outcome.step_seconds[0], 1e-9 * kWait) << "the step's time holds it";
  const IdleCauses causes = explainIdle(*trace);
  EXPECT_EQ(causes.lanes[0].causes[Cause::Data], kWait);
  EXPECT_GT(causes.lanes[1].causes[Cause::Data], kWait / 2) << "it waits for the lane that waits";
}

TEST(Spans, TheActionThatAnErrorEndedIsTheLastOfItsLaneAndNoCompute) {
  const Plan plan = planOf({0, 1}, 2, "gpipe", 3);
  Loop one(plan);
  one.world.before = [&](LaneId, const Action& action, int step) {
    if (toString(action) == "1B2" && step == 1) throw std::runtime_error("planted.");
  };
  TraceBuilder builder("test", plan.lanes);
  EXPECT_FALSE(one.run(3, &builder).failure.ok());
  const auto trace = builder.snapshot();
  const Span last = spansOf(*trace, 1, Track::Kind::Compute).back();
  EXPECT_TRUE(trace->failed(last));
  EXPECT_EQ(trace->nameOf(last), "1B2 failed");
  EXPECT_EQ(last.step, 1);
  EXPECT_EQ(last.category, Category::Other);
  for (const Span& span : spansOf(*trace, 0, Track::Kind::Compute)) EXPECT_FALSE(trace->failed(span));
}

TEST(Spans, AnEvaluationBetweenStepsIsOnTheRowOfTheActionsAndIsNoStep) {
  const Plan plan = planOf({0, 1}, 2, "gpipe", 2);
  Loop one(plan);
  TraceBuilder builder("test", plan.lanes);
  const auto evaluate = [&](int step, double, double) {
    if (step > 0) return;
    EXPECT_TRUE(one.loop.evaluateOn(LaneId(1), [](LaneWorker&) { keepBusy(1'000'000); }).ok());
  };
  const RepeatOutcome outcome =
      withinLimit([&] { return one.loop.run(2, &builder, evaluate, {}, 0, [](int) { return true; }); });
  ASSERT_TRUE(outcome.failure.ok()) << messageOf(outcome.failure);
  const auto trace = builder.snapshot();
  std::vector<Span> found;
  for (const Span& span : spansOf(*trace, 1, Track::Kind::Compute))
    if (span.category == Category::Evaluation) found.push_back(span);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(trace->nameOf(found[0]), "evaluation");
  EXPECT_GE(found[0].range().length(), 1'000'000);
  const std::vector<StepWindow> steps = stepWindows(*trace);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_GE(found[0].start, steps[0].range.end);
  EXPECT_LE(found[0].end, steps[1].range.start);
  for (const Span& span : spansOf(*trace, 0, Track::Kind::Compute)) EXPECT_EQ(span.category, Category::Action);
}

TEST(Spans, AnUpdateHasMicroBatchZeroAndPhaseU) {
  const auto trace = recorded(planOf({0, 1}, 2, "gpipe", 2), 1);
  const Span update = spansOf(*trace, 1, Track::Kind::Compute).back();
  EXPECT_EQ(trace->nameOf(update), "1U");
  EXPECT_EQ(update.phase, Phase::Update);
  EXPECT_EQ(update.stage, 1);
  EXPECT_EQ(update.micro_batch, 0);
}

TEST(Spans, ComputeOfALaneNeverOverlapsAndStepsCoverItExactly) {
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    const Plan plan = randomPlan(random);
    const auto trace = recorded(plan, 3);
    std::map<int, TimeRange> hulls;
    for (std::size_t lane = 0; lane < plan.lanes.size(); ++lane) {
      Nanoseconds last = 0;
      for (const Span& span : spansOf(*trace, static_cast<int>(lane), Track::Kind::Compute)) {
        EXPECT_LE(last, span.start);
        EXPECT_LE(span.start, span.end);
        EXPECT_LE(span.mark, span.start);
        EXPECT_GT(span.mark, 0);
        last = span.end;
        auto [hull, first] = hulls.try_emplace(span.step, span.range());
        hull->second = {std::min(hull->second.start, span.start), std::max(hull->second.end, span.end)};
      }
    }
    const std::vector<Span> steps = spansOf(*trace, 0, Track::Kind::Step);
    ASSERT_EQ(steps.size(), 3u);
    for (const Span& step : steps) {
      EXPECT_EQ(step.category, Category::Step);
      EXPECT_EQ(trace->nameOf(step), "step " + std::to_string(step.step));
      EXPECT_EQ(step.range(), hulls[step.step]);
    }
  }
}

TEST(Spans, BusyAndIdleOfEachLaneAreTheStepWindowsExactly) {
  const Plan plan = planOf({0, 1, 2}, 4, "1f1b", 5);
  const auto trace = recorded(plan, 4);
  Nanoseconds windows = 0;
  for (const Span& step : spansOf(*trace, 0, Track::Kind::Step)) windows += step.range().length();
  const std::vector<LaneCauses> lanes = explainIdle(*trace).lanes;
  ASSERT_EQ(lanes.size(), 3u) << "the fourth lane takes no part";
  for (const LaneCauses& lane : lanes) {
    Nanoseconds busy = 0;
    for (const Span& span : spansOf(*trace, lane.lane, Track::Kind::Compute)) busy += span.range().length();
    EXPECT_EQ(lane.window, windows);
    EXPECT_EQ(lane.busy, busy);
    EXPECT_EQ(lane.busy + lane.idle, lane.window);
  }
}

TEST(Spans, TransfersLieOnTheSendersTrackBetweenTheTwoActions) {
  const auto trace = recorded(planOf({0, 1}, 2, "gpipe", 2), 1);
  const auto find = [&](int lane, const std::string& name) {
    for (const Span& span : spansOf(*trace, lane, Track::Kind::Compute)) {
      if (trace->nameOf(span) == name) return span;
    }
    return Span{};
  };
  const std::vector<Span> forth = spansOf(*trace, 0, Track::Kind::Transfer),
                          back = spansOf(*trace, 1, Track::Kind::Transfer);
  ASSERT_EQ(forth.size(), 2u);
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(forth[1].category, Category::Transfer);
  EXPECT_EQ(forth[1].stage, 0);
  EXPECT_EQ(forth[1].micro_batch, 1);
  EXPECT_EQ(forth[1].phase, Phase::Forward);
  EXPECT_EQ(forth[1].mark, find(0, "0F1").end);
  EXPECT_EQ(back[0].phase, Phase::Backward);
  EXPECT_EQ(back[0].stage, 1);
  EXPECT_GE(find(0, "0B0").start, back[0].start);
}

TEST(Spans, AWaitNamesWhatTheLaneWaitedForAndEndsWhereTheActionBegins) {
  const Plan plan = planOf({0, 1}, 2, "gpipe", 1);
  Loop one(plan);
  one.world.before = [](LaneId lane, const Action&, int) {
    for (const Nanoseconds until = monotonicNow() + 20'000'000; lane.value == 0 && monotonicNow() < until;)
      std::this_thread::yield();
  };
  TraceBuilder builder("test", plan.lanes);
  ASSERT_TRUE(one.run(3, &builder).failure.ok());
  const auto trace = builder.snapshot();
  const std::vector<Span> waits = hostSpans(*trace, 1, Category::Wait);
  ASSERT_FALSE(waits.empty());  // lane 0 keeps each of three steps busy for long
  for (const Span& wait : waits) {
    EXPECT_EQ(trace->nameOf(wait), "wait for 0F0");
    for (const Span& action : spansOf(*trace, 1, Track::Kind::Compute)) {
      if (action.step != wait.step || trace->nameOf(action) != "1F0") continue;
      EXPECT_FALSE(wait.range().empty());
      EXPECT_EQ(wait.end, action.start);
      EXPECT_EQ(
          action.mark,
          action.start);  // handed over when the input was there, so that a host that wakes late is seen to be late
    }
  }
}

TEST(Spans, ThePartsOfASplitBackwardHavePhasesOfTheirOwn) {
  const auto trace = recorded(writtenPlan({0, 1}, "0F0,0F1,0I0,0B1,0W0\n1F0,1I0,1F1,1I1,1W0,1W1"), 1);
  const auto phasesOf = [&](int lane) {
    std::string letters;
    for (const Span& span : spansOf(*trace, lane, Track::Kind::Compute)) letters += letterOf(span.phase);
    return letters;
  };
  EXPECT_EQ(phasesOf(0), "FFIBWU");
  EXPECT_EQ(phasesOf(1), "FIFIWWU");
  const std::vector<Span> back = spansOf(*trace, 1, Track::Kind::Transfer);
  ASSERT_EQ(back.size(), 2u);  // weight parts send nothing
  EXPECT_EQ(trace->nameOf(back[0]), "send 1I0");
  EXPECT_EQ(back[0].phase, Phase::BackwardInput);
}

TEST(Spans, AWaitForAGradientNamesThePartItComesFrom) {
  Loop one(writtenPlan({0, 1}, "0F0,0B0\n1F0,1I0,1W0"));
  one.world.before = [](LaneId lane, const Action&, int) {
    for (const Nanoseconds until = monotonicNow() + 20'000'000; lane.value == 1 && monotonicNow() < until;)
      std::this_thread::yield();
  };
  TraceBuilder builder("test", one.plan.lanes);
  ASSERT_TRUE(one.run(1, &builder).failure.ok());
  const std::vector<Span> waits = hostSpans(*builder.snapshot(), 0, Category::Wait);
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(builder.snapshot()->nameOf(waits[0]), "wait for 1I0");
}

TEST(Spans, ALaneWithoutWorkHasNoSpans) {
  const auto trace = recorded(planOf({0, 2}, 3, "gpipe", 1), 1);
  for (const auto kind : {Track::Kind::Compute, Track::Kind::Transfer, Track::Kind::Host})
    EXPECT_TRUE(spansOf(*trace, 1, kind).empty());
}

TEST(Spans, AnActionTellsHowLongItsThreadHadACore) {
  const Plan plan = planOf({0, 1}, 2, "gpipe", 1);
  Loop one(plan);
  std::atomic<bool> free{false};
  std::thread other;  // in the second step 1F0 does nothing but wait for it
  one.world.before = [&](LaneId lane, const Action& action, int step) {
    if (lane.value == 0) keepBusy(2'000'000);
    if (toString(action) != "1F0" || step != 1) return;
    other = std::thread([&] {
      keepBusy(30'000'000);
      free = true;
      free.notify_all();
    });
    free.wait(false);
  };
  TraceBuilder builder("test", plan.lanes);
  const RepeatOutcome outcome = one.run(2, &builder);
  if (other.joinable()) other.join();
  ASSERT_TRUE(outcome.failure.ok()) << messageOf(outcome.failure);
  const auto trace = builder.snapshot();
  for (int lane = 0; lane < 2; ++lane) {
    for (const Span& span : spansOf(*trace, lane, Track::Kind::Compute)) {
      EXPECT_GE(span.cpu, 0);
      EXPECT_LE(span.cpu, span.range().length());
      EXPECT_TRUE(lane == 1 || span.cpu > 0);
      if (trace->nameOf(span) != "1F0" || span.step != 1) continue;
      EXPECT_GE(span.range().length(), 30'000'000);
      EXPECT_LT(span.cpu, span.range().length() / 2);
    }
  }
}

TEST(Spans, AnActionIsSeenWhileItRuns) {
  const Plan plan = planOf({0, 1}, 2, "gpipe", 2);
  Loop one(plan);
  TraceBuilder builder("test", plan.lanes);
  std::shared_ptr<const Trace> seen;
  one.world.before = [&](LaneId lane, const Action& action, int step) {
    if (lane.value == 1 && action.kind == ActionKind::Forward && action.micro_batch.value == 1 && step == 0)
      seen = builder.liveSnapshot();
  };
  ASSERT_TRUE(one.run(1, &builder).failure.ok());
  ASSERT_TRUE(seen);
  const std::vector<Span> spans = spansOf(*seen, 1, Track::Kind::Compute);
  ASSERT_EQ(spans.size(), 2U);
  EXPECT_EQ(seen->nameOf(spans.back()), "1F1");
  EXPECT_TRUE(seen->running(1, spans.back()));
  EXPECT_EQ(spans.back().start, spansOf(*builder.snapshot(), 1, Track::Kind::Compute)[1].start)
      << "it begins where the recorded action begins";
  EXPECT_TRUE(builder.liveSnapshot()->live.empty()) << "after the run nothing is in progress";
}

TEST(Spans, AStepThatIsRepeatedIsRecordedOnlyWhereItIsWanted) {
  struct Logging : CheckingWorker {
    Logging(World& world, LaneId lane, std::vector<bool>& recorded) : CheckingWorker(world, lane), log(recorded) {}
    TimeRange beginStep(const StepCommand& command) override {
      EXPECT_EQ(command.step, 0);
      log.push_back(command.recorded);
      return CheckingWorker::beginStep(command);
    }
    std::vector<bool>& log;
  };
  const Plan plan = planOf({0, 1}, 2, "1f1b", 3);
  World world(plan);
  std::vector<bool> recorded_steps[2];
  StepLoop loop(plan.lanes, lanesOfStages(plan.stages), plan.schedule);
  const auto logging = [&](LaneId lane) {
    return std::make_unique<Logging>(world, lane, recorded_steps[lane.index()]);
  };
  ASSERT_TRUE(loop.start(logging).ok());
  TraceBuilder builder("test", plan.lanes);
  const auto seconds = withinLimit([&] { return loop.repeatStep(5, builder, [](int i) { return i % 2 == 1; }, {}); });
  ASSERT_TRUE(seconds.ok()) << seconds.error().message;
  EXPECT_EQ(seconds->size(), 5u);
  for (const std::vector<bool>& lane : recorded_steps)
    EXPECT_EQ(lane, (std::vector<bool>{false, true, false, true, false}));
  EXPECT_EQ(world.wrong, 0);
  EXPECT_EQ(world.actions, 5 * 12);
  const auto trace = builder.snapshot();
  EXPECT_EQ(spansOf(*trace, 0, Track::Kind::Compute).size(), 2u * 7);
  EXPECT_EQ(spansOf(*trace, 0, Track::Kind::Step).size(), 2u);
  EXPECT_TRUE(withinLimit([&] { return loop.run(1, &builder, {}, {}); }).failure.ok()) << "and the loop works on";
  EXPECT_EQ(spansOf(*builder.snapshot(), 0, Track::Kind::Step).size(), 3u);
}

TEST(Spans, ARepeatedStepThatFailsOrIsCancelledSaysSo) {
  Loop one(planOf({0, 1}, 2, "1f1b", 3));
  int calls = 0;
  one.world.before = [&](LaneId lane, const Action&, int) {
    if (lane.value == 1 && ++calls == 10) throw std::runtime_error("planted");
  };
  TraceBuilder builder("test", one.plan.lanes);
  const auto always = [](int) { return true; };
  const auto failed = withinLimit([&] { return one.loop.repeatStep(5, builder, always, {}); });
  ASSERT_FALSE(failed.ok());
  EXPECT_NE(failed.error().message.find("planted"), std::string::npos) << failed.error().message;
  std::stop_source stop;
  stop.request_stop();
  const auto cancelled = withinLimit([&] { return one.loop.repeatStep(5, builder, always, stop.get_token()); });
  ASSERT_FALSE(cancelled.ok());
  EXPECT_EQ(cancelled.error().kind, Error::Kind::Cancelled);
}

}  // namespace
}  // namespace lanelab
