// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/impossible_times.h"

#include <gtest/gtest.h>

#include <string>

#include "profiler/io/import/trace_import.h"
#include "tests/unit/io/traced_gpus.h"

namespace lanelab {
namespace {

constexpr double kToday = 1718000000000000;  ///< in microseconds

TEST(ImpossibleTimes, AKernelAtZeroFarFromAllOthersHasNoTime) {
  TracedGpus file;
  file.kernel("0", 0, kToday, 10).kernel("0", 0, kToday + 50, 10);
  file.kernel("0", 0, 0, 0).kernel("0", 0, 0, 3).kernel("0", 0, 0, 0, 0, "Memset", "gpu_memset");
  EXPECT_EQ(gapsOf(file), "GPU 0: window 60 busy 20 unresolved 40");
  EXPECT_EQ(countsOf(file), "no_time 3, kernel_without_launch 2");
  EXPECT_EQ(importedFrom(file.text())->counts.remarks.at(0),
            "3 of 5 kernels and copies have no time (0: the profiler did not collect it) and are left out. Gaps may be "
            "too long where they ran.");
}

/// An arrow as PyTorch writes it, from a call of process 900 to work on stream 7 of GPU 0.
void addLaunchArrow(TracedGpus& file, int id, double from, double to) {
  const auto end = [&](const std::string& members, double time) {
    file.raw(R"({"cat":"ac2g","name":"ac2g",)" + members + ",\"id\":" + std::to_string(id) +
             ",\"ts\":" + std::to_string(time) + "}");
  };
  end(R"("ph":"s","pid":900,"tid":1)", from);
  end(R"("ph":"f","bp":"e","pid":0,"tid":7)", to);
}

/// "5 spans, kernel 2; 1 flow".
std::string readOf(const TracedGpus& file) {
  const auto imported = importedFrom(file.text());
  const ImportCounts& counts = imported->counts;
  std::string text = std::to_string(counts.spans) + " spans";
  for (const auto& [category, count] : counts.categories) text += ", " + category + " " + std::to_string(count);
  return text + "; " + std::to_string(counts.flows) + " flows, " + std::to_string(imported->flow_ends.size()) + " ends";
}

TEST(ImpossibleTimes, WhatIsLeftOutIsNeitherCountedNorPointedAt) {
  TracedGpus none;
  for (int i = 0; i < 3; ++i) none.call("900", kToday + 100 * i, 5, i + 1);
  none.kernel("0", 0, kToday + 10, 20, 1).kernel("0", 0, 0, 0, 2).kernel("0", 0, 0, 4, 3, "copy", "gpu_memcpy");
  addLaunchArrow(none, 1, kToday, kToday + 10);
  addLaunchArrow(none, 2, kToday + 100, 0);
  addLaunchArrow(none, 3, kToday + 200, 0);
  EXPECT_EQ(readOf(none), "4 spans, cuda_runtime 3, kernel 1; 1 flows, 2 ends");
  EXPECT_EQ(countsOf(none), "flow_of_left_out_work 2, no_time 2");

  TracedGpus clock;
  for (int i = 0; i < 3; ++i) clock.call("900", 9000 + 100 * i, 5, i + 1).kernel("0", 0, 9010 + 100 * i, 20, i + 1);
  clock.call("900", 9300, 5, 4).kernel("0", 0, 40, 20, 4);
  for (int i = 0; i < 3; ++i) addLaunchArrow(clock, i + 1, 9000 + 100 * i, 9010 + 100 * i);
  addLaunchArrow(clock, 4, 9300, 40);
  EXPECT_EQ(readOf(clock), "7 spans, cuda_runtime 4, kernel 3; 3 flows, 6 ends");
  EXPECT_EQ(countsOf(clock), "before_launch 1, flow_of_left_out_work 1");
  EXPECT_EQ(lostForGaps(importedFrom(clock.text())->counts), 0) << "the remark tells of it";
}

TEST(ImpossibleTimes, AnArrowWithAnotherEndRemains) {
  TracedGpus file;
  file.call("900", kToday, 5, 1).kernel("0", 0, kToday + 10, 20, 1).kernel("0", 0, 0, 0, 1);
  addLaunchArrow(file, 1, kToday, kToday + 10);
  file.raw(R"({"cat":"ac2g","name":"ac2g","ph":"f","bp":"e","pid":0,"tid":7,"id":1,"ts":0})");
  EXPECT_EQ(readOf(file), "2 spans, cuda_runtime 1, kernel 1; 1 flows, 2 ends");
  EXPECT_EQ(countsOf(file), "no_time 1");
}

TEST(ImpossibleTimes, InAFileWhoseTimesBeginAtZeroZeroIsATime) {
  TracedGpus file;
  file.kernel("0", 0, 0, 10).kernel("0", 0, 50, 10);
  EXPECT_EQ(gapsOf(file), "GPU 0: window 60 busy 20 unresolved 40");
  EXPECT_EQ(countsOf(file), "kernel_without_launch 2");
}

TEST(ImpossibleTimes, WhatLastsOverLaterWorkOfItsStreamIsCutWhereThatBegins) {
  TracedGpus file;
  file.kernel("0", 0, 0, 9000, 1, "fmha").kernel("0", 0, 100, 10, 2).kernel("0", 0, 200, 10, 3);
  EXPECT_EQ(gapsOf(file), "GPU 0: window 210 busy 120 unresolved 90");
  EXPECT_EQ(countsOf(file), "overlap_of_later_work 1, kernel_without_launch 3");
  EXPECT_EQ(importedFrom(file.text())->counts.remarks.at(0),
            "1 kernel or copy lasts over the whole of later work of the same stream, which no stream can do: \"fmha\" "
            "with 9 ms. It was cut where the next work of the stream begins, by 8.9 ms.");
}

TEST(ImpossibleTimes, WhatMayOverlapIsNotCut) {
  TracedGpus next;
  next.kernel("0", 0, 0, 100, 1).kernel("0", 0, 90, 50, 2);
  EXPECT_EQ(gapsOf(next), "GPU 0: window 140 busy 140") << "the next one began early, as with programmatic launches";
  TracedGpus other;
  other.kernel("0", 0, 0, 100, 1).kernel("0", 0, 20, 10, 2, "copy", "gpu_memcpy", 8);
  EXPECT_EQ(gapsOf(other), "GPU 0: window 100 busy 100") << "another stream";
  TracedGpus graph;
  graph.kernel("0", 0, 0, 100, 1).kernel("0", 0, 20, 10, 1).kernel("0", 0, 200, 10, 2);
  EXPECT_EQ(gapsOf(graph), "GPU 0: window 210 busy 110 unresolved 100") << "branches of one graph";
}

}  // namespace
}  // namespace lanelab
