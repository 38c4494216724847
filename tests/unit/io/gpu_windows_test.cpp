// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include "profiler/io/tables/gap_tables.h"
#include "tests/unit/io/traced_gpus.h"

namespace lanelab {
namespace {

std::string outsideOf(const TracedGpus& file) { return outsideSentence(explainIdle(*importedFrom(file.text()))); }

TEST(GpuWindows, WithoutStepsNameNone) {
  TracedGpus file;
  file.kernel("0", 0, 10, 40).kernel("0", 0, 60, 40);
  const auto imported = importedFrom(file.text());
  const IdleCauses causes = explainIdle(*imported);
  EXPECT_EQ(gapRows(*imported->trace, causes, 9, std::nullopt, 0)[1][3], "");
  file.step("900", 4, 0, 110);
  const auto with_step = importedFrom(file.text());
  EXPECT_EQ(gapRows(*with_step->trace, explainIdle(*with_step), 9, std::nullopt, 0)[1][3], "4");
  TracedGpus full;
  full.kernel("0", 0, 10, 40).kernel("0", 0, 50, 40).kernel("0", 0, 200, 5, 0, "copy", "gpu_memcpy", 9);
  EXPECT_EQ(idleSentence(explainIdle(*importedFrom(full.text()))).message,
            "No lane is idle between its first and its last kernel.")
      << "the copy behind it is in no window";
}

TEST(GpuWindows, AStepEndsWithTheLastWorkThatItLaunched) {
  TracedGpus file;
  for (int i = 0; i < 4; ++i) file.call("900", 10 * i, 5, i + 1).kernel("0", 0, 20 + 30 * i, 25, i + 1);
  file.step("900", 0, 0, 20).step("900", 1, 20, 20);
  EXPECT_EQ(gapsOf(file), "GPU 0: window 135 busy 100 host 5 unresolved 30") << "0-75 and 75-135";
  EXPECT_EQ(outsideOf(file), "");
}

TEST(GpuWindows, AStepBeginsAfterTheWorkThatWasLaunchedBeforeIt) {
  TracedGpus file;
  file.call("900", 0, 5, 1).kernel("0", 0, 10, 50, 1);
  file.call("900", 30, 5, 2).kernel("0", 0, 70, 10, 2).step("900", 4, 20, 20);
  EXPECT_EQ(gapsOf(file), "GPU 0: window 20 busy 10 unresolved 10 outside 50");
  EXPECT_EQ(outsideOf(file),
            "83.3 % of the GPU's work, 50.0 µs, is outside of the steps, before the first, after the last or between "
            "them, and is not counted above. --windows trace counts it.");
  EXPECT_EQ(gapsOf(*importedFrom(file.text()), ImportedWindows::Trace), "GPU 0: window 70 busy 60 unresolved 10");
}

TEST(GpuWindows, WindowsAndOutsideAddUpToAllKernels) {
  TracedGpus file;
  file.kernel("0", 0, 0, 10).kernel("0", 0, 5, 10, 0, "ncclDevKernel_AllReduce", "kernel", 8);
  file.call("900", 20, 2, 3).kernel("0", 0, 25, 10, 3).step("900", 0, 20, 10);
  file.kernel("0", 0, 60, 5).kernel("0", 0, 66, 7, 0, "ncclDevKernel_AllReduce", "kernel", 8);
  EXPECT_EQ(gapsOf(file), "GPU 0: window 15 busy 10 host 2 unresolved 3 outside 15 outside communication 17");
  EXPECT_EQ(outsideOf(file),
            "76.2 % of the GPU's work, 32.0 µs (17.0 µs of it communication), is outside of the steps, before the "
            "first, after the last or between them, and is not counted above. --windows trace counts it.");
}

TEST(GpuWindows, EachRankHasItsOwnSteps) {
  TracedGpus file;
  file.step("900", 5, 0, 100).call("900", 10, 5, 1).kernel("0", 0, 20, 50, 1);
  file.step("901", 5, 9000, 200).call("901", 9010, 5, 2).kernel("1", 1, 9020, 50, 2);
  EXPECT_EQ(gapsOf(file),
            "GPU 0: window 100 busy 50 host 15 unresolved 35; GPU 1: window 200 busy 50 host 15 "
            "unresolved 135");
  EXPECT_EQ(stepsSentence(explainIdle(*importedFrom(file.text()))),
            "Processes of this trace begin the same step up to 9.00 ms apart: each lane has the steps of its own "
            "process.");
  const auto imported = importedFrom(file.text());
  EXPECT_EQ(stepsSentence(explainImported(*imported->trace, imported.get(), ImportedWindows::Trace)), "")
      << "no lane has steps then";
}

TEST(GpuWindows, WithoutAnyLaunchOneProcessHasTheStepsAndOfTwoNoneIsTold) {
  TracedGpus file;
  file.step("900", 5, 0, 100).kernel("0", 0, 20, 50);
  EXPECT_EQ(gapsOf(file), "GPU 0: window 100 busy 50 unresolved 50");
  file.step("901", 5, 30, 100);
  EXPECT_EQ(gapsOf(file), "GPU 0: window 50 busy 50");
  EXPECT_EQ(stepsSentence(explainIdle(*importedFrom(file.text()))),
            "Processes of this trace begin the same step up to 30.0 µs apart: each lane has the steps of its own "
            "process. The file does not show which steps belong to 1 lane, whose window is from the first to the last "
            "kernel.");
}

TEST(GpuWindows, StepsOfAProcessThatLaunchesNothingAreThoseOfAllAndOfOneThatDoesAreItsOwn) {
  TracedGpus file;
  file.step("7", 5, 0, 100).call("900", 10, 5, 1).kernel("0", 0, 20, 50, 1);
  EXPECT_EQ(gapsOf(file), "GPU 0: window 100 busy 50 host 15 unresolved 35");
  file.call("7", 30, 5, 9).kernel("1", 1, 40, 30, 9);
  EXPECT_EQ(gapsOf(file), "GPU 0: window 50 busy 50; GPU 1: window 100 busy 30 host 35 unresolved 35");
}

TEST(GpuWindows, AStepThatIsMarkedTwiceIsTwoWindowsUnlessTheyTouch) {
  TracedGpus file;
  for (const int start : {0, 5000}) {
    file.step("900", 2, start, 100);
    file.call("900", start, 5, start + 1).kernel("0", 0, start + 20, 50, start + 1);
  }
  EXPECT_EQ(gapsOf(file), "GPU 0: window 200 busy 100 host 10 unresolved 90");
  file.step("900", 2, 50, 100);
  EXPECT_EQ(gapsOf(file), "GPU 0: window 250 busy 100 host 10 unresolved 140");
}

TEST(GpuWindows, ADeviceInTheArgumentsIsALaneWhateverTheRow) {
  TracedGpus file;
  file.kernel("4242", 0, 0, 10).kernel("4242", 3, 10, 10).kernel("4242", 0, 20, 10).kernel("4242", 3, 30, 10);
  EXPECT_EQ(gapsOf(file), "GPU 0: window 30 busy 20 unresolved 10; GPU 3: window 30 busy 20 unresolved 10");
}

TEST(GpuWindows, LanesHaveNamesThatTellThemApart) {
  TracedGpus labels;
  labels.process("0", "rank 0 GPU", "GPU 0").process("1000", "rank 1 GPU", "GPU 0");
  labels.kernel("0", 0, 0, 10).kernel("1000", 0, 0, 10);
  EXPECT_EQ(gapsOf(labels), "rank 0 GPU GPU 0: window 10 busy 10; rank 1 GPU GPU 0: window 10 busy 10");
  TracedGpus pids;
  pids.process("0", "python", "GPU 0").process("1000", "python", "GPU 0");
  pids.kernel("0", 0, 0, 10).kernel("1000", 0, 0, 10);
  EXPECT_EQ(gapsOf(pids), "GPU 0 of process 0: window 10 busy 10; GPU 0 of process 1000: window 10 busy 10");
}

}  // namespace
}  // namespace lanelab
