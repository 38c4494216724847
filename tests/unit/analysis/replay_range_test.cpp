// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/what_if_answer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "profiler/analysis/what_if.h"
#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {
namespace {

/// One lane whose steps, of one action each, take this long, with a pause of 2 after each.
Trace traceOf(const std::vector<Nanoseconds>& lengths) {
  PipelineWorld world(1);
  Nanoseconds start = 0;
  for (std::size_t step = 0; step < lengths.size(); ++step) {
    world.action(0, "0F0", start, start + lengths[step], static_cast<int>(step));
    world.window(start, start + lengths[step], static_cast<int>(step));
    start += lengths[step] + 2;
  }
  return world.built();
}

ForecastRange rangeOf(const std::vector<Nanoseconds>& lengths, double factor) {
  const Trace measured = traceOf(lengths);
  WhatIf what_if;
  what_if.stages[0] = factor;
  return rangeOfReplay(measured, replayWith(measured, what_if)).value_or(ForecastRange{});
}

TEST(RangeOfReplay, WidensWithTheSpreadOfTheMeasuredSteps) {
  const auto reach = [](const ForecastRange& range) { return std::log(range.high / range.low) / 2; };
  const ForecastRange one = rangeOf({1000}, 0.5), equal = rangeOf({1000, 1000, 1000}, 0.5),
                      unequal = rangeOf({800, 1000, 1200}, 0.5);
  EXPECT_NEAR(one.low * one.high, 500e-9 * 500e-9, 1e-18);
  EXPECT_NEAR(reach(one), reach(equal), 1e-9) << "one step has no spread, equal ones have none either";
  EXPECT_GT(reach(unequal), 2 * reach(equal));
  const ForecastRange unchanged = rangeOf({1000, 1100}, 1);
  EXPECT_EQ(unchanged.low, unchanged.high);
  EXPECT_NEAR(unchanged.low, 1050e-9, 1e-15);
}

TEST(RangeOfReplay, NeedsSteps) { EXPECT_FALSE(rangeOfReplay(Trace{}, Trace{})); }

}  // namespace
}  // namespace lanelab
