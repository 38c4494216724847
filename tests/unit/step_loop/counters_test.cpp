// SPDX-License-Identifier: GPL-3.0-only
// The counters that the loop records: losses and the memory of lanes.
#include "tests/unit/step_loop/recorded_spans.h"

namespace lanelab {
namespace {

const Counter* counterOf(const Trace& trace, int lane, const std::string& name) {
  for (const Counter& counter : trace.counters) {
    if (counter.lane == lane && counter.name == name) return &counter;
  }
  return nullptr;
}

TEST(Counters, TheLossIsToldAtEachStepsEnd) {
  const auto trace = recorded(planOf({0, 1}, 2, "gpipe", 2), 3);
  const Counter* loss = counterOf(*trace, -1, "loss");
  ASSERT_TRUE(loss);
  EXPECT_EQ(loss->series, "loss");
  EXPECT_EQ(loss->values, (std::vector<double>{2, 2, 2})) << "each lane's worker gives 1";
  std::vector<Nanoseconds> ends;
  for (const Span& span : spansOf(*trace, 0, Track::Kind::Step)) ends.push_back(span.end);
  EXPECT_EQ(loss->times, ends);
}

TEST(Counters, ALaneWhoseWorkerCountsItsMemoryTellsItAtMostEveryMillisecond) {
  struct Holding : CheckingWorker {
    using CheckingWorker::CheckingWorker;
    std::optional<std::int64_t> heldBytes() const override { return 4096; }
  };
  const Plan plan = planOf({0, 1}, 2, "gpipe", 8);
  World world(plan);
  StepLoop loop(plan.lanes, lanesOfStages(plan.stages), plan.schedule);
  ASSERT_TRUE(loop.start([&](LaneId lane) -> std::unique_ptr<LaneWorker> {
                    if (lane.value == 0) return std::make_unique<Holding>(world, lane);
                    return std::make_unique<CheckingWorker>(world, lane);
                  })
                  .ok());
  TraceBuilder builder("test", plan.lanes);
  ASSERT_TRUE(withinLimit([&] { return loop.run(20, &builder, {}, {}); }).failure.ok());
  const auto trace = builder.snapshot();
  EXPECT_FALSE(counterOf(*trace, 1, "memory")) << "nobody counts there";
  const Counter* memory = counterOf(*trace, 0, "memory");
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->series, "bytes");
  ASSERT_FALSE(memory->times.empty());
  for (const double value : memory->values) EXPECT_EQ(value, 4096);
  for (std::size_t i = 1; i < memory->times.size(); ++i) EXPECT_GE(memory->times[i] - memory->times[i - 1], 1'000'000);
}
}  // namespace
}  // namespace lanelab
