// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/collect/cupti/cupti_collector.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "profiler/collect/cupti/activity_buffers.h"
#include "tests/unit/cupti/recording_world.h"

namespace lanelab {
namespace {

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
  EXPECT_EQ(sync->spans[0].category, Category::Sync) << "beside the kernels, which it would hide";
  EXPECT_EQ(trace->dropped, 0);
  EXPECT_TRUE(recording.cupti->forced);
}

TEST(CuptiCollector, TimesAreOnTheTracesClock) {
  Recording recording;
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  const Nanoseconds ours = monotonicNow();
  recording.cupti->emit(kernel("k", static_cast<std::uint64_t>(ours + FakeCupti::kClockOffset),
                               static_cast<std::uint64_t>(ours + FakeCupti::kClockOffset + 1000)));
  recording.collector.stop();
  const Span span = recording.builder.snapshot()->tracks.at(0).spans[0];
  // Far looser than the 2 us that a sample must keep: the machine may be busy when the first one is taken.
  EXPECT_NEAR(static_cast<double>(span.start - ours), 0, 5e6);
  EXPECT_NEAR(static_cast<double>(span.end - span.start), 1000, 1e6);
  EXPECT_EQ(recording.collector.counts().clock_steps, 0);
  EXPECT_GT(recording.collector.counts().clock_residual, 0) << "no bracket has no width";
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

TEST(CuptiCollector, AsksForAllThatExplainsWork) {
  Recording recording;
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  for (const CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2,
        CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_CUDA_EVENT,
        CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION,
        CUPTI_ACTIVITY_KIND_OVERHEAD, CUPTI_ACTIVITY_KIND_CONTEXT})
    EXPECT_TRUE(recording.cupti->enabled.contains(kind)) << kind;
  EXPECT_FALSE(recording.cupti->enabled.contains(CUPTI_ACTIVITY_KIND_GRAPH_TRACE))
      << "it would take the place of the graph's kernels";
  EXPECT_GT(recording.cupti->ignored, 0);
  recording.collector.stop();
  EXPECT_TRUE(recording.cupti->enabled.empty());
}

TEST(CuptiCollector, WorksWithoutWhatOnlyExplains) {
  Recording recording;
  recording.cupti->enable_results[CUPTI_ACTIVITY_KIND_RUNTIME] = CUPTI_ERROR_INVALID_KIND;
  recording.cupti->enable_results[CUPTI_ACTIVITY_KIND_OVERHEAD] = CUPTI_ERROR_INVALID_KIND;
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  EXPECT_EQ(recording.collector.notice(),
            "GPU activity is recorded without CUPTI's own time: CUPTI refuses that with \"text of the library\" (CUPTI "
            "error 21).");
  const std::uint64_t now = Recording::now();
  recording.cupti->emit(kernel("k", now, now + 10, 55));
  ASSERT_TRUE(recording.cupti->waitForFlushes());
  EXPECT_EQ(recording.builder.spanCount(), 1u) << "no launch call can come, so none is waited for";
  recording.collector.stop();
  recording.cupti->enable_results.clear();
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  EXPECT_EQ(recording.collector.notice(), "");
}

TEST(CuptiCollector, CallsOfLanesHaveRowsOnlyWhenAskedFor) {
  for (const bool rows : {false, true}) {
    CuptiOptions options = twoStreams();
    options.call_rows = rows;
    Recording recording(options);
    ASSERT_EQ(recording.collector.start(recording.builder), "");
    const auto own = static_cast<std::uint32_t>(::gettid());
    const std::uint64_t now = Recording::now();
    {
      const LaunchScope scope(&recording.collector, {1, 0, 1, 3, Phase::Forward});
      recording.cupti->emitCall(10, now, now + 5);
      recording.cupti->emit(
          call(CUPTI_ACTIVITY_KIND_RUNTIME, 211, now, now + 5, 4711, 11));  // of a thread that is no lane's
      recording.cupti->emit(overhead(CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH, own, now + 5, now + 9));
      recording.cupti->emit(overhead(CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH, 4711, now + 5, now + 9));
      recording.cupti->emit(overhead(CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING, own, now + 20, now + 90));
    }
    recording.collector.stop();
    const auto trace = recording.builder.snapshot();
    const Track* const calls = trackNamed(*trace, "CUDA calls of thread " + std::to_string(own));
    const Track* const profiler = trackNamed(*trace, "profiler");
    ASSERT_TRUE(profiler);
    EXPECT_EQ(profiler->lane, 1);
    ASSERT_EQ(profiler->spans.size(), 1u);
    EXPECT_EQ(profiler->spans[0].category, Category::Profiler);
    EXPECT_EQ(recording.collector.counts().overhead, 4) << "what CUDA takes for itself is no cost of recording";
    const Track* const upkeep = trackNamed(*trace, "CUDA's own work");
    ASSERT_TRUE(upkeep);
    EXPECT_EQ(upkeep->spans[0].category, Category::Host);
    ASSERT_EQ(calls != nullptr, rows);
    if (!rows) continue;
    EXPECT_EQ(trace->spanCount(), 3u);
    EXPECT_EQ(calls->lane, 1);
    EXPECT_EQ(calls->spans[0].category, Category::Runtime);
    EXPECT_EQ(calls->spans[0].micro_batch, 3);
  }
}

TEST(CuptiCollector, LostRecordsAreCounted) {
  Recording recording;
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  recording.cupti->emit(kernel("lost on the device", 0, 0));
  recording.collector.stop();
  EXPECT_EQ(recording.builder.snapshot()->dropped, 1);
  EXPECT_EQ(recording.collector.counts().without_time, 1);
  EXPECT_EQ(recording.collector.counts().kernels, 0);
}

TEST(CuptiCollector, WhenAllBuffersAreOutRecordsAreDroppedAndCounted) {
  CuptiOptions options = twoStreams();
  options.flush_period = std::chrono::hours(1);
  Recording recording(options);
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  for (std::size_t i = 0; i < ActivityBuffers::kMostBuffers + 5; ++i) recording.launch();
  recording.collector.stop();
  EXPECT_EQ(recording.builder.spanCount(), ActivityBuffers::kMostBuffers);
  EXPECT_EQ(recording.builder.snapshot()->dropped, 5);
  EXPECT_EQ(recording.collector.counts().dropped, 5);
}

}  // namespace
}  // namespace lanelab
