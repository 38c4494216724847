// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/tables/gap_comparison.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/io/small_world.h"
#include "tests/unit/io/traced_gpus.h"

namespace lanelab {
namespace {

IdleCauses gpuCauses(const TracedGpus& file) { return explainIdle(*importedFrom(file.text())); }

/// Two kernels of 30 us on each GPU, the second launched so late that the GPU waits for it that long.
IdleCauses waitingGpus(int gpus, double wait, int steps = 0) {
  TracedGpus file;
  for (int gpu = 0; gpu < gpus; ++gpu) {
    file.call("900", 0, 5, 10 * gpu + 1).kernel("0", gpu, 10, 30, 10 * gpu + 1, "gemm", "kernel", 7 + gpu);
    file.call("900", 35 + wait, 5, 10 * gpu + 2)
        .kernel("0", gpu, 40 + wait, 30, 10 * gpu + 2, "gemm", "kernel", 7 + gpu);
  }
  for (int step = 0; step < steps; ++step) file.step("900", step, 100 * step, 100);
  return gpuCauses(file);
}

TEST(GapComparison, ShowsLanesAndCausesBesideEachOther) {
  const GapComparison compared{waitingGpus(2, 40), waitingGpus(2, 20), false};
  EXPECT_EQ(whyNotCompared(compared.before, compared.after), "");
  EXPECT_EQ(laneDifferenceRows(compared),
            (TableRows{
                {"Lane", "Window before", "after", "Idle before", "after", "Difference", "Utilization before", "after"},
                {"GPU 0", "100 µs", "80.0 µs", "40.0 µs", "20.0 µs", "-20.0 µs", "60.0 %", "75.0 %"},
                {"GPU 1", "100 µs", "80.0 µs", "40.0 µs", "20.0 µs", "-20.0 µs", "60.0 %", "75.0 %"},
                {"all lanes", "200 µs", "160 µs", "80.0 µs", "40.0 µs", "-40.0 µs", "60.0 %", "75.0 %"}}));
  EXPECT_EQ(causeDifferenceRows(compared),
            (TableRows{{"Cause", "Before", "After", "Difference", "Share of windows before", "after"},
                       {"host", "80.0 µs", "40.0 µs", "-40.0 µs", "40.0 %", "25.0 %"},
                       {"idle", "80.0 µs", "40.0 µs", "-40.0 µs", "40.0 %", "25.0 %"},
                       {"busy", "120 µs", "120 µs", "0 ns", "60.0 %", "75.0 %"},
                       {"windows", "200 µs", "160 µs", "-40.0 µs", "100.0 %", "100.0 %"}}));
  EXPECT_EQ(differenceSentence(compared),
            "Lanes are idle 40.0 % of the time before and 25.0 % after; largest change: host, from 40.0 % to 25.0 % of "
            "the time.");
  EXPECT_EQ(unlikeWindowsSentence(compared) + unmatchedLanesSentence(compared), "");
}

TEST(GapComparison, OfTheSameTraceHasNoDifference) {
  const GapComparison compared{waitingGpus(1, 40), waitingGpus(1, 40), false};
  EXPECT_EQ(laneDifferenceRows(compared).size(), 2U) << "the sum of one lane is that lane";
  EXPECT_EQ(laneDifferenceRows(compared)[1][5], "0 ns");
  EXPECT_EQ(differenceSentence(compared),
            "Lanes are idle 40.0 % of the time before and 40.0 % after; no cause changes by 0.1 % of the time.");
}

TEST(GapComparison, NamesWhatHasNoCounterpart) {
  const GapComparison compared{waitingGpus(3, 40, 1), waitingGpus(1, 40, 2), false};
  EXPECT_EQ(laneDifferenceRows(compared).size(), 3U) << "GPU 0 and the sums";
  EXPECT_EQ(unmatchedLanesSentence(compared), "Only before: GPU 1 and GPU 2.");
  EXPECT_EQ(unlikeWindowsSentence(compared),
            "A lane has up to 1 window before and 2 after, so compare the shares of the time.");
  const auto json = nlohmann::json::parse(differenceJson(compared));
  EXPECT_EQ(json["only_before"], (std::vector<std::string>{"GPU 1", "GPU 2"}));
  EXPECT_EQ(json["only_after"].size(), 0U);
  EXPECT_EQ(json["lanes"].size(), 1U);
  EXPECT_EQ(json["total"]["busy_us"], -120.0);
}

TEST(GapComparison, OfOneLaneEachDoesNotAskForTheirNames) {
  GapComparison compared{waitingGpus(2, 40), waitingGpus(2, 20), true};
  compared.before.lanes.erase(compared.before.lanes.begin());
  compared.after.lanes.pop_back();
  const TableRows rows = laneDifferenceRows(compared);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1][0], "GPU 1 / GPU 0");
  EXPECT_EQ(unmatchedLanesSentence(compared), "");
  EXPECT_TRUE(differenceSentence(compared).starts_with("The lane is idle 40.0 % of the time before"));
}

TEST(GapComparison, OfALaneWithoutWorkHasNoCause) {
  SmallWorld world;
  const auto busy = world.lane("cpu:0", "cpu:0");
  world.span(world.track(busy, Track::Kind::Step, "steps"), Category::Step, "step 0", 0, 10'000);
  world.action(world.track(busy, Track::Kind::Compute, "compute"), 0, Phase::Forward, 0, 0, 8'000);
  world.track(world.lane("cpu:1", "cpu:1"), Track::Kind::Compute, "compute");
  const GapComparison compared{explainIdle(world.trace), explainIdle(world.trace), false};
  EXPECT_EQ(laneDifferenceRows(compared).back()[0], "lanes with work");
  EXPECT_EQ(laneDifferenceRows(compared).back()[3], "2.00 µs");
  const auto lanes = nlohmann::json::parse(differenceJson(compared))["lanes"];
  EXPECT_EQ(lanes[1]["causes"], nlohmann::json({{"no_work_in_the_steps", 0.0}}));
}

TEST(GapComparison, RefusesOtherWorkAndOtherWindows) {
  IdleCauses actions, periods, operators;
  periods.window_kind = WindowKind::Period;
  operators.work = IdleCauses::Work::Operators;
  EXPECT_EQ(whyNotCompared(actions, actions), "");
  EXPECT_EQ(whyNotCompared(actions, operators),
            "the lanes of the first are idle between actions, those of the second between operators. Compare traces of "
            "one kind.");
  EXPECT_EQ(whyNotCompared(actions, periods),
            "idle time counts in a step in the first, and in a period in the second. Choose --windows step or period "
            "for both.");
}

}  // namespace
}  // namespace lanelab
