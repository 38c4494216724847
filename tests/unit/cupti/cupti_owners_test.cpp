// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/collect/cupti/cupti_collector.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/unit/cupti/recording_world.h"

namespace lanelab {
namespace {

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
  for (int flushes = 0; flushes < 40 && recording.builder.spanCount() == 0; ++flushes)
    ASSERT_TRUE(recording.cupti->waitForFlushes());
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

}  // namespace
}  // namespace lanelab
