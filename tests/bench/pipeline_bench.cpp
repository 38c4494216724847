// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "engine/record/recording_cost.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/bench/benches.h"

namespace lanelab::bench {

nlohmann::json benchPipeline(const Workload& workload, bool print) {
  const auto executor = makeTorchExecutor();
  const Experiment experiment = workload.experiment();
  std::vector<Contestant> contestants;
  Workload interleaved = workload;
  interleaved.cut = workload.interleaved;
  for (const VariantConfig& variant :
       {workload.oneLane("gpipe"), workload.oneLane("1f1b"), workload.twoLanes(), interleaved.twoLanes()}) {
    contestants.emplace_back(variant.name, *executor, experiment, variant);
  }
  std::vector<Series> series;
  for (Contestant& one : contestants) {
    one.runRound();
    series.push_back({one.name(), {}});
  }
  for (int round = 0; round < workload.rounds; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) series[i].seconds.push_back(contestants[i].runRound());
  }
  if (print) {
    printTable(workload.arch + ", " + std::to_string(workload.image) + " px, batch " + std::to_string(workload.batch) +
                   ", " + std::to_string(workload.micro_batches) +
                   " micro-batches, one thread a lane, interleaved rounds (goal: 1.85)",
               series);
  }
  return toJson(series);
}

nlohmann::json benchRecorder(const Workload& workload, bool print) {
  struct Mode {
    RecordMode mode;
    double goal;
  };
  const auto executor = makeTorchExecutor();
  nlohmann::json rows = nlohmann::json::array();
  if (print)
    std::printf("%-12s %10s %24s %8s %12s %24s %8s %14s\n", "record", "cost", "95 % CI", "pairs", "CPU time", "95 % CI",
                "goal", "spans a step");
  for (const auto& [mode, goal] :
       {Mode{RecordMode::Actions, 0.01}, Mode{RecordMode::Blocks, 0.01}, Mode{RecordMode::Operators, 0.02}}) {
    Experiment experiment = workload.experiment();
    experiment.record = mode;
    Contestant contestant(toWord(mode), *executor, experiment, workload.twoLanes());
    contestant.runRound();
    const auto [cost, by_fastest, spans] = contestant.measureRecording(std::max(6, 2 * workload.rounds));
    rows.push_back({{"record", cost.mode},
                    {"cost_ratio", cost.cost_ratio},
                    {"ci95", {cost.ci95->low, cost.ci95->high}},
                    {"pairs", cost.pairs},
                    {"cpu_ratio", *cost.cpu_ratio},
                    {"cpu_ci95", {cost.cpu_ci95->low, cost.cpu_ci95->high}},
                    {"by_fastest", by_fastest},
                    {"goal", goal},
                    {"spans_a_step", spans}});
    if (print)
      std::printf("%-12s %8.2f %% %10.2f to %7.2f %% %8d %10.2f %% %10.2f to %7.2f %% %6.1f %% %14.0f\n",
                  cost.mode.c_str(), 100 * cost.cost_ratio, 100 * cost.ci95->low, 100 * cost.ci95->high, cost.pairs,
                  100 * *cost.cpu_ratio, 100 * cost.cpu_ci95->low, 100 * cost.cpu_ci95->high, 100 * goal, spans);
  }
  if (print)
    std::printf(
        "Two lanes: median difference of neighbouring steps with and without recording (ABBA), of the median step "
        "without it; the same of the processor's time that the process took.\n");
  return rows;
}

}  // namespace lanelab::bench
