// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/quantile.h"
#include "engine/advise/placement_prediction.h"
#include "engine/experiment/edits/balanced_cuts.h"
#include "engine/experiment/edits/placement_edits.h"
#include "engine/memory/variant_memory.h"
#include "tests/bench/benches.h"
#include "tests/support/stopwatch.h"

namespace lanelab::bench {

namespace {

constexpr int kMoves = 40;  ///< of one block to and fro, each a placement that was not predicted before

struct PlacingCase {
  const char* arch;
  int lanes, batch, split_size;
  ScheduleKind schedule;
};

Experiment experimentOf(const PlacingCase& c) {
  Experiment experiment;
  experiment.model.arch = c.arch;
  experiment.data.shape = {3, 64, 64};
  experiment.data.batch = c.batch;
  for (int lane = 0; lane < c.lanes; ++lane) experiment.lanes.push_back({Device::cpu(lane), "", 1});
  VariantConfig variant;
  variant.name = "Pipeline";
  variant.strategy = Strategy::Pipeline;
  variant.schedule = c.schedule;
  variant.split_size = c.split_size;
  experiment.variants = {variant};
  const auto resolution = resolve(experiment);
  writePlacement(experiment, resolution->model(),
                 balancedPlacement(resolution->model(), resolution->variants().front().lanes()),
                 experiment.variants.front());
  return experiment;
}

/// As the board does when the pointer moves: a new plan, its prediction, its memory.
double secondsOfMove(const Resolution& resolution, const StepPredictor& times, Placement placement, std::size_t block) {
  const test::Stopwatch watch;
  VariantConfig variant = resolution.experiment().variants.front();
  placement.lane_of_block[block] = LaneId(static_cast<std::size_t>(0));
  writePlacement(resolution.experiment(), resolution.model(), placement, variant);
  const auto moved = resolution.with(variant);
  const auto predicted = predictPlacement(moved->variants().front(), times);
  const auto forecasts = forecastMemory(moved->variants().front());
  if (!predicted || forecasts.empty()) throw std::runtime_error("A moved block leaves no plan.");
  return watch.seconds();
}

}  // namespace

nlohmann::json benchPlacing(bool print) {
  nlohmann::json rows = nlohmann::json::array();
  if (print)
    std::printf("%-12s %7s %7s %7s %14s %12s %12s\n", "placing", "blocks", "lanes", "micro", "schedule", "median ms",
                "worst ms");
  for (const PlacingCase& c : {PlacingCase{"resnet18", 2, 16, 4, ScheduleKind::OneFOneB},
                               PlacingCase{"resnet50", 2, 120, 20, ScheduleKind::Gpipe},
                               PlacingCase{"resnet50", 4, 120, 1, ScheduleKind::ZbH1},
                               PlacingCase{"resnet152", 8, 256, 1, ScheduleKind::OneFOneB},
                               PlacingCase{"resnet152", 8, 1024, 1, ScheduleKind::OneFOneB}}) {
    const Experiment experiment = experimentOf(c);
    const auto resolution = resolve(experiment);
    const StepPredictor times(estimatedBlockTimes(experiment, resolution->model()));
    const Placement placement = resolution->variants().front().placement();
    std::vector<double> milliseconds;
    for (int move = 0; move < kMoves; ++move) {
      const std::size_t block = static_cast<std::size_t>(move) % placement.lane_of_block.size();
      milliseconds.push_back(1e3 * secondsOfMove(*resolution, times, placement, block));
    }
    const int micro_batches = c.batch / c.split_size;
    const double worst = *std::max_element(milliseconds.begin(), milliseconds.end());
    rows.push_back({{"arch", c.arch},
                    {"lanes", c.lanes},
                    {"micro_batches", micro_batches},
                    {"schedule", toWord(c.schedule)},
                    {"median_ms", medianOf(milliseconds)},
                    {"worst_ms", worst}});
    if (print)
      std::printf("%-12s %7zu %7d %7d %14s %12.2f %12.2f\n", c.arch, placement.lane_of_block.size(), c.lanes,
                  micro_batches, toWord(c.schedule).c_str(), medianOf(milliseconds), worst);
  }
  return rows;
}

}  // namespace lanelab::bench
