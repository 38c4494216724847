// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/perfetto/perfetto_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "profiler/io/import/trace_import.h"
#include "tests/support/written_trace.h"
#include "tests/unit/io/perfetto_decoder.h"
#include "tests/unit/io/small_world.h"

namespace lanelab {
namespace {

/// "category name start end", sorted.
std::vector<std::string> slicesOf(const PerfettoTrace& trace) {
  std::vector<std::string> told;
  for (const PerfettoSlice& slice : trace.slices)
    told.push_back(slice.category + " " + slice.name + " " + std::to_string(slice.start) + " " +
                   std::to_string(slice.end));
  std::sort(told.begin(), told.end());
  return told;
}
std::vector<std::string> spansOf(const Trace& trace) {
  std::vector<std::string> told;
  for (const Track& track : trace.tracks)
    for (const Span& span : track.spans)
      told.push_back(std::string(trace.categoryNameOf(span)) + " " + trace.nameOf(span) + " " +
                     std::to_string(span.start) + " " + std::to_string(span.end));
  std::sort(told.begin(), told.end());
  return told;
}

TEST(PerfettoWriter, TellsOurOwnLanes) {
  const auto own = ownPipeline();
  const PerfettoTrace trace = decodePerfetto(toPerfetto(*own));
  ASSERT_EQ(trace.fault, "");
  EXPECT_EQ(slicesOf(trace), spansOf(*own->trace));
  const auto found = std::find_if(trace.slices.begin(), trace.slices.end(),
                                  [](const PerfettoSlice& slice) { return slice.name == "1B0"; });
  ASSERT_NE(found, trace.slices.end());
  EXPECT_EQ(found->process, "right");
  EXPECT_EQ(found->track, "compute");
  EXPECT_EQ(found->annotations,
            (std::map<std::string, std::string>{{"stage", "1"}, {"micro_batch", "0"}, {"phase", "B"}, {"step", "0"}}));
  ASSERT_EQ(trace.arrows.size(), 2u);
  EXPECT_EQ(trace.arrows[0].from + ">" + trace.arrows[0].to, "copy>1F0");
  EXPECT_EQ(trace.arrows[1].from + ">" + trace.arrows[1].to, "copy>0B0");
}

TEST(PerfettoWriter, NestsBlocksInTheirAction) {
  const PerfettoTrace trace = decodePerfetto(toPerfetto(*ownPipeline()));
  for (const PerfettoSlice& slice : trace.slices)
    EXPECT_EQ(slice.depth, slice.category == "block" ? 1 : 0) << slice.name;
}

TEST(PerfettoWriter, TellsOtherProgramsTraces) {
  const auto kineto = fileNamed("kineto.json");
  const PerfettoTrace trace = decodePerfetto(toPerfetto(*kineto));
  ASSERT_EQ(trace.fault, "");
  EXPECT_EQ(slicesOf(trace), spansOf(*kineto->trace));
  ASSERT_EQ(trace.arrows.size(), 1u);
  EXPECT_EQ(trace.arrows[0].from + ">" + trace.arrows[0].to, "cudaLaunchKernel>void cutlass::Kernel<\"conv\">");
  EXPECT_EQ(trace.instants.size(), 3u);
  EXPECT_EQ(trace.instants[0], "[memory] at 1790000000124516914 on thread 4711 (python)");
}

TEST(PerfettoWriter, TellsCounters) {
  const PerfettoTrace trace = decodePerfetto(toPerfetto(*fileNamed("perfetto.json")));
  ASSERT_EQ(trace.fault, "");
  EXPECT_EQ(trace.counters, (std::vector<std::string>{"heap used 500000=1024.500000", "heap used 600000=2048.000000",
                                                      "heap free 500000=512.000000", "heap free 600000=256.000000"}));
}

TEST(PerfettoWriter, ShiftsTimesBeforeZero) {
  const auto imported = importBytes(
      R"([{"ph":"X","name":"a","pid":0,"tid":0,"ts":-5,"dur":2},{"ph":"X","name":"b","pid":0,"tid":0,"ts":1,"dur":2}])");
  const PerfettoTrace trace = decodePerfetto(toPerfetto(**imported));
  ASSERT_EQ(trace.fault, "");
  EXPECT_EQ(slicesOf(trace), (std::vector<std::string>{" a 0 2000", " b 6000 8000"}));
}

TEST(PerfettoWriter, HoldsItsRulesForSpansOfAnyShape) {
  std::mt19937 random(3);
  const auto upTo = [&](unsigned n) { return static_cast<int>(random() % n); };
  for (int round = 0; round < 100; ++round) {
    std::string json = "[";
    for (int i = 0; i < 60; ++i) {
      json += R"({"ph":"X","cat":"c","name":"n)" + std::to_string(i) + R"(","pid":)" + std::to_string(upTo(2)) +
              R"(,"tid":)" + std::to_string(upTo(3)) + R"(,"ts":)" + std::to_string(upTo(50)) + R"(,"dur":)" +
              std::to_string(upTo(20)) + "},";
      json += R"({"ph":")" + std::string(1, "sf"[upTo(2)]) + R"(","id":)" + std::to_string(upTo(20)) +
              R"(,"pid":0,"tid":)" + std::to_string(upTo(3)) + R"(,"ts":)" + std::to_string(upTo(60)) + "},";
    }
    const auto imported = *importBytes(json);
    ASSERT_TRUE(imported);
    const PerfettoTrace trace = decodePerfetto(toPerfetto(*imported));
    ASSERT_EQ(trace.fault, "") << json;
    ASSERT_EQ(slicesOf(trace), spansOf(*imported->trace)) << json;
  }
}

}  // namespace
}  // namespace lanelab
