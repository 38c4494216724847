// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/machine_load.h"

#include <gtest/gtest.h>

#include "engine/record/run_trust.h"
#include "tests/unit/experiment/small_experiment.h"

namespace lanelab {
namespace {

TEST(CpuSeconds, AreOfTheLineOfAllCores) {
  const auto seconds = parseCpuSeconds("cpu  100 20 30 400 50 6 7 8 900 10\ncpu0 1 1 1 1\n", 100);
  ASSERT_TRUE(seconds);
  EXPECT_DOUBLE_EQ(seconds->busy, 1.71) << "user, nice, system, interrupts and what the host took";
  EXPECT_DOUBLE_EQ(seconds->idle, 4.5) << "idle and waiting for disks";
}

TEST(CpuSeconds, AreNothingOfAnotherFile) {
  for (const char* text : {"", "cpu", "cpu0 1 2 3 4 5 6 7 8", "cpu 1 2 3", "intr 1 2 3 4 5 6 7 8"})
    EXPECT_FALSE(parseCpuSeconds(text, 100)) << text;
  EXPECT_FALSE(parseCpuSeconds("cpu 1 2 3 4 5 6 7 8", 0));
}

TEST(MachineLoad, LeavesOutThisProcess) {
  struct Case {
    const char* what;
    CpuSeconds after;
    std::optional<MachineLoad> load;
  };
  const CpuSeconds before{10, 100, 5};
  for (const Case& each : {Case{"nothing runs", {10, 102, 5}, MachineLoad{0, 4}},
                           Case{"this process alone", {11, 101, 6}, MachineLoad{0, 4}},
                           Case{"others on half of all cores", {11, 101, 5}, MachineLoad{2, 4}},
                           Case{"both", {12, 100, 6}, MachineLoad{2, 4}},
                           Case{"own time is counted later", {10, 102, 7}, MachineLoad{0, 4}},
                           Case{"no time passed", before, std::nullopt}})
    EXPECT_EQ(loadBetween(before, each.after, 4), each.load) << each.what;
  EXPECT_FALSE(loadBetween(before, {11, 101, 5}, 0));
}

TEST(LoadText, NamesLoadThatTheLanesHaveToShare) {
  Experiment experiment = test::smallExperiment();
  VariantConfig pipeline = experiment.variants[0];
  pipeline.name = "Pipeline";
  pipeline.strategy = Strategy::Pipeline;
  pipeline.lanes.reset();
  pipeline.cuts = {{"second"}};
  struct Case {
    bool two_lanes;
    MachineLoad load;
    const char* text;
  };
  for (const Case& each :
       {Case{false, {0.9, 2}, ""}, Case{false, {1.5, 2}, "other programs used 1.50 of 2 cores"},
        Case{true, {0.3, 2}, ""}, Case{true, {0.9, 2}, "other programs used 0.900 of 2 cores"},
        Case{true, {13, 16}, ""}, Case{true, {1, 1}, "other programs used 1.00 of 1 core"}, Case{true, {1, 0}, ""}}) {
    experiment.variants.resize(1);
    if (each.two_lanes) experiment.variants.push_back(pipeline);
    EXPECT_EQ(loadText(each.load, experiment).message, each.text) << each.load.busy_cores << " of " << each.load.cores;
  }
}

}  // namespace
}  // namespace lanelab
