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
  trace.names = {"all_reduce"};
  trace.lanes = {{"GPU 0", "cuda:0"}};
  Track track{0, Track::Kind::Stream, "stream 7", {}};
  ImportedRow row;
  const auto add = [&](Nanoseconds end, std::uint32_t group) {
    Span span;
    span.start = end - 10;
    span.end = end;
    span.category = Category::Communication;
    track.spans.push_back(span);
    row.groups.push_back(group);
  };
  for (const Nanoseconds end : ends) add(end, 1);
  for (const Nanoseconds end : others) add(end, 2);
  trace.tracks = {track};
  ImportedTrace imported;
  imported.rows = {row};
  imported.groups.resize(2);
  imported.groups[0].name = "dp";
  imported.groups[1].name = "pp";
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

/// A transfer of one step, in true time: from the begin of its send to the end of its receive.
struct Transfer {
  int from;
  Phase phase;
  int micro_batch;
  Nanoseconds sent, received;
};

/// What a stage's own rank recorded of them, with a clock that is ahead.
std::shared_ptr<const ImportedTrace> stageOf(int stage, const std::vector<Transfer>& transfers, Nanoseconds ahead,
                                             int device = -1) {
  Trace trace;
  trace.names = {"F", "sent"};
  trace.lanes = {{"rank " + std::to_string(stage), ""}};
  Span action;
  action.end = 1;
  action.category = Category::Action;
  action.phase = Phase::Forward;
  action.stage = static_cast<std::int16_t>(stage);
  Track moves{0, Track::Kind::Transfer, "transfers", {}};
  for (const Transfer& one : transfers) {
    const int to = one.phase == Phase::Forward ? one.from + 1 : one.from - 1;
    if (one.from != stage && to != stage) continue;
    Span span;
    span.start = (one.from == stage ? one.sent : one.sent - 50) + ahead;
    span.end = (one.from == stage ? one.sent : one.received) + ahead;
    span.name = 1;
    span.category = Category::Transfer;
    span.phase = one.phase;
    span.step = 0;
    span.stage = static_cast<std::int16_t>(one.from);
    span.micro_batch = static_cast<std::int16_t>(one.micro_batch);
    moves.spans.push_back(span);
  }
  Track actions{0, Track::Kind::Compute, "actions", {}};
  actions.spans.push_back(action);
  trace.tracks = {actions, moves};
  ImportedTrace imported;
  imported.rows.resize(2);
  imported.rows[1].device = device;
  imported.trace = std::make_shared<const Trace>(std::move(trace));
  return std::make_shared<const ImportedTrace>(std::move(imported));
}

/// Three stages, two micro-batches: each transfer takes 40 to 60.
const std::vector<Transfer> kSent = {{0, Phase::Forward, 0, 1000, 1040},  {0, Phase::Forward, 1, 2000, 2050},
                                     {1, Phase::Forward, 0, 2000, 2060},  {1, Phase::Forward, 1, 3000, 3040},
                                     {2, Phase::Backward, 0, 4000, 4040}, {2, Phase::Backward, 1, 5000, 5050},
                                     {1, Phase::Backward, 0, 5000, 5060}, {1, Phase::Backward, 1, 6000, 6040}};

TEST(RankClocks, AreAlignedBySendsAndReceives) {
  for (const Nanoseconds skew :
       {Nanoseconds{0}, Nanoseconds{30}, Nanoseconds{1'602'000}, Nanoseconds{-11'560'000'000}}) {
    const auto clocks = clocksOf({stageOf(0, kSent, 0), stageOf(1, kSent, skew), stageOf(2, kSent, -2 * skew)});
    ASSERT_EQ(clocks.size(), 3U);
    EXPECT_EQ(clocks[0].clock, JoinedRank::Clock::Reference);
    for (const std::size_t rank : {1U, 2U}) {
      EXPECT_EQ(clocks[rank].clock, JoinedRank::Clock::SendReceive) << skew;
      EXPECT_EQ(clocks[rank].shared, 4) << skew;
      EXPECT_EQ(clocks[rank].residual, 40) << skew;  // the fastest transfer of each direction takes 40
    }
    const bool below = std::abs(skew) <= 40;  // the residual: as good as none
    EXPECT_EQ(clocks[1].offset, below ? 0 : -skew);
    EXPECT_EQ(clocks[2].offset, skew == 30 ? 90 : 2 * skew);  // it was not corrected for the clock of stage 1
  }
}

/// With collectives over gloo, of which no file says the group.
std::shared_ptr<const ImportedTrace> withCollectives(const ImportedTrace& imported,
                                                     const std::vector<Nanoseconds>& ends) {
  ImportedTrace more = imported;
  Trace trace = *imported.trace;
  Track track{0, Track::Kind::Stream, "collectives", {}};
  for (const Nanoseconds end : ends) {
    Span span;
    span.start = end - 10;
    span.end = end;
    span.category = Category::Communication;
    track.spans.push_back(span);
  }
  trace.tracks.push_back(track);
  more.rows.emplace_back();
  more.trace = std::make_shared<const Trace>(std::move(trace));
  return std::make_shared<const ImportedTrace>(std::move(more));
}

TEST(RankClocks, AreNotAlignedByCollectivesThatSendsContradict) {
  const struct {
    Nanoseconds apart;  ///< of the collectives
    JoinedRank::Clock clock;
    Nanoseconds offset;
  } cases[] = {{500, JoinedRank::Clock::Collectives, -500},
               {530, JoinedRank::Clock::Collectives, -530},
               {900, JoinedRank::Clock::SendReceive, -500},
               {0, JoinedRank::Clock::SendReceive, -500}};
  for (const auto& [apart, clock, offset] : cases) {
    const auto clocks =
        clocksOf({withCollectives(*stageOf(0, kSent, 0), {7000, 8000, 9000}),
                  withCollectives(*stageOf(1, kSent, 500), {7000 + apart, 8000 + apart, 9000 + apart})});
    EXPECT_EQ(clocks[1].clock, clock) << apart;
    EXPECT_EQ(clocks[1].offset, offset) << apart;
  }
}

TEST(RankClocks, AreNotAlignedByWhatGoesOneWay) {
  std::vector<Transfer> forward = kSent;
  std::erase_if(forward, [](const Transfer& one) { return one.phase == Phase::Backward; });
  EXPECT_EQ(clocksOf({stageOf(0, forward, 0), stageOf(1, forward, 500)})[1].clock, JoinedRank::Clock::Unknown);
}

TEST(RankClocks, AreNotAlignedByCallsBesideAGpu) {
  EXPECT_EQ(clocksOf({stageOf(0, kSent, 0, 0), stageOf(1, kSent, 500, 1)})[1].clock, JoinedRank::Clock::Unknown);
}

TEST(RankClocks, AreNotAlignedByContradictions) {
  std::vector<Transfer> late = kSent;
  for (Transfer& one : late) one.received -= 10'000'000;  // all end before they begin
  EXPECT_EQ(clocksOf({stageOf(0, late, 0), stageOf(1, late, 0)})[1].clock, JoinedRank::Clock::Unknown);
}

/// A GPU's kernels that send to the other rank and receive from it, one after the other.
std::shared_ptr<const ImportedTrace> peerOf(int rank, Nanoseconds ahead, bool names_ranks) {
  Trace trace;
  trace.names = {"ncclDevKernel_SendRecv"};
  trace.lanes = {{"GPU", "cuda:0"}};
  ImportedTrace imported;
  imported.rank.rank = rank;
  imported.groups.resize(2);
  for (ProcessGroup& group : imported.groups) {
    group.name = "7";
    group.ranks = {0, 1};
    const bool sends = &group == &imported.groups.front();
    group.moves = sends ? ProcessGroup::Moves::Sends : ProcessGroup::Moves::Receives;
    if (!names_ranks) continue;
    group.source = sends ? rank : 1 - rank;
    group.destination = 1 - group.source;
  }
  ImportedRow row;
  Track track{0, Track::Kind::Stream, "stream 7", {}};
  for (int k = 0; k < 4; ++k) {
    const int sender = k % 2;
    Span span;
    span.start = 1000 * (k + 1) + ahead - (sender == rank ? 0 : 300);  // the receiver waits
    span.end = 1000 * (k + 1) + 60 + ahead;
    span.category = Category::Communication;
    track.spans.push_back(span);
    row.groups.push_back(sender == rank ? 1 : 2);
  }
  trace.tracks = {track};
  imported.rows = {row};
  imported.trace = std::make_shared<const Trace>(std::move(trace));
  return std::make_shared<const ImportedTrace>(std::move(imported));
}

TEST(RankClocks, AreAlignedByKernelsThatSendAndReceive) {
  for (const bool names_ranks : {false, true}) {
    const auto clocks = clocksOf({peerOf(0, 0, names_ranks), peerOf(1, 77'000, names_ranks)});
    EXPECT_EQ(clocks[1].clock, JoinedRank::Clock::SendReceive) << names_ranks;
    EXPECT_EQ(clocks[1].offset, -77'000) << names_ranks;
    EXPECT_EQ(clocks[1].residual, 60) << names_ranks;
  }
}

}  // namespace
}  // namespace lanelab
