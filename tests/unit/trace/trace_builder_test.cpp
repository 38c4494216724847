// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/trace_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "profiler/trace/append_log.h"
#include "tests/unit/trace/span_at.h"

namespace lanelab {
namespace {

bool inOrder(const SpanColumns& spans) {
  return std::is_sorted(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  });
}

TEST(TraceBuilder, StartsAsAnEmptyTraceWithItsLanes) {
  TraceBuilder builder("Pipeline", {{"left", "cpu:0"}, {"right", "cpu:1"}});
  const auto trace = builder.snapshot();
  EXPECT_EQ(trace->title, "Pipeline");
  EXPECT_EQ(trace->origin, Origin::Measured);
  ASSERT_EQ(trace->lanes.size(), 2u);
  EXPECT_EQ(trace->lanes[1].device, "cpu:1");
  EXPECT_TRUE(trace->tracks.empty());
  EXPECT_GT(trace->epoch, 0) << "a measured trace knows the Unix time of its clock's zero";
  EXPECT_EQ(TraceBuilder("plan", {}, Origin::Predicted).snapshot()->epoch, 0);
}

TEST(TraceBuilder, GivesBackWhatWasAppended) {
  TraceBuilder builder("t", {{"a", "cpu:0"}});
  const TrackIndex compute = builder.addTrack(0, Track::Kind::Compute, "compute");
  const TrackIndex transfer = builder.addTrack(0, Track::Kind::Transfer, "transfer");
  Span span = spanAt(5, 9, builder.intern("0F1"));
  span.mark = 3;
  span.step = 2;
  span.stage = 0;
  span.micro_batch = 1;
  span.category = Category::Action;
  span.phase = Phase::Forward;
  builder.append(compute, span);
  builder.append(transfer, spanAt(10, 12, builder.intern("copy")));
  builder.noteDropped(4);

  const auto trace = builder.snapshot();
  ASSERT_EQ(trace->tracks.size(), 2u);
  EXPECT_EQ(trace->tracks[0].kind, Track::Kind::Compute);
  EXPECT_EQ(trace->tracks[1].name, "transfer");
  ASSERT_EQ(trace->tracks[0].spans.size(), 1u);
  const Span back = trace->tracks[0].spans[0];
  EXPECT_EQ(trace->nameOf(back), "0F1");
  EXPECT_EQ(back.range(), (TimeRange{5, 9}));
  EXPECT_EQ(back.mark, 3);
  EXPECT_EQ(back.step, 2);
  EXPECT_EQ(back.micro_batch, 1);
  EXPECT_EQ(back.category, Category::Action);
  EXPECT_EQ(back.phase, Phase::Forward);
  EXPECT_EQ(trace->dropped, 4);
  EXPECT_EQ(builder.spanCount(), 2u);
}

TEST(TraceBuilder, InternGivesOneNumberAName) {
  TraceBuilder builder("t", {});
  const auto first = builder.intern("stem");
  EXPECT_EQ(builder.intern("layer1.0"), first + 1);
  EXPECT_EQ(builder.intern("stem"), first);
}

TEST(TraceBuilder, SnapshotsSortByStartParentsFirst) {
  TraceBuilder builder("t", {{"a", "cpu:0"}});
  const TrackIndex track = builder.addTrack(0, Track::Kind::Compute, "compute");
  std::vector<Nanoseconds> starts(5000);
  for (std::size_t i = 0; i < starts.size(); ++i) starts[i] = static_cast<Nanoseconds>(i / 2);
  std::mt19937 random(7);
  std::shuffle(starts.begin(), starts.end(), random);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    builder.append(track, spanAt(starts[i], starts[i] + static_cast<Nanoseconds>(i % 97)));
    if (i % 611 == 0) {
      EXPECT_TRUE(inOrder(builder.snapshot()->tracks[0].spans)) << "after span " << i;
    }
  }
  const auto trace = builder.snapshot();
  EXPECT_EQ(trace->tracks[0].spans.size(), 5000u);
  EXPECT_TRUE(inOrder(trace->tracks[0].spans));
}

TEST(TraceBuilder, ASnapshotNeverChangesAndIsSharedWhileNothingIsNew) {
  TraceBuilder builder("t", {{"a", "cpu:0"}});
  const TrackIndex track = builder.addTrack(0, Track::Kind::Compute, "compute");
  builder.append(track, spanAt(0, 1));
  const auto early = builder.snapshot();
  EXPECT_EQ(builder.snapshot(), early);
  builder.append(track, spanAt(2, 3));
  const auto late = builder.snapshot();
  EXPECT_NE(late, early);
  EXPECT_EQ(early->spanCount(), 1u);
  EXPECT_EQ(late->spanCount(), 2u);
  builder.noteDropped(1);
  EXPECT_EQ(builder.snapshot()->dropped, 1);
  builder.addTrack(0, Track::Kind::Host, "host");
  EXPECT_EQ(builder.snapshot()->tracks.size(), 2u);
}

TEST(TraceBuilder, APollSharesWhatTheOnesBeforePackedAndKeepsNoSpanTwice) {
  TraceBuilder builder("t", {{"a", "cpu:0"}});
  const TrackIndex track = builder.addTrack(0, Track::Kind::Compute, "compute");
  constexpr Nanoseconds kSpans = 100'000;
  for (Nanoseconds i = 0; i < kSpans; ++i) builder.append(track, spanAt(i * 1000, i * 1000 + 900));
  EXPECT_GT(builder.bytes(), kSpans * sizeof(Span));
  const auto early = builder.snapshot();
  EXPECT_LT(builder.bytes(), kSpans * 20U) << "packed, and the plain ones are gone";
  builder.append(track, spanAt(kSpans * 1000, kSpans * 1000 + 900));
  const auto late = builder.snapshot();
  EXPECT_EQ(late->tracks[0].spans.sharedWith(early->tracks[0].spans),
            kSpans / SpanColumns::kChunkSpans * SpanColumns::kChunkSpans);
  ASSERT_EQ(late->spanCount(), static_cast<std::size_t>(kSpans) + 1);
  for (Nanoseconds i = 0; i <= kSpans; ++i)
    ASSERT_EQ(late->tracks[0].spans.startOf(static_cast<std::size_t>(i)), i * 1000);
}

TEST(TraceBuilder, SpansThatEndLateFindTheirPlaceInWhatIsPacked) {
  TraceBuilder builder("t", {{"a", "cpu:0"}});
  const TrackIndex track = builder.addTrack(0, Track::Kind::Detail, "blocks");
  for (int parent = 0; parent < 5; ++parent) {
    const Nanoseconds start = parent * 1'000'000;
    for (Nanoseconds child = 0; child < 900; ++child)
      builder.append(track, spanAt(start + child * 1000, start + child * 1000 + 500, 1));
    builder.snapshot();
    builder.append(track, spanAt(start, start + 900'000, 2));
    const auto trace = builder.snapshot();
    ASSERT_TRUE(inOrder(trace->tracks[0].spans));
    ASSERT_EQ(trace->tracks[0].spans[static_cast<std::size_t>(parent) * 901].name, 2u)
        << "a parent goes before its children";
  }
}

TEST(TraceBuilder, HoldsManyTracks) {
  TraceBuilder builder("t", {{"a", "cpu:0"}});
  for (int i = 0; i < 1000; ++i)
    builder.append(builder.addTrack(0, Track::Kind::Stream, "stream " + std::to_string(i)), spanAt(i, i + 1));
  const auto trace = builder.snapshot();
  ASSERT_EQ(trace->tracks.size(), 1000u);
  EXPECT_EQ(trace->tracks[999].name, "stream 999");
  EXPECT_EQ(trace->tracks[999].spans[0].start, 999);
}

// Writers, a thread that adds tracks and names, and a poller at once; the thread sanitizer watches.
TEST(TraceBuilder, WritersAndAPollerRunAtOnceAndNothingIsLost) {
  constexpr int kWriters = 3;
  constexpr int kSpansEach = 6000;
  TraceBuilder builder("t", {{"a", "cpu:0"}});
  builder.intern("plain");
  std::vector<TrackIndex> tracks;
  for (int i = 0; i < kWriters; ++i) tracks.push_back(builder.addTrack(0, Track::Kind::Compute, "compute"));

  std::atomic<int> running{kWriters};
  std::vector<std::jthread> threads;
  for (int i = 0; i < kWriters; ++i) {
    threads.emplace_back([&, i] {
      for (int n = 0; n < kSpansEach; ++n) {
        const std::uint32_t name = n % 500 == 0 ? builder.intern("name " + std::to_string(i * kSpansEach + n)) : 0;
        builder.append(tracks[static_cast<std::size_t>(i)], spanAt(n, n + 1, name));
      }
      running.fetch_sub(1);
    });
  }
  threads.emplace_back([&] {
    for (int i = 0; i < 100; ++i) builder.append(builder.addTrack(0, Track::Kind::Stream, "stream"), spanAt(0, 1));
  });

  std::size_t seen = 0;
  while (running.load() > 0) {
    const std::size_t before = builder.spanCount();
    const auto trace = builder.snapshot();
    EXPECT_GE(trace->spanCount(), before);
    EXPECT_GE(trace->spanCount(), seen);
    seen = trace->spanCount();
    for (const Track& track : trace->tracks)
      for (const Span& span : track.spans) ASSERT_LT(span.name, trace->names.size());
  }
  threads.clear();
  const auto trace = builder.snapshot();
  EXPECT_EQ(trace->spanCount(), static_cast<std::size_t>(kWriters * kSpansEach + 100));
  for (int i = 0; i < kWriters; ++i) {
    const auto& spans = trace->tracks[static_cast<std::size_t>(i)].spans;
    ASSERT_EQ(spans.size(), static_cast<std::size_t>(kSpansEach));
    for (int n = 0; n < kSpansEach; ++n) ASSERT_EQ(spans[static_cast<std::size_t>(n)].start, n);
  }
}

TEST(TraceBuilder, KeepsCounters) {
  TraceBuilder builder("counted", {{"a", "cpu:0"}});
  const CounterIndex memory = builder.addCounter(0, "memory", "bytes");
  const CounterIndex loss = builder.addCounter(-1, "loss", "loss");
  EXPECT_EQ(builder.snapshot()->counters.size(), 2u);
  builder.appendValue(memory, 10, 1000);
  builder.appendValue(memory, 5, 1);
  builder.appendValue(memory, 10, 3000);
  builder.appendValue(loss, 7, std::numeric_limits<double>::quiet_NaN());
  builder.appendValue(loss, 8, 0.5);
  const auto trace = builder.snapshot();
  EXPECT_EQ(trace->counters[0].times, (std::vector<Nanoseconds>{10, 10})) << "what comes late is left out";
  EXPECT_EQ(trace->counters[0].values, (std::vector<double>{1000, 3000}));
  EXPECT_EQ(trace->counters[1].values, (std::vector<double>{0.5})) << "what is no number is left out";
  EXPECT_EQ(trace->counters[1].lane, -1);
  EXPECT_EQ(builder.snapshot(), trace) << "nothing new";
}

// As memory of lanes and the loss are written while a window polls; the thread sanitizer watches.
TEST(TraceBuilder, WritersOfCountersAndAPollerRunAtOnceAndNothingIsLost) {
  constexpr int kWriters = 3;
  constexpr int kValuesEach = 6000;
  TraceBuilder builder("t", {{"a", "cpu:0"}});
  std::vector<CounterIndex> counters;
  for (int i = 0; i < kWriters; ++i) counters.push_back(builder.addCounter(0, "memory", "bytes"));

  std::atomic<int> running{kWriters};
  std::vector<std::jthread> threads;
  for (const CounterIndex counter : counters) {
    threads.emplace_back([&, counter] {
      for (int n = 0; n < kValuesEach; ++n) builder.appendValue(counter, n, 2.0 * n);
      running.fetch_sub(1);
    });
  }
  threads.emplace_back([&] {
    for (int i = 0; i < 100; ++i) builder.appendValue(builder.addCounter(-1, "late", "loss"), i, i);
  });
  const auto hasAllUpToItsLast = [](const Counter& counter) {
    for (std::size_t n = 0; n < counter.times.size(); ++n)
      if (counter.times[n] != static_cast<Nanoseconds>(n) || counter.values[n] != 2.0 * static_cast<double>(n))
        return false;
    return counter.times.size() == counter.values.size();
  };
  std::vector<std::size_t> seen(kWriters);
  while (running.load() > 0) {
    const auto trace = builder.snapshot();
    for (std::size_t i = 0; i < kWriters; ++i) {
      ASSERT_TRUE(hasAllUpToItsLast(trace->counters[i]));
      ASSERT_GE(trace->counters[i].times.size(), seen[i]);
      seen[i] = trace->counters[i].times.size();
    }
  }
  threads.clear();
  const auto trace = builder.snapshot();
  ASSERT_EQ(trace->counters.size(), kWriters + 100u);
  for (std::size_t i = 0; i < kWriters; ++i) {
    EXPECT_TRUE(hasAllUpToItsLast(trace->counters[i]));
    EXPECT_EQ(trace->counters[i].times.size(), static_cast<std::size_t>(kValuesEach));
  }
  EXPECT_EQ(trace->counters.back().times, std::vector<Nanoseconds>{99});
  EXPECT_EQ(builder.snapshot(), trace) << "nothing new";
}

TEST(TraceBuilder, ASnapshotKeepsItsValuesWhenLaterOnesCome) {
  TraceBuilder builder("t", {{"a", "cpu:0"}});
  const CounterIndex memory = builder.addCounter(0, "memory", "bytes");
  builder.appendValue(memory, 1, 10);
  const auto early = builder.snapshot();
  builder.appendValue(memory, 2, 20);
  const auto late = builder.snapshot();
  EXPECT_EQ(early->counters[0].values, std::vector<double>{10});
  EXPECT_EQ(late->counters[0].values, (std::vector<double>{10, 20}));
}

TEST(AppendLog, AWriterIsNotHeldUpByAReaderInTheMiddleOfItsWork) {
  constexpr int kValues = static_cast<int>(AppendLog<int>::kChunkValues);
  AppendLog<int> log;
  for (int i = 0; i < 2 * kValues; ++i) log.append(i);
  int written = 2 * kValues;
  std::vector<int> taken;
  log.takeAll([&](const std::vector<int>& fresh) {
    taken.insert(taken.end(), fresh.begin(), fresh.end());
    // A writer that waited for the reader would never be joined.
    std::jthread writer([&] {
      for (int i = 0; i < 3 * kValues; ++i) log.append(written++);
    });
  });
  EXPECT_EQ(taken.size(), 2u * kValues) << "what came meanwhile is for the next time";
  log.takeAll([&](const std::vector<int>& fresh) { taken.insert(taken.end(), fresh.begin(), fresh.end()); });
  ASSERT_EQ(taken.size(), 8u * kValues);
  for (int i = 0; i < 8 * kValues; ++i) ASSERT_EQ(taken[static_cast<std::size_t>(i)], i);
}

TEST(Clock, IsMonotonic) {
  const Nanoseconds first = monotonicNow();
  const Nanoseconds second = monotonicNow();
  EXPECT_GT(first, 0);
  EXPECT_GE(second, first);
}

}  // namespace
}  // namespace lanelab
