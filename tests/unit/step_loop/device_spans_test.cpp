// SPDX-License-Identifier: GPL-3.0-only
// What the loop records of times that are not the host's actions: those that a device measures itself, waits for a
// device, and what a worker does between actions.
#include "profiler/analysis/idle_causes.h"
#include "tests/unit/step_loop/recorded_spans.h"

namespace lanelab {
namespace {

// Does nothing, except what a test has it do beside its actions.
class IdleWorker : public LaneWorker {
 public:
  IdleWorker(Nanoseconds input, Nanoseconds between) : m_input(input), m_between(between) {}
  TimeRange beginStep(const StepCommand&) override { return {}; }
  bool awaitInput(const Packet&) override {
    keepBusy(m_input);
    return m_input > 0;
  }
  Packet perform(const Action&, Packet) override { return std::make_shared<int>(0); }
  void betweenActions() override { keepBusy(m_between); }
  double endStep() override { return 0; }

 private:
  Nanoseconds m_input, m_between;
};

std::shared_ptr<const Trace> recordedBeside(const Plan& plan, Nanoseconds input, Nanoseconds between) {
  StepLoop loop(plan.lanes, lanesOfStages(plan.stages), plan.schedule);
  EXPECT_TRUE(loop.start([&](LaneId) { return std::make_unique<IdleWorker>(input, between); }).ok());
  TraceBuilder builder("test", plan.lanes);
  EXPECT_TRUE(loop.run(1, &builder, {}, {}).failure.ok());
  return builder.snapshot();
}

TEST(DeviceSpans, TheWaitForTheSendersDeviceIsSynchronisationAndNoCompute) {
  constexpr Nanoseconds kWait = 5'000'000;
  const auto trace = recordedBeside(planOf({0, 1}, 2, "gpipe", 2), kWait, 0);
  const std::vector<Span> waits = hostSpans(*trace, 1, Category::Sync);
  ASSERT_EQ(waits.size(), 2u);
  EXPECT_EQ(trace->nameOf(waits[0]), "wait for the device to end 0F0");
  EXPECT_GE(waits[0].range().length(), kWait);
  const std::vector<Span> actions = spansOf(*trace, 1, Track::Kind::Compute);
  EXPECT_EQ(trace->nameOf(actions[0]), "1F0");
  EXPECT_EQ(actions[0].start, waits[0].end);
  EXPECT_EQ(actions[0].mark, waits[0].end);
  EXPECT_GT(explainIdle(*trace).lanes[1].causes[Cause::Sync], kWait / 2) << "what is left after the transfer";
}

TEST(DeviceSpans, WhatRecordingTakesBetweenActionsIsTheProfilers) {
  constexpr Nanoseconds kRecording = 1'000'000;
  const auto trace = recordedBeside(planOf({0}, 1, "gpipe", 2), 0, kRecording);
  const std::vector<Span> actions = spansOf(*trace, 0, Track::Kind::Compute);
  ASSERT_EQ(actions.size(), 5u);
  const std::vector<Span> recording = hostSpans(*trace, 0, Category::Profiler);
  ASSERT_EQ(recording.size(), 4u) << "nothing waits for it after the last action";
  for (std::size_t i = 0; i < recording.size(); ++i) {
    EXPECT_EQ(trace->nameOf(recording[i]), "recording");
    EXPECT_GE(recording[i].range().length(), kRecording);
    EXPECT_LE(actions[i].end, recording[i].start);
    EXPECT_LE(recording[i].end, actions[i + 1].start);
  }
  EXPECT_GE(explainIdle(*trace).lanes[0].causes[Cause::Profiler], 4 * kRecording);
}

// A device that tells its own times: action i took from 1000 i to 1000 i + 900.
class AsynchronousWorker : public LaneWorker, public ActionClock {
 public:
  TimeRange beginStep(const StepCommand&) override {
    m_begun = m_ended = 0;
    return {};
  }
  Packet perform(const Action&, Packet) override { return nullptr; }
  double endStep() override { return 0; }
  ActionClock* deviceClock() override { return this; }
  void begin(std::size_t index) override { EXPECT_EQ(index, m_begun++); }
  void end(std::size_t index) override { EXPECT_EQ(index, m_ended++); }
  TimeRange time(std::size_t index) const override {
    const auto start = static_cast<Nanoseconds>(index) * 1000;
    return {start, start + 900};
  }

 private:
  std::size_t m_begun = 0, m_ended = 0;
};

TEST(DeviceSpans, AsynchronousDevicesGiveTheirOwnTimes) {
  const Plan plan = planOf({0, 0}, 1, "gpipe", 2);
  StepLoop loop(plan.lanes, lanesOfStages(plan.stages), plan.schedule);
  ASSERT_TRUE(loop.start([](LaneId) { return std::make_unique<AsynchronousWorker>(); }).ok());
  TraceBuilder builder("test", plan.lanes);
  const Nanoseconds before = monotonicNow();
  ASSERT_TRUE(loop.run(1, &builder, {}, {}).failure.ok());
  const auto trace = builder.snapshot();
  const std::vector<Span> spans = spansOf(*trace, 0, Track::Kind::Compute);
  ASSERT_EQ(spans.size(), 5u);  // F0 F1 B0 B1 U
  EXPECT_EQ(spans[3].range(), (TimeRange{3000, 3900}));
  EXPECT_EQ(spans[3].cpu, -1) << "the host's thread did not do the work";
  EXPECT_GT(spans[3].mark, before);  // when the host had handed it over
  EXPECT_EQ(spansOf(*trace, 0, Track::Kind::Step).front().range(), (TimeRange{0, 4900}));
}
}  // namespace
}  // namespace lanelab
