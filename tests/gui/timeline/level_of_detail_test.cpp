// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <algorithm>

#include "profiler/analysis/idle_causes.h"
#include "tests/gui/timeline/timeline_world.h"
#include "ui/timeline/layout/level_of_detail.h"
#include "ui/timeline/model/timeline_data.h"

namespace lanelab {
namespace {

using testworld::denseTrace;
using testworld::kMs;
using testworld::pipelineTrace;

struct Times {
  Nanoseconds start, end;
};

Track trackOf(std::initializer_list<Times> times, Track::Kind kind = Track::Kind::Compute) {
  Track track;
  track.kind = kind;
  for (const Times& time : times) {
    Span span;
    span.category = kind == Track::Kind::Compute ? Category::Action : Category::Block;
    span.phase = Phase::Forward;
    span.start = time.start;
    span.end = time.end;
    track.spans.push_back(span);
  }
  return track;
}

Trace traceOf(Track track) {
  Trace trace;
  trace.names = {"x"};
  trace.lanes = {{"", "cpu:0"}};
  trace.tracks = {std::move(track)};
  return trace;
}

double busyPixels(const RowDetail& detail) {
  double busy = 0;
  for (const Bar& bar : detail.bars) busy += bar.x1 - bar.x0;
  for (const Column& column : detail.columns) busy += column.busy * (column.x1 - column.x0);
  return busy;
}

std::vector<std::uint32_t> placesOf(const Row& row) {
  std::vector<std::uint32_t> places;
  for (std::size_t i = 0; i < row.spans.size(); ++i) places.push_back(row.spans[i]);
  return places;
}

TEST(Rows, NestedSpansFallToDeeperRowsAndNoRowOverlaps) {
  const Trace trace =
      traceOf(trackOf({{0, 100}, {0, 40}, {10, 20}, {50, 90}, {100, 120}, {110, 130}}, Track::Kind::Detail));
  const std::vector<Row> rows = rowsOf(trace);
  ASSERT_EQ(rows.size(), 4U) << "the lane's empty compute row and three depths";
  EXPECT_EQ(rows[0].track, Row::kNoTrack);
  EXPECT_EQ(placesOf(rows[1]), (std::vector<std::uint32_t>{0, 4}));
  EXPECT_EQ(placesOf(rows[2]), (std::vector<std::uint32_t>{1, 3, 5}));
  EXPECT_EQ(placesOf(rows[3]), (std::vector<std::uint32_t>{2}));
}

TEST(Rows, ComputeRowsHoldActionsOnlyAndStepTracksGiveNoRow) {
  const auto trace = pipelineTrace();
  for (const Row& row : rowsOf(*trace)) {
    EXPECT_NE(row.kind, Track::Kind::Step);
    if (row.kind != Track::Kind::Compute) continue;
    for (const std::uint32_t span : placesOf(row))
      EXPECT_EQ(trace->tracks[row.track].spans[span].category, Category::Action);
  }
}

TEST(Rows, AreGivenLaneByLaneComputeFirst) {
  std::vector<std::pair<int, Track::Kind>> order;
  for (const Row& row : rowsOf(*pipelineTrace())) order.emplace_back(row.lane, row.kind);
  using Kind = Track::Kind;
  EXPECT_EQ(order, (std::vector<std::pair<int, Kind>>{{0, Kind::Compute},
                                                      {0, Kind::Detail},
                                                      {0, Kind::Transfer},
                                                      {1, Kind::Compute},
                                                      {1, Kind::Detail},
                                                      {1, Kind::Transfer}}));
}

TEST(LevelOfDetail, WideSpansAreBarsOfTheirOwn) {
  const Trace trace = traceOf(trackOf({{0, 100}, {150, 300}}));
  const RowDetail detail = levelOfDetail(rowsOf(trace)[0], trace.tracks[0], {{0, 400}, 10, 400});
  ASSERT_EQ(detail.bars.size(), 2U);
  EXPECT_TRUE(detail.columns.empty());
  EXPECT_DOUBLE_EQ(detail.bars[1].x0, 160);
  EXPECT_DOUBLE_EQ(detail.bars[1].x1, 310);
}

TEST(LevelOfDetail, ManySpansInAPixelShowTheirBusyShare) {
  const auto trace = denseTrace(100'000, 1000, 700);
  const Row row = rowsOf(*trace)[0];
  const RowDetail detail = levelOfDetail(row, trace->tracks[row.track], {{0, 100'000'000}, 0, 500});
  EXPECT_TRUE(detail.bars.empty());
  ASSERT_FALSE(detail.columns.empty());
  for (const Column& column : detail.columns) EXPECT_NEAR(column.busy, 0.7, 1.0 / kBusyLevels);
  EXPECT_NEAR(busyPixels(detail), 0.7 * 500, 500.0 / kBusyLevels);
}

TEST(LevelOfDetail, KeepsTheBusyTimeAtEveryZoom) {
  const auto trace = denseTrace(10'000, 1000, 400);
  const Row row = rowsOf(*trace)[0];
  for (Nanoseconds length = 10'000'000; length > 5000; length /= 3) {
    const RowDetail detail = levelOfDetail(row, trace->tracks[row.track], {{0, length}, 0, 1000});
    EXPECT_NEAR(busyPixels(detail) / 1000, 0.4, 0.03) << length;
  }
}

TEST(LevelOfDetail, ALoneShortSpanIsNotLost) {
  const Trace trace = traceOf(trackOf({{5'000'000, 5'000'200}}));
  const RowDetail detail = levelOfDetail(rowsOf(trace)[0], trace.tracks[0], {{0, 10'000'000}, 0, 1000});
  ASSERT_EQ(detail.columns.size(), 1U);
  EXPECT_EQ(detail.columns[0].x0, 500);
  EXPECT_GT(detail.columns[0].busy, 0);
}

TEST(LevelOfDetail, NeighbouringColumnsThatLookAlikeAreOne) {
  const auto trace = denseTrace(1000, 1000, 1000);
  Track track = trace->tracks[0];
  std::vector<Span> spans = track.spans.toVector();
  for (Span& span : spans) span.phase = Phase::Forward;
  track.spans = spans;
  const RowDetail detail = levelOfDetail(rowsOf(*trace)[0], track, {{0, 1'000'000}, 0, 500});
  EXPECT_EQ(detail.columns.size(), 1U);
  EXPECT_DOUBLE_EQ(busyPixels(detail), 500);
}

TEST(LevelOfDetail, OnlyWhatIsVisibleIsVisited) {
  const auto trace = denseTrace(1000, 1000, 500);
  const Row row = rowsOf(*trace)[0];
  const RowSlice slice = visibleSpans(row, trace->tracks[row.track], {10'200, 20'100});
  EXPECT_EQ(slice.first, 10U) << "the span that is running at the start";
  EXPECT_EQ(slice.last, 21U);
}

TEST(LevelOfDetail, NothingIsDrawnOnNoPixels) {
  const auto trace = denseTrace(10, 1000, 500);
  const RowDetail detail = levelOfDetail(rowsOf(*trace)[0], trace->tracks[0], {{0, 10'000}, 0, 0});
  EXPECT_TRUE(detail.bars.empty());
  EXPECT_TRUE(detail.columns.empty());
}

/// Of a lane whose actions do not overlap.
Nanoseconds computeWithin(const Trace& trace, int lane, TimeRange part) {
  Nanoseconds busy = 0;
  for (const Track& track : trace.tracks)
    for (const Span& span : track.spans)
      if (track.lane == lane && span.category == Category::Action)
        busy += std::max<Nanoseconds>(0, std::min(span.end, part.end) - std::max(span.start, part.start));
  return busy;
}

TEST(TimelineData, BusySharesAgreeWithTheGapAnalysis) {
  const auto trace = pipelineTrace({.lanes = 3, .steps = 2, .micro_batches = 4});
  const TimelineData data(trace);
  const TimeRange part{trace->range().start + 13 * kMs, trace->range().start + 97 * kMs};
  const std::vector<LaneCauses> whole = explainIdle(*trace).lanes;
  for (std::size_t lane = 0; lane < 3; ++lane) {
    const int index = static_cast<int>(lane);
    EXPECT_DOUBLE_EQ(*data.busyShare(index),
                     static_cast<double>(whole[lane].busy) / static_cast<double>(whole[lane].window));
    EXPECT_EQ(data.busyWithin(index, part), computeWithin(*trace, index, part));
  }
}

TEST(TimelineData, CausesCoverEachLanesIdleTime) {
  const auto trace = pipelineTrace({.lanes = 3, .steps = 2, .micro_batches = 4});
  const TimelineData data(trace);
  for (const LaneCauses& lane : explainIdle(*trace).lanes) {
    Nanoseconds explained = 0, last = trace->range().start;
    for (const CausePiece& piece : data.causesOf(lane.lane)) {
      EXPECT_GE(piece.range.start, last) << "by start";
      last = piece.range.end;
      explained += piece.range.length();
    }
    EXPECT_EQ(explained, lane.idle) << lane.lane;
  }
}

TEST(TimelineData, TellsWhatAnActionWaitedFor) {
  const auto trace = pipelineTrace();
  const TimelineData data(trace);
  const auto find = [&](const std::string& name, int step) {
    for (std::size_t row = 0; row < data.rows().size(); ++row) {
      if (data.rows()[row].kind != Track::Kind::Compute) continue;
      for (std::size_t i = 0; i < data.rows()[row].spans.size(); ++i) {
        const Span span = data.span({row, i});
        if (span.step == step && trace->nameOf(span) == name) return SpanRef{row, i};
      }
    }
    ADD_FAILURE() << "no " << name;
    return SpanRef{};
  };
  const struct {
    const char* taker;
    const char* giver;
  } kRows[] = {{"1F0", "0F0"}, {"1F4", "0F4"}, {"0B2", "1B2"}, {"0F3", nullptr}, {"1B1", nullptr}, {"0U", nullptr}};
  for (const auto& row : kRows) {
    const auto giver = data.producerOf(find(row.taker, 1));
    ASSERT_EQ(giver.has_value(), row.giver != nullptr) << row.taker;
    if (!giver) continue;
    EXPECT_EQ(trace->nameOf(data.span(*giver)), row.giver);
    EXPECT_EQ(data.span(*giver).step, 1);
  }
  const SpanRef first = find("1F0", 0);
  EXPECT_EQ(data.idleBefore(first), data.span(first).start - trace->range().start);
  EXPECT_EQ(data.idleBefore(find("0F1", 0)), 0);
}

TEST(TimelineData, LabelsNameTheStageOnlyWhereALaneHoldsSeveral) {
  const auto simple = pipelineTrace();
  const TimelineData data(simple);
  EXPECT_EQ(data.label(data.span({0, 0})), QStringLiteral("F0"));
  Trace folded = *simple;
  for (Track& track : folded.tracks) track.lane = 0;
  const TimelineData several(std::make_shared<const Trace>(folded));
  EXPECT_EQ(several.label(several.span({0, 0})), QStringLiteral("0F0"));
}

/// Many spans of `length` every `period`, with a pause of `pause` after every hundredth, and one in a thousand as long
/// as a pause.
Trace manySpans(int count, Nanoseconds period, Nanoseconds length, Nanoseconds pause) {
  Track track;
  Nanoseconds now = 0;
  for (int i = 0; i < count; ++i) {
    Span span;
    span.category = Category::Action;
    span.phase = i % 2 == 0 ? Phase::Forward : Phase::Backward;
    span.start = now;
    span.end = now + (i % 1000 == 999 ? pause : length);
    now = std::max(now + period, span.end) + (i % 100 == 99 ? pause : 0);
    track.spans.push_back(span);
  }
  return traceOf(std::move(track));
}

struct Zoom {
  const char* name;
  double from, to;  ///< shares of the trace
};

TEST(LevelOfDetail, OfManySpansKeepsBusyTimeAndPausesAtEveryZoom) {
  const Trace trace = manySpans(100'000, 1000, 600, 200'000);
  const std::vector<Row> rows = rowsOf(trace);
  const Row& row = rows[0];
  ASSERT_FALSE(row.busy.empty());
  Row slow = row;
  slow.busy = {};
  for (const Zoom& zoom : {Zoom{"all", 0, 1}, Zoom{"half", 0.25, 0.75}, Zoom{"a tenth", 0.43, 0.53},
                           Zoom{"cut at both ends", 0.1001, 0.8999}}) {
    const auto length = static_cast<double>(trace.range().length());
    const TimeRange seen{std::llround(length * zoom.from), std::llround(length * zoom.to)};
    const TimeScale scale{seen, 10, 1900};
    const RowDetail fast = levelOfDetail(row, trace.tracks[0], scale);
    const RowDetail exact = levelOfDetail(slow, trace.tracks[0], scale);
    EXPECT_NEAR(busyPixels(fast), busyPixels(exact), 0.02 * scale.width) << zoom.name;
    EXPECT_EQ(fast.bars.size(), exact.bars.size()) << zoom.name << ": wide spans stay bars";
    // A pause that is wider than two pixels leaves a pixel free.
    if (200'000 / scale.nanosecondsPerPixel() < 2) continue;
    std::vector<int> free(1901, 1);
    for (const Column& column : fast.columns)
      std::fill(free.begin() + column.x0, free.begin() + std::min(column.x1, 1900), 0);
    EXPECT_GT(std::count(free.begin(), free.end(), 1), 50) << zoom.name;
  }
}

TEST(BusyPyramid, ItsTopHoldsAllBusyTime) {
  const Trace trace = manySpans(5'000, 1000, 600, 0);
  const Row row = rowsOf(trace)[0];
  Nanoseconds busy = 0;
  int groups = 0;
  row.busy.visit(
      trace.range(), [](const BusyGroup&) { return true; },
      [&](const BusyGroup& group) {
        busy += group.busy;
        ++groups;
        EXPECT_EQ(group.longest, 600);
      },
      [](std::size_t) { FAIL() << "no single span was asked for"; });
  EXPECT_LE(groups, 4);
  EXPECT_EQ(busy, 5'000 * 600 - 5 * 600) << "one in a thousand is of length 0";
}

}  // namespace
}  // namespace lanelab
