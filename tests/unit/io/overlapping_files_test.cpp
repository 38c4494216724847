// SPDX-License-Identifier: GPL-3.0-only
// Steps that overlap, written and read again: no row of a file holds a partial overlap, and each step comes back.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "profiler/io/import/trace_import.h"
#include "profiler/io/perfetto/trace_appender.h"
#include "profiler/io/tables/causes_json.h"
#include "profiler/io/tables/csv_tables.h"
#include "profiler/io/tables/gap_tables.h"
#include "profiler/io/written/trace_rows.h"
#include "profiler/trace/step_periods.h"
#include "tests/support/written_trace.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

/// Lane 0 begins step 1 at 30'000 while lane 1 still ends step 0, and idles 5'000 before.
Trace overlappingSteps() {
  SmallWorld world;
  const auto left = world.lane("left", "cpu:0"), right = world.lane("right", "cpu:1");
  const auto steps = world.track(left, Track::Kind::Step, "steps");
  const auto lane_0 = world.track(left, Track::Kind::Compute, "compute");
  const auto lane_1 = world.track(right, Track::Kind::Compute, "compute");
  for (int step = 0; step < 3; ++step) {
    const Nanoseconds at = step * 30'000;
    world.span(steps, Category::Step, "step " + std::to_string(step), at, at + 40'000, step);
    world.action(lane_0, 0, Phase::Forward, 0, at, at + 25'000, step);
    world.action(lane_1, 1, Phase::Forward, 0, at + 25'000, at + 40'000, step);
  }
  return world.trace;
}

std::string stepsOf(const Trace& trace) {
  std::string text;
  for (const StepWindow& window : stepWindows(trace))
    text += std::to_string(window.step) + ":" + std::to_string(window.range.start) + "-" +
            std::to_string(window.range.end) + " ";
  return text;
}

TEST(OverlappingFiles, GiveTheStepsBackInEachFormat) {
  const Trace trace = overlappingSteps();
  for (const std::string& bytes : {toChromeJson(trace), packTrace(trace)}) {
    const ReadImport back = importBytes(bytes, "it");
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_TRUE((*back)->counts.problems.empty()) << "rows nest, so nothing has to be laid out again";
    EXPECT_EQ(stepsOf(*(*back)->trace), "0:0-40000 1:30000-70000 2:60000-100000 ");
    EXPECT_TRUE(stepsOverlap(*(*back)->trace));
    EXPECT_EQ(explainIdle(**back).lanes[0].idle, 10'000);
  }
}

TEST(OverlappingFiles, AStepThatOverlapsTheOneBeforeLiesOnAFurtherRow) {
  const Trace trace = overlappingSteps();
  std::vector<std::string> rows;
  for (const TraceRow& row : layOutRows(trace))
    if (trace.tracks[row.track].kind == Track::Kind::Step)
      rows.push_back(row.name + ": " + std::to_string(row.spans.size()));
  EXPECT_EQ(rows, (std::vector<std::string>{"steps: 2", "steps (2): 1"}));
}

TEST(OverlappingFiles, TablesNameTheirWindows) {
  const Trace trace = overlappingSteps();
  struct Named {
    WindowKind windows;
    const char* word;
    const char* header;
    const char* lane_0;
  };
  for (const Named& row : {Named{WindowKind::Period, "period", "Periods", "85.0 µs"},
                           Named{WindowKind::Step, "step", "Step windows", "120 µs"}}) {
    const IdleCauses causes = explainIdle(trace, row.windows);
    EXPECT_EQ(nlohmann::json::parse(causesJson(trace, causes, 0))["windows"], row.word);
    EXPECT_EQ(laneRows(causes)[0][1], row.header);
    EXPECT_EQ(laneRows(causes)[1][1], row.lane_0);
    EXPECT_NE(gapTableCsv(trace, causes, 0).find("," + std::string(row.word) + "\r\n"), std::string::npos);
  }
}

}  // namespace
}  // namespace lanelab
