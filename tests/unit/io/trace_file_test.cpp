// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/lltrace/trace_file.h"

#include <gtest/gtest.h>

#include <random>

#include "profiler/io/import/trace_import.h"
#include "profiler/trace/trace_builder.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

std::string fileOf(const Trace& trace) {
  const TemporaryFolder folder;
  EXPECT_EQ(writeTraceFile(trace, folder.file("t.lltrace")), "");
  return contentOf(folder.file("t.lltrace"));
}

Span at(Nanoseconds start, Nanoseconds end, std::uint32_t name = 0) {
  Span span;
  span.start = start;
  span.end = end;
  span.name = name;
  return span;
}

TEST(TraceFile, GivesTheSameTraceBack) {
  for (const Trace& trace : {twoLanePipeline(), countedPipeline(), Trace()}) {
    const ReadImport read = parseTraceFile(fileOf(trace), "it");
    ASSERT_TRUE(read.imported) << read.error;
    EXPECT_EQ(told(*read.imported->trace), told(trace));
    EXPECT_EQ(read.imported->counts.problems, (std::map<std::string, std::int64_t>{}));
    EXPECT_EQ(read.imported->counts.spans, static_cast<std::int64_t>(trace.spanCount()));
    EXPECT_EQ(read.imported->rows.size(), trace.tracks.size());
  }
}

TEST(TraceFile, IsTheSameInMemory) {
  for (const Trace& trace : {twoLanePipeline(), countedPipeline(), Trace()}) EXPECT_EQ(packTrace(trace), fileOf(trace));
}

TEST(TraceFile, IsKnownByItsContent) {
  const TemporaryFolder folder;
  ASSERT_EQ(writeTraceFile(twoLanePipeline(), folder.file("t.json")), "");
  const ReadImport read = importTrace(folder.file("t.json"));
  ASSERT_TRUE(read.imported) << read.error;
  EXPECT_EQ(read.imported->format, "lanelab");
  EXPECT_EQ(told(*read.imported->trace), told(twoLanePipeline()));
}

TEST(TraceFile, SaysWhereItCannotBeWritten) {
  const std::string problem = writeTraceFile(twoLanePipeline(), "/nowhere/at/all.lltrace");
  EXPECT_NE(problem.find("/nowhere/at/all.lltrace could not be written"), std::string::npos) << problem;
}

TEST(TraceFile, GrowsWithItsRunAndHoldsEachSnapshotWhole) {
  const TemporaryFolder folder;
  TraceBuilder builder("run", {{"a", "cpu:0"}});
  const TrackIndex track = builder.addTrack(0, Track::Kind::Compute, "compute");
  const TrackIndex blocks = builder.addTrack(0, Track::Kind::Detail, "blocks");
  const CounterIndex loss = builder.addCounter(-1, "loss", "loss");
  TraceFileWriter file(folder.file("t"));
  for (int round = 0; round < 12; ++round) {
    const Nanoseconds start = round * 1'000'000;
    for (int i = 0; i < 300; ++i)
      builder.append(
          track, at(start + i * 1000, start + i * 1000 + 900, builder.intern("n" + std::to_string(i % (round + 1)))));
    for (int i = 0; i < 50; ++i) builder.append(blocks, at(start + i * 1000, start + i * 1000 + 500));
    builder.appendValue(loss, start, 1.0 / (round + 1));
    ASSERT_EQ(file.update(*builder.snapshot()), "");
    builder.append(blocks, at(start, start + 60'000));  // a parent, which ends after its children
    ASSERT_EQ(file.update(*builder.snapshot()), "");
    const ReadImport read = importTrace(folder.file("t"));
    ASSERT_TRUE(read.imported) << read.error;
    ASSERT_EQ(told(*read.imported->trace), told(*builder.snapshot())) << "round " << round;
    EXPECT_EQ(read.imported->counts.problems, (std::map<std::string, std::int64_t>{{"unfinished_file", 1}}));
  }
  ASSERT_EQ(file.finish(*builder.snapshot()), "");
  EXPECT_TRUE(importTrace(folder.file("t")).imported->counts.problems.empty());
}

TEST(TraceFile, CutAnywhereItGivesWhatStoodBefore) {
  const std::string whole = fileOf(countedPipeline());
  std::size_t before = 0;
  for (std::size_t size = 8; size < whole.size(); ++size) {
    const ReadImport read = parseTraceFile(std::string_view(whole).substr(0, size), "it");
    if (!read.imported) {
      EXPECT_NE(read.error.find("it holds no whole record"), std::string::npos);
      continue;
    }
    ASSERT_EQ(read.imported->counts.problems.at("unfinished_file"), 1) << size;
    ASSERT_GE(read.imported->trace->spanCount(), before) << size;
    before = read.imported->trace->spanCount();
  }
  EXPECT_EQ(before, countedPipeline().spanCount());
}

TEST(TraceFile, OneDamagedRecordCostsNoOther) {
  TraceBuilder builder("run", {{"a", "cpu:0"}});
  const TrackIndex track = builder.addTrack(0, Track::Kind::Compute, "compute");
  builder.intern("n");
  const TemporaryFolder folder;
  TraceFileWriter file(folder.file("t"));
  std::vector<std::size_t> sizes;
  for (int part = 0; part < 3; ++part) {
    for (int i = 0; i < 1024; ++i)
      builder.append(track, at(part * 2'000'000 + i * 1000, part * 2'000'000 + i * 1000 + 900));
    ASSERT_EQ(file.update(*builder.snapshot()), "");
    sizes.push_back(contentOf(folder.file("t")).size());
  }
  ASSERT_EQ(file.finish(*builder.snapshot()), "");
  std::string damaged = contentOf(folder.file("t"));
  damaged[(sizes[0] + sizes[1]) / 2] ^= 4;
  const ReadImport read = parseTraceFile(damaged, "it");
  ASSERT_TRUE(read.imported) << read.error;
  EXPECT_EQ(read.imported->counts.problems,
            (std::map<std::string, std::int64_t>{{"damaged_record", 1}, {"lost_span", 1024}}));
  EXPECT_EQ(read.imported->trace->spanCount(), 2048u);
  EXPECT_EQ(read.imported->trace->tracks[0].spans.back().start, 4'000'000 + 1023 * 1000);
}

TEST(TraceFile, AnyDamageIsSurvivedAndSpansNameWhatIsThere) {
  const std::string whole = fileOf(countedPipeline());
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = whole;
    for (int flips = 1 + static_cast<int>(random() % 4); flips > 0; --flips)
      damaged[8 + random() % (damaged.size() - 8)] ^= static_cast<char>(1U << (random() % 8));
    const ReadImport read = parseTraceFile(damaged, "it");
    if (!read.imported) continue;
    const Trace& trace = *read.imported->trace;
    std::int64_t problems = 0;
    for (const auto& [kind, count] : read.imported->counts.problems) problems += count;
    ASSERT_GT(problems, 0) << "damage never goes unsaid";
    for (const Track& track : trace.tracks)
      for (const Span& span : track.spans) ASSERT_LT(span.name, trace.names.size());
  }
}

}  // namespace
}  // namespace lanelab
