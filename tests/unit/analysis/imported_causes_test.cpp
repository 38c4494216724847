// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/idle_causes.h"
#include "profiler/analysis/idle_waterfall.h"

#include <gtest/gtest.h>

#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {
namespace {

/// A process of a GPU with two streams, and the host's process with one thread.
struct ImportedWorld {
  Trace trace;

  ImportedWorld() {
    trace.lanes = {{"python", ""}, {"GPU 0", ""}};
    trace.tracks = {{0, Track::Kind::Host, "main", {}},
                    {0, Track::Kind::Host, "autograd", {}},
                    {1, Track::Kind::Stream, "stream 7", {}},
                    {1, Track::Kind::Stream, "stream 20", {}}};
  }
  EditedSpan span(std::size_t track, Category category, const std::string& name, Nanoseconds start, Nanoseconds end) {
    Span span;
    span.start = start;
    span.end = end;
    span.category = category;
    span.name = static_cast<std::uint32_t>(trace.names.size());
    trace.names.push_back(name);
    return appended(trace, track, span);
  }
  EditedSpan kernel(std::size_t track, const std::string& name, Nanoseconds start, Nanoseconds end,
                    Nanoseconds launched = 0) {
    const EditedSpan made = span(track, Category::Kernel, name, start, end);
    made->mark = launched;
    return made;
  }
  std::string told() const {
    std::string text;
    for (const LaneCauses& lane : explainIdle(trace).lanes)
      text += (text.empty() ? "" : " | ") + lane.name + ": " + lanelab::told(trace, lane);
    return text;
  }
};

TEST(ImportedCauses, AGpuIsBusyWhileAnyOfItsKernelsRuns) {
  ImportedWorld world;
  world.kernel(2, "gemm", 100, 200);
  world.kernel(3, "relu", 150, 260);
  world.span(2, Category::Memcpy, "copy", 260, 300);
  world.kernel(2, "conv", 320, 400);
  const IdleCauses causes = explainIdle(world.trace);
  ASSERT_EQ(causes.lanes.size(), 1u);
  EXPECT_EQ(causes.lanes[0].window, 300);
  EXPECT_EQ(causes.lanes[0].busy, 240);
  EXPECT_EQ(world.told(), "GPU 0: 260-320 before conv: transfer 260-300, unresolved 300-320");
  EXPECT_TRUE(idleWaterfall(world.trace, causes).empty()) << "its order is not known";
}

TEST(ImportedCauses, CommunicationIsNoComputeAndItsExposedPartIsIdleTime) {
  ImportedWorld world;
  world.kernel(2, "gemm", 0, 100);
  world.kernel(2, "gelu", 150, 200, 140);
  world.span(3, Category::Communication, "all-reduce", 60, 120);
  world.span(3, Category::Communication, "all-gather", 110, 130);
  world.span(3, Category::Memcpy, "copy", 125, 145);
  world.span(3, Category::Memset, "zero", 190, 210);
  world.span(3, Category::Communication, "send", 220, 250);
  const LaneCauses lane = explainIdle(world.trace).lanes.at(0);
  EXPECT_EQ(lane.window, 250) << "to the end of the last kernel, also of one that communicates";
  EXPECT_EQ(lane.busy, 150) << "0-100 and 150-200";
  EXPECT_EQ(lane.idle, 100);
  ASSERT_TRUE(lane.gpu);
  EXPECT_EQ(lane.gpu->communication, 100) << "60-130 and 220-250";
  EXPECT_EQ(lane.gpu->exposed_communication, 60) << "100-130 and 220-250";
  EXPECT_EQ(lane.gpu->exposed_memory, 25) << "130-145 and 200-210";
  EXPECT_EQ(lane.gpu->inactive, 15) << "145-150 and 210-220";
  EXPECT_EQ(lane.causes[Cause::Communication], lane.gpu->exposed_communication);
  EXPECT_EQ(world.told(),
            "GPU 0: 100-150 before gelu: communication 100-130, host 130-140, unresolved 140-150; 200-250 before end: "
            "unresolved 200-220, communication 220-250");
}

TEST(ImportedCauses, OfCommunicationOnlyThePartWithinTheStepsCounts) {
  ImportedWorld world;
  world.span(0, Category::Other, "ProfilerStep#0", 100, 200);
  world.span(0, Category::Other, "ProfilerStep#1", 300, 400);
  world.kernel(2, "gemm", 120, 150);
  world.span(3, Category::Communication, "all-reduce", 50, 110);
  world.span(3, Category::Communication, "all-gather", 140, 320);
  const LaneCauses lane = explainIdle(world.trace).lanes.at(0);
  EXPECT_EQ(lane.window, 200);
  EXPECT_EQ(lane.busy, 30);
  EXPECT_EQ(lane.gpu->communication, 10 + 60 + 20);
  EXPECT_EQ(lane.gpu->exposed_communication, 10 + 50 + 20);
  EXPECT_EQ(lane.gpu->inactive, lane.idle - lane.gpu->exposed_communication);
}

TEST(ImportedCauses, AGpuThatOnlyCommunicatesIsALaneWithWork) {
  ImportedWorld world;
  world.span(2, Category::Communication, "recv", 10, 30);
  const LaneCauses lane = explainIdle(world.trace).lanes.at(0);
  EXPECT_EQ(lane.window, 20);
  EXPECT_EQ(lane.busy, 0);
  EXPECT_EQ(lane.gpu->exposed_communication, 20);
  EXPECT_TRUE(lane.hasWork());
}

TEST(ImportedCauses, ThreadsHaveNoCommunicationToTell) {
  ImportedWorld world;
  world.span(0, Category::CpuOp, "aten::relu", 0, 10);
  EXPECT_FALSE(explainIdle(world.trace).lanes.at(0).gpu);
}

TEST(ImportedCauses, UntilItsLaunchCallEndedItIsTheHost) {
  ImportedWorld world;
  world.kernel(2, "a", 0, 100);
  world.kernel(2, "b", 150, 200, 130);
  world.kernel(2, "c", 250, 300, 200);
  world.kernel(2, "d", 350, 400, 400);
  EXPECT_EQ(world.told(),
            "GPU 0: 100-150 before b: host 100-130, unresolved 130-150; 200-250 before c: unresolved 200-250; 300-350 "
            "before d: host 300-350");
}

TEST(ImportedCauses, CopiesOfOtherStreamsAreNoTransferAndTheLateLaunchGoesFirst) {
  ImportedWorld world;
  world.kernel(2, "a", 0, 100);
  world.span(3, Category::Memcpy, "other stream", 100, 200);
  world.span(2, Category::Memcpy, "own stream", 120, 160);
  world.kernel(2, "b", 200, 300, 140);
  EXPECT_EQ(world.told(), "GPU 0: 100-200 before b: host 100-140, transfer 140-160, unresolved 160-200");
}

TEST(ImportedCauses, WindowsAreTheHostsProfilerSteps) {
  ImportedWorld world;
  world.span(0, Category::Other, "ProfilerStep#3", 0, 100);
  world.span(0, Category::Other, "ProfilerStep#4", 100, 200);
  world.span(2, Category::Other, "ProfilerStep#3", 50, 150);
  world.span(0, Category::Other, "ProfilerStep#x", 0, 900);
  world.kernel(2, "a", 40, 60);
  world.kernel(2, "b", 90, 120);
  world.kernel(2, "outside", 300, 400);
  EXPECT_EQ(world.told(),
            "GPU 0: 0-40 before a: unresolved 0-40; 60-90 before b: unresolved 60-90; 120-200 before end: unresolved "
            "120-200");
  EXPECT_EQ(explainIdle(world.trace).lanes[0].gaps[0].step, 3);
  EXPECT_EQ(explainIdle(world.trace).lanes[0].gaps[2].step, 4);
}

TEST(ImportedCauses, StepsThatOnlyTheGpuHasServeToo) {
  ImportedWorld world;
  world.span(2, Category::Other, "ProfilerStep#0", 50, 150);
  world.kernel(2, "a", 60, 160);
  EXPECT_EQ(world.told(), "GPU 0: 50-60 before a: unresolved 50-60");
}

TEST(ImportedCauses, WithoutKernelsThreadsWithOperatorsAreLanes) {
  ImportedWorld world;
  world.span(0, Category::CpuOp, "aten::conv2d", 0, 100);
  world.span(0, Category::CpuOp, "aten::convolution", 10, 90);
  world.span(0, Category::CpuOp, "aten::relu", 130, 150);
  world.span(1, Category::CpuOp, "ConvolutionBackward0", 200, 300);
  world.span(1, Category::Runtime, "cudaLaunchKernel", 300, 400);
  EXPECT_EQ(world.told(), "python / main: 100-130 before aten::relu: unresolved 100-130 | python / autograd: ");
}

TEST(ImportedCauses, AStepMarkAmongTheOperatorsIsAWindowAndNoWork) {
  ImportedWorld world;
  world.span(0, Category::CpuOp, "ProfilerStep#1", 0, 100);
  world.span(0, Category::CpuOp, "aten::relu", 20, 30);
  EXPECT_EQ(world.told(),
            "python / main: 0-20 before aten::relu: unresolved 0-20; 30-100 before end: unresolved 30-100");
}

TEST(ImportedCauses, CausesAddUpAndBubblesAreNotClaimed) {
  ImportedWorld world;
  world.kernel(2, "a", 0, 10);
  world.kernel(3, "b", 25, 30, 20);
  const IdleCauses causes = explainIdle(world.trace);
  EXPECT_EQ(causes.lanes[0].causes.total(), causes.lanes[0].idle);
  EXPECT_EQ(causes.lanes[0].causes[Cause::Fill] + causes.lanes[0].causes[Cause::Drain], 0);
}

ImportedTrace importedOf(const ImportedWorld& world) {
  ImportedTrace imported;
  imported.trace = std::make_shared<const Trace>(world.trace);
  imported.processes.resize(2);
  imported.processes[1].labels = "GPU 0";
  imported.rows.resize(world.trace.tracks.size());
  for (std::size_t i = 0; i < imported.rows.size(); ++i) {
    imported.rows[i].process = i < 2 ? 0 : 1;
    imported.rows[i].tid = imported.rows[i].part_of = {std::to_string(i), false};
  }
  return imported;
}

TEST(ImportedCauses, RowsOfOneStreamAreOneStreamAndDevicesAreLanes) {
  ImportedWorld world;
  world.kernel(2, "a", 0, 10);
  world.kernel(2, "b", 30, 40);
  world.span(3, Category::Memcpy, "overlapped", 15, 25);
  ImportedTrace imported = importedOf(world);
  imported.rows[2].stream = imported.rows[3].stream = 7;
  imported.rows[2].device = imported.rows[3].device = 0;
  const auto toldOf = [](const ImportedTrace& file) {
    std::string text;
    for (const LaneCauses& lane : explainIdle(file).lanes)
      text += (text.empty() ? "" : " | ") + lane.name + ": " + told(*file.trace, lane);
    return text;
  };
  EXPECT_EQ(toldOf(imported), "GPU 0: 10-30 before b: unresolved 10-15, transfer 15-25, unresolved 25-30");
  imported.rows[3].stream = 8;
  EXPECT_EQ(toldOf(imported), "GPU 0: 10-30 before b: unresolved 10-30");
  world.kernel(3, "c", 50, 60);
  imported = importedOf(world);
  imported.rows[2].device = 0;
  imported.rows[3].device = 1;
  EXPECT_EQ(toldOf(imported), "GPU 0: 10-30 before b: unresolved 10-30 | GPU 1: ");
}

TEST(ImportedCauses, FurtherRowsOfAThreadBelongToIt) {
  ImportedWorld world;
  world.span(0, Category::CpuOp, "a", 0, 10);
  world.span(1, Category::CpuOp, "b", 5, 20);
  ImportedTrace imported = importedOf(world);
  imported.rows[1].part = 1;
  imported.rows[1].part_of = imported.rows[0].tid;
  const IdleCauses causes = explainIdle(imported);
  ASSERT_EQ(causes.lanes.size(), 1u);
  EXPECT_EQ(causes.lanes[0].name, "python / main");
  EXPECT_EQ(causes.lanes[0].busy, 20);
}

}  // namespace
}  // namespace lanelab
