// SPDX-License-Identifier: GPL-3.0-only
// Own runs on GPUs: actions by the device's times, beside the kernels and copies that they launched.
#include <gtest/gtest.h>

#include "profiler/analysis/idle_causes.h"
#include "tests/unit/analysis/pipeline_world.h"

namespace lanelab {
namespace {

/// Two lanes with a row each for actions and for their stream.
struct GpuRun {
  Trace trace;

  GpuRun(const std::string& left, const std::string& right) {
    for (const std::string& device : {left, right}) {
      const auto lane = static_cast<int>(trace.lanes.size());
      trace.lanes.push_back({device, device});
      trace.tracks.push_back({lane, Track::Kind::Compute, "compute", {}});
      trace.tracks.push_back({lane, Track::Kind::Stream, "stream 7", {}});
    }
  }

  /// `handed` is when the host had launched all of it.
  void action(int lane, const std::string& name, Nanoseconds start, Nanoseconds end, Nanoseconds handed) {
    add(lane, 0, Category::Action, name, start, end, handed);
  }
  /// On the stream of `lane`, of the action `owner`; `launched` is the end of its launch call.
  void kernel(int lane, const std::string& owner, Nanoseconds start, Nanoseconds end, Nanoseconds launched) {
    add(lane, 1, Category::Kernel, owner, start, end, launched);
  }
  void copy(int lane, const std::string& owner, Nanoseconds start, Nanoseconds end, Nanoseconds launched) {
    add(lane, 1, Category::Memcpy, owner, start, end, launched);
  }
  std::string told(std::size_t lane) const { return lanelab::told(trace, explainIdle(trace).lanes[lane]); }

 private:
  void add(int lane, std::size_t row, Category category, const std::string& name, Nanoseconds start, Nanoseconds end,
           Nanoseconds mark) {
    const Action action = parseAction(name).value();
    Span span;
    span.start = start;
    span.end = end;
    span.mark = mark;
    span.step = 0;
    span.stage = static_cast<std::int16_t>(action.stage.value);
    span.micro_batch = static_cast<std::int16_t>(action.micro_batch.value);
    span.phase = action.kind == ActionKind::Forward    ? Phase::Forward
                 : action.kind == ActionKind::Backward ? Phase::Backward
                                                       : Phase::Update;
    span.category = category;
    span.name = static_cast<std::uint32_t>(trace.names.size());
    trace.names.push_back(name);
    trace.tracks[static_cast<std::size_t>(lane) * 2 + row].spans.push_back(span);
  }
};

TEST(GpuCauses, AHostThatLaunchesTooSlowlyIsLaunchBound) {
  GpuRun run("cuda:0", "cuda:1");
  run.action(0, "0F0", 0, 10, 3);
  run.kernel(0, "0F0", 1, 10, 2);
  run.action(0, "0F1", 30, 40, 50);
  run.kernel(0, "0F1", 31, 40, 30);
  EXPECT_EQ(run.told(0), "10-30 before 0F1: host 10-30");
}

TEST(GpuCauses, ADeviceThatWaitsForACopyIsNoLateHost) {
  // The host goes on launching 1F0 until 30, but its first kernel was out at 8: what holds the lane up is lane 0, then
  // the link.
  GpuRun run("cuda:0", "cuda:1");
  run.action(0, "0F0", 0, 10, 4);
  run.kernel(0, "0F0", 0, 10, 2);
  run.action(1, "1F0", 21, 40, 30);
  run.kernel(1, "1F0", 30, 40, 28);
  run.kernel(1, "1F0", 21, 30, 8);
  EXPECT_EQ(run.told(1), "0-21 before 1F0: fill 0-10, unresolved 10-21") << "no copy was recorded";
  run.copy(0, "1F0", 12, 20, 6);  // the receiving lane launches it, on the sender's stream
  run.copy(1, "1F0", 25, 26, 9);  // within the action, so no transfer
  EXPECT_EQ(run.told(1), "0-21 before 1F0: fill 0-10, transfer_queued 10-12, transfer 12-20, unresolved 20-21");
}

TEST(GpuCauses, ACopyInTwoPartsIsOneTransfer) {
  GpuRun run("cuda:0", "cuda:1");
  run.action(0, "0F0", 0, 10, 4);
  run.action(1, "1F0", 21, 40, 8);
  run.copy(0, "1F0", 16, 20, 6);
  run.copy(0, "1F0", 11, 15, 5);
  EXPECT_EQ(run.told(1), "0-21 before 1F0: fill 0-10, transfer_queued 10-11, transfer 11-20, unresolved 20-21");
}

TEST(GpuCauses, LanesOfOneGpuContendOnceTheFirstKernelIsOut) {
  GpuRun run("cuda:0", "cuda:0");
  run.action(0, "0F0", 0, 10, 4);
  run.action(0, "0F1", 10, 30, 9);
  run.action(1, "1F0", 28, 40, 36);
  run.kernel(1, "1F0", 28, 40, 14);
  EXPECT_EQ(run.told(1), "0-28 before 1F0: fill 0-10, host 10-14, contention 14-28");
}

TEST(GpuCauses, AnUpdateKnowsItsKernelsToo) {
  GpuRun run("cuda:0", "cuda:1");
  run.action(0, "0F0", 0, 10, 4);
  run.action(0, "0U", 20, 30, 28);
  run.kernel(0, "0U", 20, 30, 13);
  EXPECT_EQ(run.told(0), "10-20 before 0U: host 10-13, unresolved 13-20");
}

TEST(GpuCauses, WithoutKernelsTheHostHandsAnActionOverAsAWhole) {
  GpuRun run("cuda:0", "cuda:1");
  run.action(0, "0F0", 0, 10, 4);
  run.action(0, "0F1", 20, 30, 16);
  EXPECT_EQ(run.told(0), "10-20 before 0F1: host 10-16, unresolved 16-20");
  run.kernel(0, "0F0", 1, 10, 15);  // of another action
  EXPECT_EQ(run.told(0), "10-20 before 0F1: host 10-16, unresolved 16-20");
}

}  // namespace
}  // namespace lanelab
