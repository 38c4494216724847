// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/model/counter_rows.h"

#include <gtest/gtest.h>

#include <QStringList>
#include <algorithm>
#include <limits>
#include <random>

#include "profiler/trace/core_time.h"
#include "tests/gui/timeline/timeline_world.h"
#include "ui/timeline/model/timeline_data.h"

namespace lanelab {
namespace {

using testworld::pipelineTrace;
using Stretches = std::vector<CounterRow::Stretch>;

Counter counterOf(std::vector<Nanoseconds> times, std::vector<double> values, const std::string& unit = "",
                  const std::string& name = "queue") {
  Counter counter;
  counter.name = name;
  counter.series = unit;
  counter.times = std::move(times);
  counter.values = std::move(values);
  return counter;
}

TEST(MinMaxPyramid, AgreesWithLookingAtAllValues) {
  std::mt19937 random(3);
  for (const std::size_t count : {1U, 15U, 16U, 17U, 255U, 256U, 257U, 5000U}) {
    std::vector<double> values(count);
    for (double& value : values) value = static_cast<double>(random() % 1000);
    const MinMaxPyramid pyramid(values);
    for (int round = 0; round < 200; ++round) {
      std::size_t first = random() % count, last = random() % count;
      if (first > last) std::swap(first, last);
      ++last;
      const auto [least, greatest] = std::minmax_element(values.begin() + static_cast<std::ptrdiff_t>(first),
                                                         values.begin() + static_cast<std::ptrdiff_t>(last));
      ASSERT_EQ(pyramid.of(first, last), (MinMax{*least, *greatest})) << first << " to " << last << " of " << count;
    }
  }
}

TEST(CounterRow, OfOtherProgramsSaysWhatItCounts) {
  const CounterRow others(counterOf({0}, {47}, "%", std::string(kOtherProgramsCounter)));
  EXPECT_EQ(others.name(), "other programs");
  EXPECT_EQ(others.text(47), "47 %");
  EXPECT_EQ(others.scale(), (MinMax{0, 100}));
  EXPECT_TRUE(others.explanation().contains("container")) << others.explanation().toStdString();
  const CounterRow queue(counterOf({0}, {3}));
  EXPECT_EQ(queue.explanation(), queue.name());
}

TEST(CounterRow, AValueHoldsUntilTheNext) {
  const CounterRow row(counterOf({10, 20}, {3, 5}));
  EXPECT_EQ(row.at(9), std::nullopt);
  EXPECT_EQ(row.at(10), 3);
  EXPECT_EQ(row.at(19), 3);
  EXPECT_EQ(row.at(20), 5);
  EXPECT_EQ(row.at(1000), 5);
}

TEST(CounterRow, ARangeSeesTheValueItBeginsWith) {
  const CounterRow row(counterOf({10, 20, 30}, {3, 9, 1}));
  EXPECT_EQ(row.within({0, 10}), std::nullopt);
  EXPECT_EQ(row.within({15, 20}), (MinMax{3, 3}));
  EXPECT_EQ(row.within({15, 21}), (MinMax{3, 9}));
  EXPECT_EQ(row.within({25, 40}), (MinMax{1, 9}));
  EXPECT_EQ(row.within({25, 25}), std::nullopt);
}

TEST(CounterRow, SparseValuesAreStretchesOfTheirOwn) {
  const CounterRow row(counterOf({100, 200, 300}, {1, 2, 2}));
  EXPECT_EQ(row.stretches({{0, 1000}, 0, 100}), (Stretches{{10, 20, {1, 1}, 1}, {20, 100, {2, 2}, 2}}));
}

TEST(CounterRow, APeakWithinAPixelIsNotLost) {
  std::vector<Nanoseconds> times;
  std::vector<double> values;
  for (Nanoseconds time = 0; time < 100'000; ++time) {
    times.push_back(time);
    values.push_back(time == 54'321 ? 100 : 1);
  }
  const CounterRow row(counterOf(times, values));
  const Stretches stretches = row.stretches({{0, 100'000}, 0, 100});
  ASSERT_EQ(stretches.size(), 3U) << "before the peak, its pixel, after it";
  EXPECT_EQ(stretches[1].values, (MinMax{1, 100}));
  EXPECT_EQ(stretches[1].x0, 54);
  EXPECT_NEAR(stretches[1].mean, 1.099, 1e-9) << "999 of 1000 ns at 1";
}

TEST(CounterRow, StretchesCoverTheViewFromTheFirstValueOn) {
  std::mt19937 random(11);
  std::vector<Nanoseconds> times;
  std::vector<double> values;
  for (Nanoseconds time = 5000; times.size() < 3000;
       time += 1 + static_cast<Nanoseconds>(random() % (times.size() % 100 == 0 ? 20'000 : 50))) {
    times.push_back(time);
    values.push_back(static_cast<double>(random() % 7));
  }
  const CounterRow row(counterOf(times, values));
  for (const TimeRange range :
       {TimeRange{0, 900'000}, TimeRange{6000, 7000}, TimeRange{100'000, 400'000}, TimeRange{2'000'000, 3'000'000}}) {
    const Stretches stretches = row.stretches({range, 160, 700});
    ASSERT_FALSE(stretches.empty());
    for (std::size_t i = 1; i < stretches.size(); ++i) EXPECT_EQ(stretches[i].x0, stretches[i - 1].x1);
    EXPECT_EQ(stretches.back().x1, 860);
    MinMax all = stretches.front().values;
    for (const auto& stretch : stretches)
      all = {std::min(all.least, stretch.values.least), std::max(all.greatest, stretch.values.greatest)};
    for (const auto& stretch : stretches) {
      EXPECT_GE(stretch.mean, stretch.values.least - 1e-9);
      EXPECT_LE(stretch.mean, stretch.values.greatest + 1e-9);
    }
    EXPECT_EQ(all, *row.within(range)) << "at every zoom the greatest and the least are there";
  }
}

TEST(CounterRow, ValuesHaveTheirUnits) {
  const struct {
    const char* unit;
    double value;
    const char* text;
  } kRows[] = {{"bytes", 1536, "1.5 KiB"}, {"bytes", 1e300, "7.81 EiB"}, {"%", 83.26, "83.3 %"},
               {"loss", 2.3071, "2.31"},   {"loss", 0.00012, "0.00012"}, {"", 12, "12"},
               {"", 25'557'032, "25.6 M"}, {"widgets", -3, "-3"}};
  for (const auto& row : kRows)
    EXPECT_EQ(CounterRow(counterOf({0}, {1}, row.unit)).text(row.value), QString::fromUtf8(row.text));
}

TEST(CounterRow, IsNamedWithItsSeriesWhereThatIsNoUnit) {
  EXPECT_EQ(CounterRow(counterOf({0}, {1}, "bytes", "memory")).name(), QStringLiteral("memory"));
  EXPECT_EQ(CounterRow(counterOf({0}, {1}, "depth", "queue")).name(), QString::fromUtf8("queue · depth"));
  EXPECT_EQ(CounterRow(counterOf({0}, {1}, "loss", "loss")).name(), QStringLiteral("loss"));
}

TEST(CounterRow, ItsScaleBeginsAtNothingWhereThatSaysMore) {
  EXPECT_EQ(CounterRow(counterOf({0, 1}, {40, 60}, "%")).scale(), (MinMax{0, 100}));
  EXPECT_EQ(CounterRow(counterOf({0, 1}, {900, 1000}, "bytes")).scale(), (MinMax{0, 1000}));
  EXPECT_EQ(CounterRow(counterOf({0, 1}, {2.2, 2.3}, "loss")).scale(), (MinMax{2.2, 2.3}));
  EXPECT_EQ(CounterRow(counterOf({0, 1}, {0.1, 2.3}, "loss")).scale(), (MinMax{0, 2.3}));
  const MinMax flat = CounterRow(counterOf({0, 1}, {5, 5}, "loss")).scale();
  EXPECT_LT(flat.least, flat.greatest);
}

TEST(CounterRow, WhatIsNotFiniteIsLeftOut) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const CounterRow row(counterOf({0, 10, 20}, {1, nan, 3}));
  EXPECT_EQ(row.at(15), 1);
  EXPECT_EQ(row.within({0, 100}), (MinMax{1, 3}));
}

TEST(CounterRows, AreThoseOfTheTraceAndThoseItTells) {
  Trace trace = *pipelineTrace({.lanes = 2});
  trace.counters.push_back(counterOf({trace.range().start}, {2.3}, "loss", "loss"));
  Counter memory = counterOf({trace.range().start}, {1000}, "bytes", "memory");
  memory.lane = 1;
  trace.counters.push_back(memory);
  const TimelineData data(std::make_shared<const Trace>(trace));
  QStringList told;
  for (const CounterRow& row : data.counters()) told << QStringLiteral("%1 %2").arg(row.lane()).arg(row.name());
  EXPECT_EQ(told, (QStringList{"0 utilization", "0 bubble", "1 utilization", "1 bubble", "1 memory", "-1 loss"}))
      << told.join(", ").toStdString();
}

TEST(CounterRows, ASingleLaneHasNoBubble) {
  const TimelineData data(pipelineTrace({.lanes = 1}));
  ASSERT_EQ(data.counters().size(), 1U);
  EXPECT_EQ(data.counters()[0].name(), QStringLiteral("utilization"));
}

}  // namespace
}  // namespace lanelab
