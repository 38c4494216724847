// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/lanes/step_loop.h"
#include "engine/schedule/generate.h"
#include "tests/bench/benches.h"

namespace lanelab::bench {

namespace {

/// Stages that only pass a token on.
class NoWork : public LaneWorker {
 public:
  TimeRange beginStep(const StepCommand&) override { return {}; }
  Packet perform(const Action&, Packet) override { return m_token; }
  double endStep() override { return 0; }

 private:
  Packet m_token = std::make_shared<int>(0);
};

struct ExecutorCase {
  const char* schedule;
  int lanes, stages, micro_batches;
};

/// Seconds a step, over `steps` steps.
std::vector<double> stepSeconds(const ExecutorCase& c, TraceBuilder* trace, int steps) {
  std::vector<Stage> stages;
  std::vector<LaneId> lane_of_stage;
  std::vector<LaneInfo> lanes;
  for (int i = 0; i < c.lanes; ++i) lanes.push_back({"lane " + std::to_string(i), "cpu:" + std::to_string(i)});
  for (int s = 0; s < c.stages; ++s) {
    lane_of_stage.push_back(LaneId{s % c.lanes});
    stages.push_back({StageId{s}, lane_of_stage.back(), BlockId{s}, BlockId{s + 1}});
  }
  const auto schedule = generateSchedule(fromWord<ScheduleKind>(c.schedule).value(), lane_of_stage, c.lanes,
                                         c.micro_batches, WindowKind::Step);
  if (!schedule.ok()) throw std::runtime_error(schedule.error().message);
  StepLoop loop(lanes, lanesOfStages(stages), *schedule);
  const Status started = loop.start([](LaneId) { return std::make_unique<NoWork>(); });
  if (!started.ok()) throw std::runtime_error(started.error().message);
  const RepeatOutcome outcome = loop.run(steps, trace, {}, {});
  if (!outcome.failure.ok()) throw std::runtime_error(outcome.failure.error().message);
  return outcome.step_seconds;
}

}  // namespace

nlohmann::json benchExecutor(bool print) {
  nlohmann::json rows = nlohmann::json::array();
  if (print) std::printf("%-34s %14s %14s %14s\n", "no-op stages", "median us", "p90 us", "recorded us");
  for (const ExecutorCase& c :
       {ExecutorCase{"gpipe", 1, 1, 64}, ExecutorCase{"gpipe", 2, 2, 64}, ExecutorCase{"1f1b", 2, 2, 64},
        ExecutorCase{"1f1b", 2, 8, 64}, ExecutorCase{"1f1b", 4, 4, 64}}) {
    const double actions = 2.0 * c.stages * c.micro_batches + c.stages;
    const auto microseconds = [&](std::vector<double> seconds, double quantile) {
      std::sort(seconds.begin(), seconds.end());
      return seconds[static_cast<std::size_t>(quantile * static_cast<double>(seconds.size() - 1))] / actions * 1e6;
    };
    TraceBuilder trace("bench", std::vector<LaneInfo>(static_cast<std::size_t>(c.lanes), {"lane", "cpu"}));
    const auto plain = stepSeconds(c, nullptr, 300);
    const auto recorded = stepSeconds(c, &trace, 300);
    const std::string name =
        std::string(c.schedule) + ", " + std::to_string(c.stages) + " stages on " + std::to_string(c.lanes) + " lanes";
    rows.push_back({{"name", name},
                    {"actions", actions},
                    {"median_us", microseconds(plain, 0.5)},
                    {"p90_us", microseconds(plain, 0.9)},
                    {"recorded_median_us", microseconds(recorded, 0.5)}});
    if (print) {
      std::printf("%-34s %14.2f %14.2f %14.2f\n", name.c_str(), microseconds(plain, 0.5), microseconds(plain, 0.9),
                  microseconds(recorded, 0.5));
    }
  }
  if (print)
    std::printf(
        "Step time divided by the actions of all lanes. Goal: at most 20 us. More lanes than cores take turns.\n");
  return rows;
}

}  // namespace lanelab::bench
