// SPDX-License-Identifier: GPL-3.0-only
// A tiny world for the step loop: workers that check what they are given, random legal schedules, and a limit for every
// wait.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "engine/lanes/step_loop.h"
#include "engine/schedule/check.h"
#include "engine/schedule/generate.h"

namespace lanelab {

/// Ends the test program when `work` hangs: a stuck lane cannot be taken back.
template <class Work>
auto withinLimit(const Work& work) {
  auto result = std::async(std::launch::async, work);
  if (result.wait_for(std::chrono::seconds(30)) != std::future_status::ready) {
    std::fputs("The step loop hangs.\n", stderr);
    std::abort();
  }
  return result.get();
}

struct Plan {
  std::vector<LaneInfo> lanes;
  std::vector<Stage> stages;
  Schedule schedule;
};

inline std::vector<LaneInfo> cpuLanes(int count) {
  std::vector<LaneInfo> lanes;
  for (int i = 0; i < count; ++i) lanes.push_back({"cpu:" + std::to_string(i), "cpu:" + std::to_string(i)});
  return lanes;
}

/// lane_of_block read as a row of lanes, one block each.
inline Plan planOf(const std::vector<int>& lane_of_block, int lanes, const std::string& schedule, int micro_batches) {
  Placement placement;
  for (const int lane : lane_of_block) placement.lane_of_block.emplace_back(lane);
  Plan plan{cpuLanes(lanes), stagesOf(placement), {}};
  std::vector<LaneId> lane_of_stage;
  for (const Stage& stage : plan.stages) lane_of_stage.push_back(stage.lane);
  plan.schedule =
      std::move(generateSchedule(*parseScheduleName(schedule), lane_of_stage, lanes, micro_batches, WindowKind::Step))
          .value();
  return plan;
}

/// Any legal order: again and again one of the actions that could be next, by chance. Backwards are whole or split, by
/// chance too.
inline Schedule randomOrder(const std::vector<Stage>& stages, int lanes, int micro_batches, std::mt19937& random) {
  const int count = static_cast<int>(stages.size());
  Schedule schedule{count, micro_batches, std::vector<std::vector<Action>>(static_cast<std::size_t>(lanes))};
  std::vector<int> chain(static_cast<std::size_t>(micro_batches),
                         0);  // each micro-batch goes through F of all stages, then B back
  std::vector<int> open;
  for (int k = 0; k < micro_batches; ++k) open.push_back(k);
  std::vector<Action> weights_left;
  const auto append = [&](const Action& action) {
    schedule.lanes[stages[action.stage.index()].lane.index()].push_back(action);
  };
  while (!open.empty() || !weights_left.empty()) {
    const std::size_t pick = random() % (open.size() + weights_left.size());
    if (pick >= open.size()) {
      const auto weight = weights_left.begin() + static_cast<std::ptrdiff_t>(pick - open.size());
      append(*weight);
      weights_left.erase(weight);
      continue;
    }
    const int k = open[pick];
    const int at = chain[static_cast<std::size_t>(k)]++;
    const int stage = at < count ? at : 2 * count - 1 - at;
    const bool split = at >= count && random() % 2 == 0;
    append({StageId(stage),
            at < count ? ActionKind::Forward
            : split    ? ActionKind::BackwardInput
                       : ActionKind::Backward,
            MicroBatchId(k)});
    if (split) weights_left.push_back({StageId(stage), ActionKind::BackwardWeight, MicroBatchId(k)});
    if (at + 1 == 2 * count) open.erase(open.begin() + static_cast<std::ptrdiff_t>(pick));
  }
  return schedule;
}

inline Plan randomPlan(std::mt19937& random) {
  const int lanes = 1 + static_cast<int>(random() % 6), blocks = 1 + static_cast<int>(random() % 9),
            micro_batches = 1 + static_cast<int>(random() % 8);
  std::vector<int> lane_of_block;
  for (int b = 0; b < blocks; ++b) lane_of_block.push_back(static_cast<int>(random() % static_cast<unsigned>(lanes)));
  const unsigned kind = random() % 3;
  Plan plan = planOf(lane_of_block, lanes, kind == 1 ? "1f1b" : "gpipe", micro_batches);
  if (kind == 2) plan.schedule = randomOrder(plan.stages, lanes, micro_batches, random);
  return plan;
}

/// One block a stage, and the rows as a person writes them: neighbouring stages may lie on one lane.
inline Plan writtenPlan(const std::vector<int>& lane_of_stage, const std::string& csv) {
  Plan plan;
  for (std::size_t s = 0; s < lane_of_stage.size(); ++s)
    plan.stages.push_back({StageId(s), LaneId(lane_of_stage[s]), BlockId(s), BlockId(s + 1)});
  plan.schedule = std::move(parseScheduleCsv(csv)).value();
  plan.lanes = cpuLanes(static_cast<int>(plan.schedule.lanes.size()));
  return plan;
}

/// What the workers of one loop share. A packet carries its step, and how far its micro-batch has come: stages of
/// forward plus stages of backward.
struct World {
  explicit World(const Plan& plan) : stages(plan.schedule.stages) {}
  const int stages;
  std::atomic<int> actions{0};
  std::atomic<int> updates{0};
  std::atomic<int> wrong{0};
  std::function<void(LaneId, const Action&, int step)> before;  ///< may throw or block
  std::function<TimeRange(LaneId, int step)> data_wait;         ///< what a lane says of its wait for data; may be empty
};

class CheckingWorker : public LaneWorker {
 public:
  CheckingWorker(World& world, LaneId lane) : m_world(world), m_lane(lane) {}

  TimeRange beginStep(const StepCommand& command) override {
    m_step = command.step;
    m_weights_left.clear();
    return m_world.data_wait ? m_world.data_wait(m_lane, m_step) : TimeRange{};
  }
  Packet perform(const Action& action, Packet input) override {
    if (m_world.before) m_world.before(m_lane, action, m_step);
    if (action.kind == ActionKind::Update) return update(action.stage);
    ++m_world.actions;
    if (action.kind == ActionKind::BackwardWeight) return backwardWeight(action);
    if (action.kind == ActionKind::BackwardInput) m_weights_left.insert({action.stage, action.micro_batch});
    return passOn(action, input);
  }
  double endStep() override { return 1; }

 private:
  struct Cargo {
    int step;
    int micro_batch;
    int stages_done;
  };

  Packet passOn(const Action& action, const Packet& input) {
    const int stage = action.stage.value;
    const bool forward = action.kind == ActionKind::Forward;
    const int stages_done = forward ? stage : 2 * m_world.stages - 1 - stage;
    const bool at_end = forward ? stage == 0 : stage + 1 == m_world.stages;
    const auto* cargo = static_cast<const Cargo*>(input.get());
    const bool right = at_end ? cargo == nullptr
                              : cargo && cargo->step == m_step && cargo->micro_batch == action.micro_batch.value &&
                                    cargo->stages_done == stages_done;
    if (!right) ++m_world.wrong;
    return std::make_shared<Cargo>(Cargo{m_step, action.micro_batch.value, stages_done + 1});
  }
  Packet backwardWeight(const Action& action) {
    if (m_weights_left.erase({action.stage, action.micro_batch}) != 1) ++m_world.wrong;
    return nullptr;
  }
  Packet update(StageId stage) {
    for (const auto& [waiting, k] : m_weights_left) m_world.wrong += waiting == stage;
    ++m_world.updates;
    return nullptr;
  }

  World& m_world;
  LaneId m_lane;
  int m_step = 0;
  std::set<std::pair<StageId, MicroBatchId>> m_weights_left;  ///< input parts whose weight part is still to come
};

/// A started loop over checking workers.
struct Loop {
  explicit Loop(Plan the_plan)
      : plan(std::move(the_plan)), world(plan), loop(plan.lanes, lanesOfStages(plan.stages), plan.schedule) {
    const Status started = loop.start([this](LaneId lane) { return std::make_unique<CheckingWorker>(world, lane); });
    EXPECT_TRUE(started.ok()) << (started.ok() ? "" : started.error().message);
  }

  RepeatOutcome run(int steps, TraceBuilder* trace = nullptr, std::stop_token stop = {},
                    const std::function<bool(int)>& meets_after = {}) {
    return withinLimit([&] { return loop.run(steps, trace, {}, stop, 0, meets_after); });
  }
  int actionsAStep() const {
    std::size_t count = 0;
    for (const auto& row : plan.schedule.lanes) count += row.size();
    return static_cast<int>(count);
  }

  Plan plan;
  World world;
  StepLoop loop;
};

inline std::string messageOf(const Status& status) { return status.ok() ? "success" : status.error().message; }

}  // namespace lanelab
