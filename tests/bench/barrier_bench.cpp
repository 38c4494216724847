// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/quantile.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/bench/benches.h"

namespace lanelab::bench {
namespace {

struct BarrierOrder {
  std::string name;
  ScheduleKind schedule;
  std::optional<int> warm_up;
};

/// One order, twice: lanes that begin each step together, and lanes that go on by themselves.
struct BarrierPair {
  std::string name;
  Contestant together, alone;
  std::vector<double> with, without, ratios;  ///< mean seconds of a step, and with over without; one a round
};

BarrierPair pairOf(const Workload& workload, Executor& executor, const BarrierOrder& order) {
  VariantConfig variant = workload.twoLanes();
  changeSchedule(variant, order.schedule);
  variant.warm_up = order.warm_up;
  Experiment experiment = workload.experiment();
  experiment.training.step_barrier = true;
  Contestant together(order.name, executor, experiment, variant);
  experiment.training.step_barrier = false;
  return {order.name, std::move(together), Contestant(order.name, executor, experiment, variant), {}, {}, {}};
}

/// Without the first step, which fills the lanes in both.
double meanStep(Contestant& contestant) {
  const std::vector<double> seconds = contestant.runSteps();
  return std::accumulate(seconds.begin() + 1, seconds.end(), 0.0) / static_cast<double>(seconds.size() - 1);
}

/// The order alternates from round to round, so that neither is always the later one.
void runRound(BarrierPair& pair, int round) {
  const bool together_first = round % 2 == 0;
  double with = together_first ? meanStep(pair.together) : 0;
  const double without = meanStep(pair.alone);
  if (!together_first) with = meanStep(pair.together);
  if (round < 0) return;  // warms up
  pair.with.push_back(with);
  pair.without.push_back(without);
  pair.ratios.push_back(with / without);
}

nlohmann::json rowOf(const BarrierPair& pair) {
  return {{"name", pair.name},
          {"with_seconds", pair.with},
          {"without_seconds", pair.without},
          {"ratio_low", std::ranges::min(pair.ratios)},
          {"ratio_median", medianOf(pair.ratios)},
          {"ratio_high", std::ranges::max(pair.ratios)}};
}

}  // namespace

nlohmann::json benchBarrier(const Workload& workload, bool print) {
  const auto executor = makeTorchExecutor();
  std::vector<BarrierPair> pairs;
  for (const BarrierOrder& order :
       {BarrierOrder{"zb-h1", ScheduleKind::ZbH1, std::nullopt},
        BarrierOrder{"zb-h1, warm-up 3", ScheduleKind::ZbH1, 3}, BarrierOrder{"list", ScheduleKind::List, std::nullopt},
        BarrierOrder{"1f1b", ScheduleKind::OneFOneB, std::nullopt}})
    pairs.push_back(pairOf(workload, *executor, order));
  for (int round = -1; round < workload.rounds; ++round)
    for (BarrierPair& pair : pairs) runRound(pair, round);
  nlohmann::json rows = nlohmann::json::array();
  for (const BarrierPair& pair : pairs) rows.push_back(rowOf(pair));
  if (!print) return rows;
  std::printf(
      "%s, %d px, batch %d, %d micro-batches, cut %s, one thread a lane, %d rounds in turns (goal: 1.05)\n%-20s %12s "
      "%12s %24s\n",
      workload.arch.c_str(), workload.image, workload.batch, workload.micro_batches, workload.cut.c_str(),
      workload.rounds, "", "barrier s", "without s", "speed-up (min to max)");
  for (const BarrierPair& pair : pairs)
    std::printf("%-20s %12.4f %12.4f %10.3f (%.3f to %.3f)\n", pair.name.c_str(), medianOf(pair.with),
                medianOf(pair.without), medianOf(pair.ratios), std::ranges::min(pair.ratios),
                std::ranges::max(pair.ratios));
  return rows;
}

}  // namespace lanelab::bench
