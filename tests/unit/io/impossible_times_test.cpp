// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/impossible_times.h"

#include <gtest/gtest.h>

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
