#include "profiler/collect/cupti/cupti_collector.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "profiler/collect/cupti/activity_buffers.h"
#include "tests/unit/cupti/activity_records.h"
#include "tests/unit/cupti/fake_cupti.h"

namespace lanelab {
namespace {

CuptiOptions twoStreams() {
  CuptiOptions options;
  options.lane_of_stream = [](CudaStream stream) { return stream.stream == 7 ? 0 : stream.stream == 13 ? 1 : -1; };
  options.flush_period = std::chrono::milliseconds(1);
  return options;
}

struct Recording {
  std::shared_ptr<FakeCupti> cupti = std::make_shared<FakeCupti>();
  TraceBuilder builder{"t", {{"a", "cuda:0"}, {"b", "cuda:0"}}};
  CuptiCollector collector;

  explicit Recording(CuptiOptions options = twoStreams()) : collector(std::move(options), cupti) {}

  static std::uint64_t now() { return static_cast<std::uint64_t>(monotonicNow() + FakeCupti::clockOffset); }
  void launch(std::uint32_t stream = 7) const {
    const std::uint64_t start = now();
    cupti->emit(kernel("k", start, start + 10, 1, stream));
  }
};

const Track* trackNamed(const Trace& trace, const std::string& name) {
  for (const Track& track : trace.tracks)
    if (track.name == name) return &track;
  return nullptr;
}

TEST(CuptiCollector, PutsActivityOnTheTracksOfItsStreams) {
  Recording recording;
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  const std::uint64_t now = Recording::now();
  recording.cupti->emit(kernel("k7", now, now + 500, 1, 7));
  recording.cupti->emit(kernel("k13", now + 100, now + 700, 2, 13));
  recording.cupti->emit(copy(CUPTI_ACTIVITY_MEMCPY_KIND_DTOD, now + 500, now + 600, 64));
  recording.cupti->emit(synchronization(CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE, now, now + 900));
  recording.cupti->emit(kernel("stranger", now, now + 1, 3, 99));
  recording.collector.stop();

  const auto trace = recording.builder.snapshot();
  EXPECT_EQ(trace->spanCount(), 4u);
  const Track* left = trackNamed(*trace, "stream 7");
  const Track* right = trackNamed(*trace, "stream 13");
  const Track* sync = trackNamed(*trace, "stream 7 sync");
  ASSERT_TRUE(left && right && sync);
  EXPECT_EQ(left->kind, Track::Kind::Stream);
  EXPECT_EQ(left->lane, 0);
  EXPECT_EQ(right->lane, 1);
  ASSERT_EQ(left->spans.size(), 2u);
  EXPECT_EQ(trace->nameOf(left->spans[0]), "k7");
  EXPECT_EQ(left->spans[0].category, Category::Kernel);
  EXPECT_EQ(left->spans[1].category, Category::Memcpy);
  EXPECT_EQ(sync->spans.at(0).category, Category::Sync) << "beside the kernels, which it would hide";
  EXPECT_EQ(trace->dropped, 0);
  EXPECT_TRUE(recording.cupti->forced);
}

TEST(CuptiCollector, TimesAreOnTheTracesClock) {
  Recording recording;
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  const Nanoseconds ours = monotonicNow();
  recording.cupti->emit(
      kernel("k", static_cast<std::uint64_t>(ours + FakeCupti::clockOffset), static_cast<std::uint64_t>(ours + FakeCupti::clockOffset + 1000)));
  recording.collector.stop();
  const Span span = recording.builder.snapshot()->tracks.at(0).spans.at(0);
  // Far looser than the 2 us that a sample must keep: the machine may be busy when the first one is taken.
  EXPECT_NEAR(static_cast<double>(span.start - ours), 0, 5e6);
  EXPECT_NEAR(static_cast<double>(span.end - span.start), 1000, 1e6);
  EXPECT_EQ(recording.collector.clockJumps(), 0);
}

TEST(CuptiCollector, SpansArriveWhileTheRunLasts) {
  Recording recording;
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  recording.launch();
  ASSERT_TRUE(recording.cupti->waitForFlushes());
  EXPECT_EQ(recording.builder.spanCount(), 1u);
  recording.collector.stop();
  EXPECT_EQ(recording.builder.spanCount(), 1u);
}

TEST(CuptiCollector, HostCallsAreRecordedOnlyWhenAskedFor) {
  {
    Recording recording;
    ASSERT_EQ(recording.collector.start(recording.builder), "");
    EXPECT_FALSE(recording.cupti->enabled.contains(CUPTI_ACTIVITY_KIND_RUNTIME));
    EXPECT_TRUE(recording.cupti->enabled.contains(CUPTI_ACTIVITY_KIND_MEMCPY2));
  }
  CuptiOptions options = twoStreams();
  options.lane_of_thread = [](std::uint32_t thread) { return thread == 4711 ? 1 : -1; };
  Recording recording(options);
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  EXPECT_TRUE(recording.cupti->enabled.contains(CUPTI_ACTIVITY_KIND_RUNTIME));
  const std::uint64_t now = Recording::now();
  recording.cupti->emit(call(CUPTI_ACTIVITY_KIND_RUNTIME, 211, now, now + 5, 4711));
  recording.cupti->emit(call(CUPTI_ACTIVITY_KIND_RUNTIME, 211, now, now + 5, 1));
  recording.cupti->emit(overhead(CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH, 4711, now + 5, now + 9));
  recording.collector.stop();
  const auto trace = recording.builder.snapshot();
  const Track* calls = trackNamed(*trace, "CUDA calls of thread 4711");
  const Track* profiler = trackNamed(*trace, "profiler");
  ASSERT_TRUE(calls && profiler);
  EXPECT_EQ(trace->spanCount(), 2u);
  EXPECT_EQ(calls->lane, 1);
  EXPECT_EQ(calls->spans.at(0).category, Category::Runtime);
  EXPECT_EQ(profiler->spans.at(0).category, Category::Profiler);
}

TEST(CuptiCollector, LostRecordsAreCounted) {
  Recording recording;
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  recording.cupti->emit(kernel("lost on the device", 0, 0));
  recording.collector.stop();
  EXPECT_EQ(recording.builder.snapshot()->dropped, 1);
  EXPECT_EQ(recording.collector.counts().zero_time, 1);
}

TEST(CuptiCollector, WhenAllBuffersAreOutRecordsAreDroppedAndCounted) {
  CuptiOptions options = twoStreams();
  options.flush_period = std::chrono::hours(1);
  Recording recording(options);
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  for (std::size_t i = 0; i < ActivityBuffers::mostBuffers + 5; ++i) recording.launch();
  recording.collector.stop();
  EXPECT_EQ(recording.builder.spanCount(), ActivityBuffers::mostBuffers);
  EXPECT_EQ(recording.builder.snapshot()->dropped, 5);
}

TEST(CuptiCollector, SaysWhyItCannotStart) {
  const std::pair<CUptiResult, const char*> table[] = {
      {CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, "CUPTI for Nsight Systems already traces this program (CUPTI error 39)"},
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
  constexpr int runs = 100;
  constexpr int launches = 20;
  for (int run = 0; run < runs; ++run) {
    ASSERT_EQ(recording.collector.start(recording.builder), "");
    {
      std::vector<std::jthread> lanes;
      for (const std::uint32_t stream : {7U, 13U})
        lanes.emplace_back([&recording, stream] {
          for (int i = 0; i < launches; ++i) recording.launch(stream);
        });
      recording.builder.snapshot();
    }
    recording.collector.stop();
  }
  const auto trace = recording.builder.snapshot();
  EXPECT_EQ(trace->spanCount(), static_cast<std::size_t>(runs * launches * 2));
  EXPECT_EQ(trace->dropped, 0);
  EXPECT_EQ(recording.cupti->subscriptions, 0);
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
