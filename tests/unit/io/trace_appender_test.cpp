// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/perfetto/trace_appender.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "profiler/io/import/trace_import.h"
#include "profiler/trace/trace_builder.h"
#include "tests/unit/io/perfetto_decoder.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

using Problems = std::map<std::string, std::int64_t>;

ReadImport read(const std::string& bytes) { return importBytes(bytes, "it"); }

Span at(Nanoseconds start, Nanoseconds end, std::uint32_t name = 0) {
  Span span;
  span.start = start;
  span.end = end;
  span.name = name;
  return span;
}

TEST(TraceAppender, GivesTheSameTraceBack) {
  for (const Trace& trace : {twoLanePipeline(), countedPipeline(), Trace()}) {
    const ReadImport back = read(packTrace(trace));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(told(*(*back)->trace), told(trace));
    EXPECT_EQ((*back)->counts.problems, Problems{});
    EXPECT_EQ((*back)->counts.spans, static_cast<std::int64_t>(trace.spanCount()));
    EXPECT_EQ((*back)->rows.size(), trace.tracks.size());
  }
}

TEST(TraceAppender, GivesTimesBelowZeroBack) {
  Trace early = countedPipeline();
  const Nanoseconds shift = early.range().start + 7;
  for (Track& track : early.tracks) {
    std::vector<Span> spans = track.spans.toVector();
    for (Span& span : spans) {
      span.start -= shift;
      span.end -= shift;
      if (span.mark != 0) span.mark -= shift;
    }
    track.spans = spans;
  }
  for (Counter& counter : early.counters)
    for (Nanoseconds& time : counter.times) time -= shift;
  const ReadImport back = read(packTrace(early));
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ(told(*(*back)->trace), told(early));
}

TEST(TraceAppender, IsKnownByItsContent) {
  const TemporaryFolder folder;
  writeContent(folder.file("t.json"), packTrace(twoLanePipeline()));
  const ReadImport back = importTrace(folder.file("t.json"));
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ((*back)->format, "lanelab");
  EXPECT_TRUE((*back)->declared);
  EXPECT_EQ((*back)->base, twoLanePipeline().range().start);
  EXPECT_EQ(told(*(*back)->trace), told(twoLanePipeline()));
}

TEST(TraceAppender, SaysWhereItCannotBeWritten) {
  const Status outcome = TraceAppender("/nowhere/at/all.perfetto-trace").update(twoLanePipeline());
  ASSERT_FALSE(outcome.ok());
  EXPECT_NE(outcome.error().message.find("/nowhere/at/all.perfetto-trace cannot be written"), std::string::npos);
}

TEST(TraceAppender, FilesOfTheFormatBeforeAreNamedAndNotRead) {
  const TemporaryFolder folder;
  writeContent(folder.file("t.lltrace"), "LLTRACE1 and records");
  const ReadImport old = importTrace(folder.file("t.lltrace"));
  EXPECT_FALSE(old.ok());
  EXPECT_NE(old.error().message.find("t.lltrace is a trace in the packed format of LaneLab 0.1.0"), std::string::npos)
      << old.error().message;
}

TEST(TraceAppender, GrowsWithItsRunAndHoldsEachSnapshotWhole) {
  const TemporaryFolder folder;
  TraceBuilder builder("run", {{"a", "cpu:0"}});
  const TrackIndex track = builder.addTrack(0, Track::Kind::Compute, "compute");
  const TrackIndex blocks = builder.addTrack(0, Track::Kind::Detail, "blocks");
  const CounterIndex loss = builder.addCounter(-1, "loss", "loss");
  TraceAppender file(folder.file("t"));
  for (int round = 0; round < 12; ++round) {
    const Nanoseconds start = round * 1'000'000;
    for (int i = 0; i < 300; ++i)
      builder.append(
          track, at(start + i * 1000, start + i * 1000 + 900, builder.intern("n" + std::to_string(i % (round + 1)))));
    for (int i = 0; i < 50; ++i) builder.append(blocks, at(start + i * 1000, start + i * 1000 + 500));
    builder.appendValue(loss, start, 1.0 / (round + 1));
    ASSERT_TRUE(file.update(*builder.snapshot()).ok());
    builder.append(blocks, at(start, start + 60'000));  // a parent, which ends after its children
    ASSERT_TRUE(file.update(*builder.snapshot()).ok());
    const ReadImport back = importTrace(folder.file("t"));
    ASSERT_TRUE(back.ok()) << back.error().message;
    ASSERT_EQ(told(*(*back)->trace), told(*builder.snapshot())) << "round " << round;
    EXPECT_EQ((*back)->counts.problems, (Problems{{"unfinished_file", 1}}));
  }
  ASSERT_TRUE(file.finish(*builder.snapshot()).ok());
  EXPECT_TRUE((*importTrace(folder.file("t")))->counts.problems.empty());
}

TEST(TraceAppender, CutAnywhereItGivesWhatStoodBefore) {
  const std::string whole = packTrace(countedPipeline());
  std::size_t before = 0;
  for (std::size_t size = 8; size < whole.size(); ++size) {
    const ReadImport back = read(whole.substr(0, size));
    if (!back.ok()) {
      EXPECT_NE(back.error().message.find("it "), std::string::npos);
      continue;
    }
    ASSERT_EQ((*back)->counts.problems.at("unfinished_file"), 1) << size;
    ASSERT_GE((*back)->trace->spanCount(), before) << size;
    before = (*back)->trace->spanCount();
  }
}

TEST(TraceAppender, CutAnywhereItGivesTheUpdatesBefore) {
  const TemporaryFolder folder;
  TraceBuilder builder("run", {{"a", "cpu:0"}});
  const TrackIndex track = builder.addTrack(0, Track::Kind::Compute, "compute");
  builder.intern("n");
  TraceAppender file(folder.file("t"));
  std::vector<std::size_t> sizes;
  for (int part = 0; part < 4; ++part) {
    for (int i = 0; i < 10; ++i) builder.append(track, at(part * 20'000 + i * 1000, part * 20'000 + i * 1000 + 900));
    ASSERT_TRUE(file.update(*builder.snapshot()).ok());
    sizes.push_back(contentOf(folder.file("t")).size());
  }
  const std::string whole = contentOf(folder.file("t"));
  for (std::size_t size = sizes[0]; size <= whole.size(); ++size) {
    const ReadImport back = read(whole.substr(0, size));
    ASSERT_TRUE(back.ok()) << size << back.error().message;
    const auto updates = std::upper_bound(sizes.begin(), sizes.end(), size) - sizes.begin();
    ASSERT_EQ((*back)->trace->spanCount(), static_cast<std::size_t>(updates) * 10) << size;
    Problems expected{{"unfinished_file", 1}};
    if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) expected["cut_file"] = 1;
    ASSERT_EQ((*back)->counts.problems, expected) << size;
  }
}

TEST(TraceAppender, SlicesNestForOtherReaders) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    const TemporaryFolder folder;
    TraceBuilder builder("run", {{"a", "cpu:0"}});
    const TrackIndex track = builder.addTrack(0, Track::Kind::Transfer, "transfers");
    builder.intern("n");
    TraceAppender file(folder.file("t"));
    for (int update = 0; update < 5; ++update) {
      for (int i = 0; i < 20; ++i) {
        const auto start = static_cast<Nanoseconds>(random() % 300);
        builder.append(track, at(start, start + static_cast<Nanoseconds>(random() % 60)));
      }
      ASSERT_TRUE(file.update(*builder.snapshot()).ok());
    }
    const PerfettoTrace decoded = decodePerfettoByTime(contentOf(folder.file("t")));
    ASSERT_EQ(decoded.fault, "");
    std::multiset<std::pair<Nanoseconds, Nanoseconds>> slices, spans;
    for (const PerfettoSlice& slice : decoded.slices) slices.emplace(slice.start, slice.end);
    for (const Span& span : builder.snapshot()->tracks[0].spans) spans.emplace(span.start, span.end);
    ASSERT_EQ(slices, spans);
  }
}

TEST(TraceAppender, OneDamagedUpdateCostsNoOther) {
  TraceBuilder builder("run", {{"a", "cpu:0"}});
  const TrackIndex track = builder.addTrack(0, Track::Kind::Compute, "compute");
  builder.intern("n");
  const TemporaryFolder folder;
  TraceAppender file(folder.file("t"));
  std::vector<std::size_t> sizes;
  for (int part = 0; part < 3; ++part) {
    for (int i = 0; i < 1024; ++i)
      builder.append(track, at(part * 2'000'000 + i * 1000, part * 2'000'000 + i * 1000 + 900));
    ASSERT_TRUE(file.update(*builder.snapshot()).ok());
    sizes.push_back(contentOf(folder.file("t")).size());
  }
  ASSERT_TRUE(file.finish(*builder.snapshot()).ok());
  std::string damaged = contentOf(folder.file("t"));
  damaged[(sizes[0] + sizes[1]) / 2] ^= 4;
  const ReadImport back = read(damaged);
  ASSERT_TRUE(back.ok()) << back.error().message;
  EXPECT_EQ((*back)->counts.problems, (Problems{{"damaged_packet", 1}, {"lost_span", 1024}}));
  EXPECT_EQ((*back)->trace->spanCount(), 2048u);
  EXPECT_EQ((*back)->trace->tracks[0].spans.back().start, 4'000'000 + 1023 * 1000);
}

TEST(TraceAppender, AnyDamageIsSurvivedAndSpansNameWhatIsThere) {
  TraceBuilder builder("run", {{"a", "cpu:0"}});
  const TrackIndex compute = builder.addTrack(0, Track::Kind::Compute, "compute");
  const TemporaryFolder folder;
  TraceAppender file(folder.file("t"));
  for (int part = 0; part < 5; ++part) {
    const std::uint32_t name = builder.intern("n" + std::to_string(part));
    for (int i = 0; i < 20; ++i)
      builder.append(compute, at(part * 40'000 + i * 1000, part * 40'000 + i * 1000 + 900, name));
    ASSERT_TRUE(file.update(*builder.snapshot()).ok());
  }
  ASSERT_TRUE(file.finish(*builder.snapshot()).ok());
  const std::string whole = contentOf(folder.file("t"));
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = whole;
    for (int flips = 1 + static_cast<int>(random() % 4); flips > 0; --flips)
      damaged[random() % damaged.size()] ^= static_cast<char>(1U << (random() % 8));
    if (damaged == whole) continue;
    const ReadImport back = read(damaged);
    if (!back.ok()) continue;
    const Trace& trace = *(*back)->trace;
    std::int64_t problems = 0;
    for (const auto& [kind, count] : (*back)->counts.problems) problems += count;
    // A flip that changes nothing of what is packed, as in the level that zlib names in its head, is no damage.
    if (problems == 0) {
      ASSERT_EQ(told(trace), told(*builder.snapshot())) << "damage never goes unsaid";
    }
    for (const Track& track : trace.tracks)
      for (const Span& span : track.spans) ASSERT_LT(span.name, trace.names.size());
  }
}

}  // namespace
}  // namespace lanelab
