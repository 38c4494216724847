// SPDX-License-Identifier: GPL-3.0-only
#include "engine/run/load_recorder.h"

#include <gtest/gtest.h>

#include <atomic>

#include "profiler/trace/core_time.h"
#include "tests/unit/run/runner_world.h"

namespace lanelab {
namespace {

constexpr std::chrono::milliseconds kShort{1};

/// What is read one after the other; the last one again and again. True once all were used.
struct CpuReadings {
  std::vector<std::optional<CpuSeconds>> all;
  std::atomic<std::size_t> used = 0;

  std::optional<CpuSeconds> next() { return all[std::min(used++, all.size() - 1)]; }
  bool wait() const {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (used <= all.size() && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
    return used > all.size();
  }
};

std::shared_ptr<const Trace> recorded(CpuReadings& readings) {
  const auto builder = std::make_shared<TraceBuilder>("run", std::vector<LaneInfo>(1));
  {
    const LoadRecorder recorder(
        builder, [&] { return readings.next(); }, kShort);
    EXPECT_TRUE(readings.wait());
  }
  return builder->snapshot();
}

TEST(LoadRecorder, GivesTheShareOfOtherProgramsFromReadingToReading) {
  CpuReadings readings{
      {CpuSeconds{10, 10, 5}, CpuSeconds{11, 11, 5.5}, CpuSeconds{11, 13, 5.5}, CpuSeconds{13, 13, 5.5}}};
  const auto trace = recorded(readings);
  ASSERT_EQ(trace->counters.size(), 1U);
  const Counter& counter = trace->counters.front();
  EXPECT_EQ(counter.name, kOtherProgramsCounter);
  EXPECT_EQ(counter.series, "%");
  EXPECT_EQ(counter.lane, -1);
  EXPECT_EQ(counter.values, (std::vector<double>{25, 0, 100})) << "nothing where no time passed";
  EXPECT_TRUE(std::ranges::is_sorted(counter.times));
}

TEST(LoadRecorder, GivesNothingWhereTheSystemReportsNone) {
  const auto builder = std::make_shared<TraceBuilder>("run", std::vector<LaneInfo>(1));
  std::atomic<int> asked = 0;
  {
    const LoadRecorder recorder(
        builder,
        [&]() -> std::optional<CpuSeconds> {
          ++asked;
          return std::nullopt;
        },
        kShort);
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (asked == 0 && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
  }
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(builder->snapshot()->counters.empty());
}

TEST(LoadRecorder, EndsAtOnce) {
  const auto builder = std::make_shared<TraceBuilder>("run", std::vector<LaneInfo>(1));
  const auto start = std::chrono::steady_clock::now();
  { const LoadRecorder recorder(builder, cpuSecondsNow, std::chrono::minutes(10)); }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

using RunWithLoad = test::RunnerWorld;

TEST_F(RunWithLoad, HasTheCounterInItsTraceWhileItRuns) {
  const auto counters = [&] { return listener.starts.back().trace->snapshot()->counters; };
  std::vector<Counter> seen;  // a counter is there before its first value
  const auto has_value = [&] { return !seen.empty() && !seen.front().values.empty(); };
  listener.on_step = [&](const StepDone&) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!has_value() && std::chrono::steady_clock::now() < limit) seen = counters();
  };
  ASSERT_TRUE(run().ok());
  ASSERT_TRUE(has_value());
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen.front().name, kOtherProgramsCounter);
  EXPECT_GE(seen.front().values.front(), 0);
  EXPECT_LE(seen.front().values.front(), 100);
}

}  // namespace
}  // namespace lanelab
