// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/ranks/rank_files.h"

#include <gtest/gtest.h>

#include "profiler/io/ranks/rank_clocks.h"
#include "tests/support/temporary_folder.h"

namespace lanelab {
namespace {

TEST(RankFiles, AreOfTheRankInTheirName) {
  const std::pair<const char*, std::optional<int>> names[] = {
      {"rank-3.json.gz", 3},    {"a/b/trace_rank03.json", 3}, {"pp_r3.pt.trace.json", 3}, {"rank12.sqlite", 12},
      {"r0.json", 0},           {"timeline.json", {}},        {"trace4.json", {}},        {"server2.json", {}},
      {"host_7.trace.json", {}}};
  for (const auto& [name, rank] : names) EXPECT_EQ(rankOfFileName(name), rank) << name;
}

TEST(RankFiles, OfAFolderAreInOrderOfTheirNumbers) {
  const test::TemporaryFolder folder;
  for (const char* name : {"rank10.json", "rank9.json", "rank1.json.gz", "notes.txt", "deeper/rank2.json"})
    folder.write(name, "[]");
  EXPECT_EQ(traceFilesOf({folder.path()}),
            (std::vector{folder.file("rank1.json.gz"), folder.file("rank9.json"), folder.file("rank10.json")}));
  EXPECT_EQ(traceFilesOf({"anything"}), std::vector<std::string>{"anything"});
}

/// A GPU with collectives that end at these times, and those of another group.
std::shared_ptr<const ImportedTrace> traceOf(const std::vector<Nanoseconds>& ends,
                                             const std::vector<Nanoseconds>& others) {
  Trace trace;
  trace.names = {"all_reduce", "dp", "pp"};
  trace.lanes = {{"GPU 0", "cuda:0"}};
  Track track{0, Track::Kind::Stream, "stream 7", {}};
  ImportedRow row;
  const auto add = [&](Nanoseconds end, std::uint32_t group) {
    Span span;
    span.start = end - 10;
    span.end = end;
    span.category = Category::Communication;
    track.spans.push_back(span);
    row.groups.push_back(group + 1);
  };
  for (const Nanoseconds end : ends) add(end, 1);
  for (const Nanoseconds end : others) add(end, 2);
  trace.tracks = {track};
  ImportedTrace imported;
  imported.rows = {row};
  imported.trace = std::make_shared<const Trace>(std::move(trace));
  return std::make_shared<const ImportedTrace>(std::move(imported));
}

TEST(RankClocks, AreAlignedByWhatTheRanksShare) {
  const auto clocks = clocksOf({traceOf({1000, 2000, 3000}, {}),
                                traceOf({6001, 7000, 7999}, {9000, 9500, 9900}),  // 5000 ahead, give or take 1
                                traceOf({}, {4000, 4500, 4900})});                // 5000 behind that one
  ASSERT_EQ(clocks.size(), 3U);
  EXPECT_EQ(clocks[0].clock, JoinedRank::Clock::Reference);
  EXPECT_EQ(clocks[1].clock, JoinedRank::Clock::Collectives);
  EXPECT_EQ(clocks[1].offset, -5000);
  EXPECT_EQ(clocks[1].residual, 1);
  EXPECT_EQ(clocks[1].shared, 3);
  EXPECT_EQ(clocks[2].clock, JoinedRank::Clock::Collectives);
  EXPECT_EQ(clocks[2].offset, 0);
}

TEST(RankClocks, AreUnknownWithoutCommonCollectives) {
  // Another number of them are others.
  const auto clocks =
      clocksOf({traceOf({1000, 2000, 3000}, {}), traceOf({1000, 2000}, {}), traceOf({}, {1000, 2000, 3000})});
  EXPECT_EQ(clocks[1].clock, JoinedRank::Clock::Unknown);
  EXPECT_EQ(clocks[2].clock, JoinedRank::Clock::Unknown);
  EXPECT_EQ(clocks[2].offset, 0);
}

}  // namespace
}  // namespace lanelab
