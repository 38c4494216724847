// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/collect/cupti/cupti_collector.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>
#include <vector>

#include "tests/unit/cupti/recording_world.h"

namespace lanelab {
namespace {

TEST(CuptiCollector, SaysWhyItCannotStart) {
  const std::pair<CUptiResult, const char*> table[] = {
      {CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED,
       "CUPTI for Nsight Systems already traces this program (CUPTI error 39)"},
      {CUPTI_ERROR_UNKNOWN, "no working NVIDIA driver (CUPTI error 999)"},
      {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "only administrators"},
      {CUPTI_ERROR_NOT_COMPATIBLE, "update the driver"},
      {CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, "text of the library"}};
  for (const auto& [code, words] : table) {
    Recording recording;
    recording.cupti->subscribe_result = code;
    recording.cupti->holder = "CUPTI for Nsight Systems";
    const std::string problem = recording.collector.start(recording.builder);
    EXPECT_NE(problem.find(words), std::string::npos) << problem;
    EXPECT_TRUE(problem.starts_with("GPU activity is not recorded: ") && problem.ends_with(".")) << problem;
    recording.collector.stop();
    EXPECT_EQ(recording.builder.spanCount(), 0u);
  }
}

TEST(CuptiCollector, WithoutANameItIsAnotherTool) {
  Recording recording;
  recording.cupti->subscribe_result = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  EXPECT_NE(recording.collector.start(recording.builder).find("another tool already traces"), std::string::npos);
}

TEST(CuptiCollector, AFailureHalfwayUndoesTheFirstHalf) {
  Recording recording;
  recording.cupti->enable_results[CUPTI_ACTIVITY_KIND_MEMSET] = CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES;
  EXPECT_NE(recording.collector.start(recording.builder).find("only administrators"), std::string::npos);
  EXPECT_TRUE(recording.cupti->enabled.empty());
  EXPECT_EQ(recording.cupti->subscriptions, 0);
  recording.cupti->enable_results.clear();
  recording.cupti->register_result = CUPTI_ERROR_OUT_OF_MEMORY;
  EXPECT_NE(recording.collector.start(recording.builder).find("registering its buffers failed"), std::string::npos);
  recording.cupti->register_result = CUPTI_SUCCESS;
  EXPECT_EQ(recording.collector.start(recording.builder), "");
  EXPECT_EQ(recording.cupti->subscriptions, 1);
}

TEST(CuptiCollector, OnlyOneWorksAtATime) {
  Recording first;
  Recording second;
  ASSERT_EQ(first.collector.start(first.builder), "");
  EXPECT_NE(second.collector.start(second.builder).find("another run of this program"), std::string::npos);
  first.collector.stop();
  EXPECT_EQ(second.collector.start(second.builder), "");
}

TEST(CuptiCollector, WhatAnEarlierRunLeftIsNotInTheNext) {
  Recording first;
  ASSERT_EQ(first.collector.start(first.builder), "");
  first.collector.stop();
  first.launch();
  first.cupti->flushAll(0);
  Recording second;
  ASSERT_EQ(second.collector.start(second.builder), "");
  second.collector.stop();
  EXPECT_EQ(second.builder.spanCount(), 0u);
}

// Launching threads, the flush thread and a poller at once, a hundred times; the thread sanitizer watches.
TEST(CuptiCollector, AHundredRunsLoseNothing) {
  Recording recording;
  constexpr int kRuns = 100;
  constexpr int kLaunches = 20;
  for (int run = 0; run < kRuns; ++run) {
    ASSERT_EQ(recording.collector.start(recording.builder), "");
    {
      std::vector<std::jthread> threads;
      for (const std::uint32_t stream : {7U, 13U})
        threads.emplace_back([&recording, stream] {
          for (int i = 0; i < kLaunches; ++i) recording.launch(stream);
        });
      recording.builder.snapshot();
    }
    recording.collector.stop();
  }
  const auto trace = recording.builder.snapshot();
  EXPECT_EQ(trace->spanCount(), static_cast<std::size_t>(kRuns * kLaunches * 2));
  EXPECT_EQ(trace->dropped, 0);
  EXPECT_EQ(recording.cupti->subscriptions, 0);
}

// Starts that fail at each step, among ones that work; the address sanitizer watches.
TEST(CuptiCollector, AHundredStartsOfWhichManyFailLeaveNothingBehind) {
  Recording recording;
  const CUptiResult answers[] = {CUPTI_SUCCESS, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, CUPTI_SUCCESS,
                                 CUPTI_ERROR_UNKNOWN};
  int worked = 0;
  for (int cycle = 0; cycle < 100; ++cycle) {
    recording.cupti->subscribe_result = answers[cycle % 4];
    recording.cupti->register_result = cycle % 10 == 2 ? CUPTI_ERROR_UNKNOWN : CUPTI_SUCCESS;
    recording.cupti->enable_results.clear();
    if (cycle % 10 == 4) recording.cupti->enable_results[CUPTI_ACTIVITY_KIND_MEMCPY2] = CUPTI_ERROR_UNKNOWN;
    const std::string problem = recording.collector.start(recording.builder);
    if (problem.empty()) {
      ++worked;
      const LaunchScope scope(&recording.collector, {0, cycle, 0, 0, Phase::Forward});
      const std::uint64_t now = Recording::now();
      const auto launch = static_cast<std::uint32_t>(cycle) + 1;
      recording.cupti->emitCall(launch, now, now + 5);
      recording.cupti->emit(kernel("k", now + 10, now + 20, launch));
      recording.cupti->completeNothing();
    }
    recording.collector.stop();
    EXPECT_EQ(recording.cupti->subscriptions, 0);
    EXPECT_TRUE(recording.cupti->enabled.empty());
  }
  EXPECT_EQ(worked, 30);
  EXPECT_EQ(recording.builder.spanCount(), 30u);
  EXPECT_EQ(recording.builder.snapshot()->dropped, 0);
}

TEST(CuptiCollector, TheRealLibraryWithoutADriverIsASentence) {
  if (std::filesystem::exists("/dev/nvidiactl")) GTEST_SKIP() << "this machine has an NVIDIA driver";
  TraceBuilder builder("t", {{"a", "cuda:0"}});
  CuptiCollector collector(twoStreams());
  const std::string problem = collector.start(builder);
  EXPECT_NE(problem.find("no working NVIDIA driver (CUPTI error 999)"), std::string::npos) << problem;
  collector.stop();
  EXPECT_EQ(builder.snapshot()->dropped, 0);
  EXPECT_FALSE(cudaStreamOf(nullptr, nullptr).has_value());
}

}  // namespace
}  // namespace lanelab
