// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/span_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

#include "tests/unit/trace/span_at.h"

namespace lanelab {
namespace {

constexpr std::size_t kChunk = SpanColumns::kChunkSpans;

/// Spans as a lane of a run has them.
std::vector<Span> laneOfARun(std::size_t count) {
  std::mt19937_64 random(3);
  std::vector<Span> spans;
  Nanoseconds time = 123'456'789'012'345;
  for (std::size_t i = 0; i < count; ++i) {
    Span span;
    span.start = time;
    span.end = time = time + 8'000'000 + static_cast<Nanoseconds>(random() % 900'000);
    span.mark = span.start - static_cast<Nanoseconds>(random() % 50'000);
    span.cpu = span.range().length() - static_cast<Nanoseconds>(random() % 60'000);
    span.name = static_cast<std::uint32_t>(i % 16);
    span.step = static_cast<std::int32_t>(i / 17);
    span.stage = 1;
    span.micro_batch = static_cast<std::int16_t>(i % 8);
    span.category = Category::Action;
    span.phase = i % 2 == 0 ? Phase::Forward : Phase::Backward;
    spans.push_back(span);
  }
  return spans;
}

/// Any bits in any field.
Span anySpan(std::mt19937_64& random) {
  constexpr Nanoseconds kMost = std::numeric_limits<Nanoseconds>::max();
  const auto time = [&]() -> Nanoseconds {
    switch (random() % 6) {
      case 0: return 0;
      case 1: return kMost;
      case 2: return -kMost - 1;
      case 3: return -1;
      case 4: return static_cast<Nanoseconds>(random() % 1000);
      default: return static_cast<Nanoseconds>(random());
    }
  };
  Span span;
  span.start = time();
  span.end = time();
  span.mark = time();
  span.cpu = time();
  span.name = static_cast<std::uint32_t>(random());
  span.step = static_cast<std::int32_t>(random());
  span.stage = static_cast<std::int16_t>(random());
  span.micro_batch = static_cast<std::int16_t>(random());
  span.category = static_cast<Category>(random() % 16);
  span.phase = static_cast<Phase>(random() % 6);
  span.label = static_cast<std::uint16_t>(random());
  return span;
}

void expectSame(const SpanColumns& columns, const std::vector<Span>& spans) {
  ASSERT_EQ(columns.size(), spans.size());
  std::size_t i = 0;
  for (const Span& span : columns) {
    ASSERT_EQ(span, spans[i]) << "span " << i << " in order";
    ASSERT_EQ(columns[i], spans[i]) << "span " << i;
    ASSERT_EQ(columns.startOf(i), spans[i].start) << "span " << i;
    ASSERT_EQ(columns.endOf(i), spans[i].end) << "span " << i;
    ++i;
  }
  ASSERT_EQ(i, spans.size());
  ASSERT_EQ(columns.toVector(), spans);
}

TEST(SpanColumns, GiveBackWhatWasPutInAtAnySize) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, kChunk - 1, kChunk, kChunk + 1, 3 * kChunk, 3 * kChunk + 7}) {
    SCOPED_TRACE(size);
    const std::vector<Span> spans = laneOfARun(size);
    expectSame(SpanColumns(spans), spans);
    SpanColumns pushed;
    for (const Span& span : spans) pushed.push_back(span);
    expectSame(pushed, spans);
    EXPECT_EQ(pushed, SpanColumns(spans));
    EXPECT_EQ(pushed.empty(), size == 0);
  }
}

TEST(SpanColumns, AnyNumbersSurvive) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 40; ++round) {
    std::vector<Span> spans(kChunk + random() % kChunk);
    // Columns of all widths: of some fields all spans have the same, of others a few values.
    const Span same = anySpan(random);
    const auto kept = random();
    for (Span& span : spans) {
      span = anySpan(random);
      if (kept & 1U)
        span.start = static_cast<Nanoseconds>(static_cast<std::uint64_t>(same.start) + random() % 70'000 -
                                              35'000);  // may wrap around
      if (kept & 2U) span.mark = random() % 3 == 0 ? 0 : same.mark;
      if (kept & 4U) span.mark = 0;
      if (kept & 8U) span.cpu = -1;
      if (kept & 16U) span.name = same.name;
      if (kept & 32U) span.end = span.start;
      if (kept & 64U) span.mark = span.start;
    }
    expectSame(SpanColumns(spans), spans);
  }
}

TEST(SpanColumns, ASpanOfARunTakesLessThanTwentyBytes) {
  SpanColumns columns(laneOfARun(50 * kChunk));
  EXPECT_LT(static_cast<double>(columns.bytes()) / static_cast<double>(columns.size()), 20);
  // An unfinished last chunk is plain until it is sealed.
  SpanColumns few(laneOfARun(100));
  few.seal();
  EXPECT_LT(few.bytes(), 100 * 30U);
  expectSame(few, laneOfARun(100));
}

TEST(SpanColumns, GrowOnAfterTheyWereSealed) {
  const std::vector<Span> spans = laneOfARun(2 * kChunk);
  SpanColumns columns;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    columns.push_back(spans[i]);
    if (i % 100 == 99) columns.seal();
  }
  expectSame(columns, spans);
}

TEST(SpanColumns, ACopyKeepsWhatTheOriginalLoses) {
  const std::vector<Span> spans = laneOfARun(2 * kChunk + 5);
  SpanColumns columns(spans);
  const SpanColumns copy = columns;
  EXPECT_EQ(columns.sharedWith(copy), 2 * kChunk);
  columns.truncate(kChunk + 1);
  columns.push_back(spanAt(3, 4));
  EXPECT_EQ(columns.size(), kChunk + 2);
  EXPECT_EQ(columns.back(), spanAt(3, 4));
  expectSame(copy, spans);
  EXPECT_NE(columns, copy);
}

TEST(SpanColumns, CanBeCutToAnySize) {
  std::vector<Span> spans = laneOfARun(kChunk + 50);
  SpanColumns columns(spans);
  for (const std::size_t size : {kChunk + 20, kChunk, kChunk - 1, std::size_t{10}, std::size_t{0}}) {
    columns.truncate(size);
    spans.resize(size);
    expectSame(columns, spans);
  }
}

TEST(SpanColumns, FindTheFirstSpanByItsStart) {
  SpanColumns columns;
  for (Nanoseconds i = 0; i < 2000; ++i) columns.push_back(spanAt(i / 2 * 10, i * 10 + 5));
  EXPECT_EQ(columns.firstFrom(0), 0u);
  EXPECT_EQ(columns.firstAfter(0), 2u);
  EXPECT_EQ(columns.firstFrom(31), 8u);
  EXPECT_EQ(columns.firstFrom(6000), 1200u);
  EXPECT_EQ(columns.firstAfter(6000), 1202u);
  EXPECT_EQ(columns.firstFrom(10'000), 2000u);
  EXPECT_EQ(SpanColumns().firstAfter(0), 0u);
}

TEST(SpanColumns, SortByStartTheLongerFirstAndKeepEqualOnesInOrder) {
  SpanColumns columns;
  std::vector<Span> spans;
  std::mt19937 random(5);
  for (std::uint32_t i = 0; i < 3000; ++i)
    spans.push_back(spanAt(static_cast<Nanoseconds>(random() % 500), 500 + static_cast<Nanoseconds>(random() % 3), i));
  columns = spans;
  EXPECT_FALSE(columns.sorted());
  columns.sort();
  EXPECT_TRUE(columns.sorted());
  std::stable_sort(spans.begin(), spans.end(), kParentsFirst);
  expectSame(columns, spans);
}

TEST(SpanColumns, MergeWhatComesLate) {
  std::mt19937 random(9);
  for (int round = 0; round < 50; ++round) {
    SpanColumns columns;
    std::vector<Span> all;
    for (std::uint32_t batch = 0; batch < 8; ++batch) {
      // Each batch reaches back some way into the ones before.
      std::vector<Span> spans(random() % 400);
      for (Span& span : spans) span = spanAt(batch * 1000 + static_cast<Nanoseconds>(random() % 1500), 100'000, batch);
      std::stable_sort(spans.begin(), spans.end(), kParentsFirst);
      const SpanColumns before = columns;
      const std::vector<Span> was = before.toVector();
      columns.merge(spans);
      expectSame(before, was);
      all.insert(all.end(), spans.begin(), spans.end());
    }
    std::stable_sort(all.begin(), all.end(), kParentsFirst);
    expectSame(columns, all);
  }
}

TEST(SpanColumns, MergingLeavesTheChunksInFrontAlone) {
  SpanColumns columns;
  for (Nanoseconds i = 0; i < static_cast<Nanoseconds>(10 * kChunk); ++i) columns.push_back(spanAt(i, i + 1));
  SpanColumns merged = columns;
  merged.merge({spanAt(static_cast<Nanoseconds>(7 * kChunk + 3), 1'000'000)});
  EXPECT_EQ(merged.sharedWith(columns), 7 * kChunk);
  EXPECT_TRUE(merged.sorted());
}

TEST(SpanColumns, WorkWithTheStandardAlgorithms) {
  const std::vector<Span> spans = laneOfARun(kChunk + 10);
  const SpanColumns columns(spans);
  EXPECT_TRUE(std::equal(columns.begin(), columns.end(), spans.begin(), spans.end()));
  const auto late = std::lower_bound(columns.begin(), columns.end(), spans[kChunk].start,
                                     [](const Span& span, Nanoseconds time) { return span.start < time; });
  EXPECT_EQ(late - columns.begin(), static_cast<std::ptrdiff_t>(kChunk));
  EXPECT_EQ(late->end, spans[kChunk].end);
  EXPECT_EQ(
      std::count_if(columns.begin(), columns.end(), [](const Span& span) { return span.phase == Phase::Forward; }),
      static_cast<std::ptrdiff_t>(columns.size() / 2));
}

}  // namespace
}  // namespace lanelab
