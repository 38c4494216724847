// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/launch_join.h"

#include <gtest/gtest.h>

#include "tests/support/written_trace.h"
#include "tests/unit/io/traced_gpus.h"

namespace lanelab {
namespace {

/// Two ranks whose calls and kernels have the same ids: the first launches in time, the second late.
TracedGpus twoRanks(const std::string& host_0, const std::string& gpu_0, const std::string& host_1,
                    const std::string& gpu_1) {
  TracedGpus file;
  for (int i = 0; i < 3; ++i) {
    file.call(host_0, 100 * i, 5, i + 1).kernel(gpu_0, 0, 100 * i + 60, 50, i + 1);
    file.call(host_1, 100 * i + 50, 9, i + 1).kernel(gpu_1, 1, 100 * i + 60, 50, i + 1);
  }
  return file;
}

struct MergedPids {
  const char* how;
  const char *host_0, *gpu_0, *host_1, *gpu_1;
};

class MergedRanks : public testing::TestWithParam<MergedPids> {};

TEST_P(MergedRanks, LaunchesBelongToTheProcessOfTheirRank) {
  const TracedGpus file = twoRanks(GetParam().host_0, GetParam().gpu_0, GetParam().host_1, GetParam().gpu_1);
  EXPECT_EQ(gapsOf(file), "GPU 0: window 250 busy 150 unresolved 100; GPU 1: window 250 busy 150 host 98 unresolved 2");
  EXPECT_EQ(countsOf(file), "");
  const auto again = importedFrom(toChromeJson(*importedFrom(file.text())));
  EXPECT_EQ(gapsOf(*again), gapsOf(file)) << "also of a file that an import wrote";
}

INSTANTIATE_TEST_SUITE_P(Pids, MergedRanks,
                         testing::Values(MergedPids{"prefix", "[TP00] 900", "[TP00] 0", "[TP01] 901", "[TP01] 1"},
                                         MergedPids{"word", "rank0_900", "rank0_0", "rank1_900", "rank1_1"},
                                         MergedPids{"suffix", "900@a", "0@a", "900@b", "1@b"}),
                         [](const auto& each) { return std::string(each.param.how); });

TEST(LaunchJoin, TheRankMayStandInTheNamesOfProcesses) {
  TracedGpus file = twoRanks("900", "10", "901", "11");
  file.process("900", "python rank 0").process("10", "rank 0 device");
  file.process("901", "python rank 1").process("11", "Rank_01 device");
  EXPECT_EQ(gapsOf(file),
            "rank 0 device: window 250 busy 150 unresolved 100; Rank_01 device: window 250 busy 150 host 98 unresolved "
            "2");
}

TEST(LaunchJoin, WhatNothingTellsApartIsCountedAndUnresolved) {
  const TracedGpus file = twoRanks("900", "0", "901", "1");
  EXPECT_EQ(gapsOf(file), "GPU 0: window 250 busy 150 unresolved 100; GPU 1: window 250 busy 150 unresolved 100");
  EXPECT_EQ(countsOf(file), "ambiguous_launch 6");
}

TEST(LaunchJoin, ACallThatBeganLaterLaunchedNothing) {
  TracedGpus file;
  file.call("900", 0, 5, 1).kernel("0", 0, 10, 10, 1).call("900", 40, 20, 2).kernel("0", 0, 70, 10, 2);
  file.call("901", 1000, 5, 1).kernel("1", 1, 1010, 10, 1).call("901", 1040, 5, 2).kernel("1", 1, 1070, 10, 2);
  EXPECT_EQ(gapsOf(file),
            "GPU 0: window 70 busy 20 host 40 unresolved 10; GPU 1: window 70 busy 20 host 25 unresolved 25")
      << "and a call of which it is known what it launched launched nothing on another GPU";
  EXPECT_EQ(countsOf(file), "");
}

TEST(LaunchJoin, AGraphThatRunsIsWhatItsNextKernelWaitsFor) {
  TracedGpus file;
  file.call("900", 0, 100, 1, "cudaGraphLaunch").kernel("0", 0, 20, 20, 1).kernel("0", 0, 60, 20, 1);
  file.call("900", 120, 30, 2, "cudaGraphLaunch").kernel("0", 0, 160, 20, 2);
  EXPECT_EQ(gapsOf(file), "GPU 0: window 160 busy 60 host 70 unresolved 30");
}

TEST(LaunchJoin, ArrowsOfSeveralProcessesTellNothing) {
  const auto arrow = [](const char* phase, const std::string& place, int time) {
    return R"({"ph":")" + std::string(phase) + R"(","cat":"ac2g","name":"ac2g","id":1,"bp":"e",)" + place +
           ",\"ts\":" + std::to_string(time) + "}";
  };
  TracedGpus file;
  file.kernel("0", 0, 0, 10).kernel("0", 0, 100, 10).call("900", 60, 20, 0);
  file.raw(arrow("s", R"("pid":900,"tid":1)", 60)).raw(arrow("f", R"("pid":0,"tid":7)", 100));
  EXPECT_EQ(gapsOf(file), "GPU 0: window 110 busy 20 host 70 unresolved 20");
  file.call("901", 80, 15, 0).raw(arrow("s", R"("pid":901,"tid":1)", 80));
  EXPECT_EQ(gapsOf(file), "GPU 0: window 110 busy 20 unresolved 90");
}

TEST(LaunchJoin, ArrowsOfRanksWithOneIdAreArrowsOfEachRank) {
  TracedGpus file;
  for (const std::string rank : {"[TP0] ", "[TP1] "}) {
    file.call(rank + "900", 60, 20, 0).kernel(rank + "0", 0, 0, 10).kernel(rank + "0", 0, 100, 10);
    for (const auto& [phase, place] :
         {std::pair("s", "900\",\"tid\":1,\"ts\":60"), std::pair("f", "0\",\"tid\":7,\"ts\":100")})
      file.raw(R"({"ph":")" + std::string(phase) + R"(","cat":"ac2g","name":"ac2g","id":1,"bp":"e","pid":")" + rank +
               place + "}");
  }
  const auto imported = importedFrom(file.text());
  EXPECT_EQ(imported->counts.flows, 2);
  EXPECT_EQ(gapsOf(*imported),
            "GPU 0 of process [TP0] 0: window 110 busy 20 host 70 unresolved 20; GPU 0 of process "
            "[TP1] 0: window 110 busy 20 host 70 unresolved 20");
  const auto again = importedFrom(toChromeJson(*imported));
  EXPECT_EQ(again->counts.flows, 2);
  EXPECT_EQ(gapsOf(*again), gapsOf(*imported));
}

TEST(LaunchJoin, AnArrowMayEndAMicrosecondBeforeItsCall) {
  const auto arrow = [](const char* phase, const std::string& place, int time) {
    return R"({"ph":")" + std::string(phase) + R"(","cat":"ac2g","name":"ac2g","id":1,"bp":"e",)" + place +
           ",\"ts\":" + std::to_string(time) + "}";
  };
  for (const auto& [begins, unknown] :
       {std::pair(100, ""), std::pair(99, ""), std::pair(90, "kernel_without_launch 1")}) {
    TracedGpus file;
    file.call("900", 10, 5, 1).kernel("0", 0, 20, 10, 1).call("900", 100, 20, 0).kernel("0", 0, begins, 30);
    file.raw(arrow("s", R"("pid":900,"tid":1)", 100)).raw(arrow("f", R"("pid":0,"tid":7)", begins));
    EXPECT_EQ(countsOf(file), unknown) << begins;
  }
}

TEST(LaunchJoin, AGpuOfTwoProcessesLosesNoLaunchInItsOwnFile) {
  TracedGpus file;
  for (int i = 0; i < 3; ++i) file.call("900", 100 * i, 5, i + 1).kernel("0", 0, 100 * i + 60, 50, i + 1);
  for (int i = 3; i < 5; ++i) file.call("901", 100 * i, 5, i + 1).kernel("0", 0, 100 * i + 60, 50, i + 1);
  const auto imported = importedFrom(file.text());
  const auto again = importedFrom(toChromeJson(*imported));
  EXPECT_EQ(gapsOf(*again), gapsOf(*imported));
}

TEST(LaunchJoin, WorkBeforeItsCallIsOnAnotherClock) {
  TracedGpus file;
  for (int i = 0; i < 4; ++i) file.call("900", 5000 + 100 * i, 60, i + 1).kernel("0", 0, 5070 + 100 * i, 30, i + 1);
  file.call("900", 5400, 60, 5).kernel("0", 0, 20, 30, 5);
  EXPECT_EQ(gapsOf(file), "GPU 0: window 330 busy 120 host 180 unresolved 30") << "far before it, it is left out";
  EXPECT_EQ(countsOf(file), "before_launch 1");
  EXPECT_EQ(importedFrom(file.text())->counts.remarks,
            std::vector<std::string>{"1 kernel or copy begins before the call that launched it, \"gemm\" by 5.38 ms: "
                                     "the clocks of GPU and host differ. It is left out."});
}

TEST(LaunchJoin, AGpuWhoseClockIsOffHasNoLateLaunches) {
  TracedGpus file;
  for (int i = 0; i < 4; ++i) file.call("900", 5000 + 100 * i, 60, i + 1).kernel("0", 0, 70 + 100 * i, 30, i + 1);
  EXPECT_EQ(gapsOf(file), "GPU 0: window 330 busy 120 unresolved 210");
  EXPECT_EQ(countsOf(file), "before_launch 4");
}

}  // namespace
}  // namespace lanelab
