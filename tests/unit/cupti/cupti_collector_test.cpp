#include "profiler/collect/cupti/cupti_collector.h"

#include <gtest/gtest.h>
#include <unistd.h>

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
    cupti->emit(kernel("k", start, start + 10, 0, stream));
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
       {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET,
        CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_CUDA_EVENT, CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER,
        CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, CUPTI_ACTIVITY_KIND_OVERHEAD, CUPTI_ACTIVITY_KIND_CONTEXT})
    EXPECT_TRUE(recording.cupti->enabled.contains(kind)) << kind;
  EXPECT_FALSE(recording.cupti->enabled.contains(CUPTI_ACTIVITY_KIND_GRAPH_TRACE)) << "it would take the place of the graph's kernels";
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
            "GPU activity is recorded without CUPTI's own time: CUPTI refuses that with \"text of the library\" (CUPTI error 21).");
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
      recording.cupti->emit(call(CUPTI_ACTIVITY_KIND_RUNTIME, 211, now, now + 5, 4711, 11));  // of a thread that is no lane's
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

/// What a span says of its owner.
LaunchOwner ownerIn(const Span& span) { return {-1, span.step, span.stage, span.micro_batch, span.phase}; }

TEST(CuptiCollector, WorkBelongsToTheActionThatLaunchedIt) {
  Recording recording;
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  FakeCupti& cupti = *recording.cupti;
  const std::uint64_t now = Recording::now();
  {
    const LaunchScope scope(&recording.collector, {0, 2, 1, 3, Phase::Forward});
    EXPECT_NE(cupti.pushedId(), 0u);
    cupti.emitCall(10, now, now + 40);
    cupti.emitCall(11, now + 50, now + 60);
  }
  EXPECT_EQ(cupti.pushedId(), 0u);
  {
    const LaunchScope scope(&recording.collector, {0, 2, 1, -1, Phase::Update});
    cupti.emitCall(12, now + 70, now + 80);
  }
  // The device is late, and its records come in their own order.
  cupti.emit(kernel("update", now + 2000, now + 2100, 12));
  cupti.emit(kernel("forward", now + 1000, now + 1500, 10));
  cupti.emit(correlated(copy(CUPTI_ACTIVITY_MEMCPY_KIND_DTOD, now + 1500, now + 1600, 64), 11));
  recording.collector.stop();
  const auto trace = recording.builder.snapshot();
  const Track* const stream = trackNamed(*trace, "stream 7");
  ASSERT_TRUE(stream);
  ASSERT_EQ(stream->spans.size(), 3u);
  const LaunchOwner forward{-1, 2, 1, 3, Phase::Forward};
  EXPECT_EQ(ownerIn(stream->spans[0]), forward);
  EXPECT_EQ(ownerIn(stream->spans[1]), forward);
  EXPECT_EQ(ownerIn(stream->spans[2]), (LaunchOwner{-1, 2, 1, -1, Phase::Update}));
  const Span first = stream->spans[0];
  EXPECT_NEAR(static_cast<double>(first.start - first.mark), 1000 - 40, 2) << "the mark is the launch call's end";
  const GpuActivity counts = recording.collector.counts();
  EXPECT_EQ(counts.kernels, 2);
  EXPECT_EQ(counts.copies, 1);
  EXPECT_EQ(counts.unattributed, 0);
  EXPECT_EQ(counts.before_launch, 0);
}

TEST(CuptiCollector, WithoutAnIdTheThreadAndTheTimeOfTheCallTell) {
  Recording recording;
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  const auto own = static_cast<std::uint32_t>(::gettid());
  recording.collector.launchesBegin({1, 5, 2, 0, Phase::Backward});
  // Well behind the begin: the clocks of a busy machine may be some microseconds apart.
  const std::uint64_t inside = Recording::now() + 10'000'000;
  recording.cupti->emit(call(CUPTI_ACTIVITY_KIND_DRIVER, 307, inside, inside + 10, own, 20));
  recording.cupti->emit(call(CUPTI_ACTIVITY_KIND_DRIVER, 307, inside, inside + 10, own + 1, 21));
  recording.cupti->emit(kernel("mine", inside + 100, inside + 200, 20, 13));
  recording.cupti->emit(kernel("of another thread", inside + 300, inside + 400, 21, 13));
  recording.collector.stop();
  const auto trace = recording.builder.snapshot();
  const Track* const stream = trackNamed(*trace, "stream 13");
  ASSERT_TRUE(stream);
  ASSERT_EQ(stream->spans.size(), 2u);
  EXPECT_EQ(ownerIn(stream->spans[0]), (LaunchOwner{-1, 5, 2, 0, Phase::Backward}));
  EXPECT_EQ(ownerIn(stream->spans[1]), (LaunchOwner{-1, -1, -1, -1, Phase::None}));
  EXPECT_NE(stream->spans[1].mark, 0) << "its call is known all the same";
  EXPECT_EQ(recording.collector.counts().unattributed, 1);
}

TEST(CuptiCollector, AKernelWaitsForALaunchCallThatComesLater) {
  CuptiOptions options = twoStreams();
  options.rounds_for_launch = 1'000'000;  // however slow this machine is
  Recording recording(options);
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  FakeCupti& cupti = *recording.cupti;
  const std::uint64_t now = Recording::now();
  cupti.emit(kernel("k", now + 100, now + 200, 30));
  ASSERT_TRUE(cupti.waitForFlushes());
  EXPECT_EQ(recording.builder.spanCount(), 0u);
  {
    const LaunchScope scope(&recording.collector, {0, 1, 0, 2, Phase::Forward});
    cupti.emitCall(30, now, now + 50);
  }
  ASSERT_TRUE(cupti.waitForFlushes());
  ASSERT_EQ(recording.builder.spanCount(), 1u);
  EXPECT_EQ(ownerIn(recording.builder.snapshot()->tracks.at(0).spans[0]), (LaunchOwner{-1, 1, 0, 2, Phase::Forward}));
  cupti.emit(kernel("orphan", now + 300, now + 400, 31));
  recording.collector.stop();
  EXPECT_EQ(recording.builder.spanCount(), 2u) << "at the end it goes without";
  EXPECT_EQ(recording.collector.counts().unattributed, 1);
}

TEST(CuptiCollector, AnOrphanDoesNotWaitForever) {
  Recording recording;
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  const std::uint64_t now = Recording::now();
  recording.cupti->emit(kernel("orphan", now, now + 1, 40));
  for (int flushes = 0; flushes < 40 && recording.builder.spanCount() == 0; ++flushes) ASSERT_TRUE(recording.cupti->waitForFlushes());
  EXPECT_EQ(recording.builder.spanCount(), 1u);
}

TEST(CuptiCollector, IdsOfAnEarlierRunNameNobody) {
  Recording recording;
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  std::uint64_t old = 0;
  {
    const LaunchScope scope(&recording.collector, {0, 1, 0, 2, Phase::Forward});
    old = recording.cupti->pushedId();
  }
  recording.collector.stop();
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  const std::uint64_t now = Recording::now();
  recording.cupti->emit(externalId(50, old));
  recording.cupti->emit(call(CUPTI_ACTIVITY_KIND_RUNTIME, 211, now, now + 5, 1, 50));
  recording.cupti->emit(kernel("left over", now + 10, now + 20, 50));
  recording.collector.stop();
  EXPECT_EQ(recording.collector.counts().unattributed, 1);
}

TEST(CuptiCollector, AllNodesOfAGraphBelongToItsLaunch) {
  Recording recording;
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  FakeCupti& cupti = *recording.cupti;
  const std::uint64_t now = Recording::now();
  const LaunchOwner owner{0, 4, 0, 1, Phase::Backward};
  {
    const LaunchScope scope(&recording.collector, owner);
    cupti.emitCall(60, now, now + 20);
  }
  for (std::uint64_t node = 1; node <= 5; ++node) {
    cupti.emit(ofGraph(kernel("node", now + 100 * node, now + 100 * node + 50, 60), 9, node));
    if (node == 3) {
      ASSERT_TRUE(cupti.waitForFlushes()) << "a graph's records come in several buffers";
    }
  }
  recording.collector.stop();
  const auto trace = recording.builder.snapshot();
  ASSERT_EQ(trace->spanCount(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    const Span span = trace->tracks.at(0).spans[i];
    EXPECT_EQ(ownerIn(span), (LaunchOwner{-1, 4, 0, 1, Phase::Backward}));
    EXPECT_EQ(span.mark, trace->tracks.at(0).spans[0].mark);
  }
  EXPECT_EQ(recording.collector.counts().graph_nodes, 5);
}

TEST(CuptiCollector, WorkOnAStreamOfNoLaneIsDrawnWithItsOwner) {
  Recording recording;
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  const std::uint64_t now = Recording::now();
  {
    const LaunchScope scope(&recording.collector, {1, 0, 1, 0, Phase::Forward});
    recording.cupti->emitCall(70, now, now + 10);
  }
  recording.cupti->emit(kernel("of a library's stream", now + 20, now + 30, 70, 99));
  recording.cupti->emit(kernel("of nobody", now + 20, now + 30, 0, 98));
  recording.collector.stop();
  const auto trace = recording.builder.snapshot();
  ASSERT_TRUE(trackNamed(*trace, "stream 99"));
  EXPECT_EQ(trackNamed(*trace, "stream 99")->lane, 1);
  EXPECT_EQ(trace->spanCount(), 1u);
  EXPECT_EQ(recording.collector.counts().unattributed, 1);
}

TEST(CuptiCollector, StreamsOfAGreenContextAreOfItsLane) {
  CuptiOptions options = twoStreams();
  options.lane_of_context = [](std::uint32_t context) { return context == 5 ? 1 : context == 6 ? 0 : -1; };
  Recording recording(options);
  recording.cupti->contexts = {greenContext(5, 1, 32)};
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  const std::uint64_t now = Recording::now();
  recording.cupti->emit(onStream(kernel("slice", now, now + 10, 0), 5, 40));
  recording.cupti->emit(onStream(kernel("no green context", now, now + 10, 0), 6, 41));
  recording.collector.stop();
  const auto trace = recording.builder.snapshot();
  const Track* const slice = trackNamed(*trace, "stream 40 on 32 multiprocessors");
  ASSERT_TRUE(slice);
  EXPECT_EQ(slice->lane, 1);
  EXPECT_EQ(trace->spanCount(), 1u);
}

TEST(CuptiCollector, AWaitOfTheHostLiesWithTheThreadThatWaits) {
  Recording recording;
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  FakeCupti& cupti = *recording.cupti;
  const std::uint64_t now = Recording::now();
  {
    const LaunchScope scope(&recording.collector, {1, 3, -1, -1, Phase::None});
    cupti.emitCall(80, now, now + 1000);
  }
  cupti.emit(correlated(synchronization(CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE, now, now + 1000), 80));
  recording.collector.stop();
  const auto trace = recording.builder.snapshot();
  const Track* const sync = trackNamed(*trace, "stream 7 sync");
  ASSERT_TRUE(sync);
  EXPECT_EQ(sync->lane, 1) << "lane 1 waits for lane 0's stream";
  EXPECT_EQ(sync->spans[0].step, 3);
}

TEST(CuptiCollector, AKernelBeforeItsLaunchShowsThatClocksDisagree) {
  Recording recording;
  ASSERT_EQ(recording.collector.start(recording.builder), "");
  const std::uint64_t now = Recording::now();
  recording.cupti->emitCall(90, now, now + 10);
  recording.cupti->emit(kernel("early", now - 1, now + 20, 90));
  recording.cupti->emitCall(91, now, now + 10);
  recording.cupti->emit(kernel("before the call returned", now + 5, now + 20, 91));
  recording.collector.stop();
  EXPECT_EQ(recording.collector.counts().before_launch, 1);
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
  for (std::size_t i = 0; i < ActivityBuffers::mostBuffers + 5; ++i) recording.launch();
  recording.collector.stop();
  EXPECT_EQ(recording.builder.spanCount(), ActivityBuffers::mostBuffers);
  EXPECT_EQ(recording.builder.snapshot()->dropped, 5);
  EXPECT_EQ(recording.collector.counts().dropped, 5);
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

// Starts that fail at each step, among ones that work; the address sanitizer watches.
TEST(CuptiCollector, AHundredStartsOfWhichManyFailLeaveNothingBehind) {
  Recording recording;
  const CUptiResult answers[] = {CUPTI_SUCCESS, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, CUPTI_SUCCESS, CUPTI_ERROR_UNKNOWN};
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
