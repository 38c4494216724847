// SPDX-License-Identifier: GPL-3.0-only
// A schedule over two loops, as two processes run it: what crosses is carried, recorded at both ends, and becomes one
// transfer.
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

#include "profiler/analysis/idle_causes.h"
#include "profiler/trace/joined_trace.h"
#include "tests/unit/step_loop/loop_world.h"

namespace lanelab {
namespace {

/// Packets under way from one lane to another.
class Pipe {
 public:
  void put(const Packet& packet) {
    const std::lock_guard lock(m_mutex);
    m_packets.push_back(packet);
    m_changed.notify_all();
  }
  Packet take() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return !m_packets.empty(); });
    Packet packet = std::move(m_packets.front());
    m_packets.pop_front();
    return packet;
  }

 private:
  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::deque<Packet> m_packets;
};

using Pipes = std::map<std::pair<LaneId, LaneId>, Pipe>;

class PipeEnd final : public PacketCarrier {
 public:
  explicit PipeEnd(Pipe& pipe) : m_pipe(pipe) {}
  void send(int, const Packet& packet) override { m_pipe.put(packet); }
  Packet receive(int) override { return m_pipe.take(); }

 private:
  Pipe& m_pipe;
};

/// Lane `own` of a plan, and what it records.
struct Half {
  Half(const Plan& plan, Pipes& pipes, std::size_t own)
      : world(plan), builder("half", plan.lanes), loop(plan.lanes, lanesOfStages(plan.stages), plan.schedule) {
    std::vector<bool> here(plan.lanes.size());
    here[own] = true;
    const auto carrier = [&](const LinkPlan& link) { return std::make_unique<PipeEnd>(pipes[{link.from, link.to}]); };
    const Status started =
        loop.start([this](LaneId lane) { return std::make_unique<CheckingWorker>(world, lane); }, {here, carrier, {}});
    EXPECT_TRUE(started.ok()) << messageOf(started);
  }

  World world;
  TraceBuilder builder;
  StepLoop loop;
};

/// What both halves record of so many steps.
std::vector<TracePart> recordedByHalves(const Plan& plan, int steps) {
  Pipes pipes;
  Half first(plan, pipes, 0), second(plan, pipes, 1);
  const auto run = [&](Half& half) { return half.loop.run(steps, &half.builder, {}, {}).failure; };
  auto there = std::async(std::launch::async, [&] { return run(second); });
  const Status here = withinLimit([&] { return run(first); });
  EXPECT_TRUE(here.ok()) << messageOf(here);
  const Status other = withinLimit([&] { return there.get(); });
  EXPECT_TRUE(other.ok()) << messageOf(other);
  EXPECT_EQ(first.world.wrong + second.world.wrong, 0);
  return {{first.builder.snapshot(), {}}, {second.builder.snapshot(), {}}};
}

class TwoHalves : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Of, TwoHalves, ::testing::Values("gpipe", "1f1b", "zb-h1"), [](const auto& test) {
  std::string name = test.param;
  std::erase(name, '-');
  return name;
});

TEST_P(TwoHalves, RecordEachCrossingAsOneTransferBetweenItsActions) {
  const int steps = 3, micro_batches = 4;
  const auto joined = joinTraces(recordedByHalves(planOf({0, 1}, 2, GetParam(), micro_batches), steps));
  std::map<std::string, TimeRange> actions;
  const auto key = [&](const Span& span) { return std::to_string(span.step) + ":" + joined->nameOf(span); };
  for (const Track& track : joined->tracks)
    if (track.kind == Track::Kind::Compute)
      for (const Span& span : track.spans) actions[key(span)] = span.range();
  int transfers = 0;
  for (const Track& track : joined->tracks) {
    if (track.kind != Track::Kind::Transfer) continue;
    for (const Span& span : track.spans) {
      ++transfers;
      std::string sent = key(span);
      sent.erase(sent.find("send "), 5);
      ASSERT_TRUE(actions.count(sent)) << sent;
      EXPECT_EQ(span.mark, actions[sent].end) << sent;
      EXPECT_LE(span.mark, span.start) << sent;
      std::string taken = sent;
      taken[taken.find(':') + 1] = taken[taken.find(':') + 1] == '0' ? '1' : '0';
      ASSERT_TRUE(actions.count(taken)) << taken;
      EXPECT_LT(actions[sent].end, actions[taken].start) << "cause before effect";
    }
  }
  EXPECT_EQ(transfers, steps * micro_batches * 2);
}

TEST_P(TwoHalves, ExplainEachNanosecondOfBothLanes) {
  const auto joined = joinTraces(recordedByHalves(planOf({0, 1}, 2, GetParam(), 4), 3));
  const IdleCauses causes = explainIdle(*joined);
  ASSERT_EQ(causes.lanes.size(), 2u);
  EXPECT_EQ(causes.lanes[0].window, causes.lanes[1].window);
  for (const LaneCauses& lane : causes.lanes) {
    EXPECT_GT(lane.busy, 0);
    EXPECT_EQ(lane.busy + lane.idle, lane.window);
    EXPECT_EQ(lane.causes.total(), lane.idle);
    EXPECT_EQ(lane.causes[Cause::Unresolved], 0);
  }
}

}  // namespace
}  // namespace lanelab
