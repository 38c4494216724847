// SPDX-License-Identifier: GPL-3.0-only
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/advise/sweep_plan.h"
#include "engine/record/statistics.h"
#include "engine/run/runner.h"
#include "engine/sim/measured_costs.h"
#include "engine/torch/train/torch_executor.h"
#include "tests/bench/benches.h"
#include "tests/support/stopwatch.h"
#include "tests/support/temporary_folder.h"

namespace lanelab::bench {

namespace {

/// The tutorial's batch and split sizes at a size that two cores get through in minutes.
Experiment sweepExperiment(const Workload& workload) {
  Experiment experiment = workload.experiment();
  experiment.name = "sweep";
  experiment.data.steps = workload.steps;
  experiment.repeats = 2;
  experiment.warmup = 1;
  experiment.record = RecordMode::Off;
  experiment.variants = {workload.twoLanes()};
  return experiment;
}

SweepRequest requestOf(const std::vector<int>& split_sizes) {
  SweepRequest request;
  request.split_sizes = split_sizes;
  return request;
}

/// One round: a calibration of its own, and right after it the measurement.
std::vector<SweepPoint> calibrateAndMeasure(const Experiment& experiment, const std::vector<int>& split_sizes,
                                            Executor& executor) {
  const test::TemporaryFolder scratch;
  const auto plan =
      planSweep(*resolve(experiment), requestOf(split_sizes), executor, ProfileStore(scratch.file("profiles")), {});
  if (!plan.ok()) throw std::runtime_error(plan.error().message);
  RunOptions options;
  options.predictions = plan->predictions;
  RunObserver silent;
  const auto record = runExperiment(*plan->resolution, executor, scratch.file("run"), options, silent, {});
  if (!record.ok()) throw std::runtime_error(record.error().message);
  if (record->status != RunStatus::Done) throw std::runtime_error(record->error);
  return sweepPoints(*record);
}

double medianOver(const std::vector<std::vector<SweepPoint>>& rounds, std::size_t point,
                  std::optional<double> SweepPoint::*value) {
  Series series;
  for (const auto& round : rounds) series.seconds.push_back((round[point].*value).value_or(0));
  return series.median();
}

/// The medians of all rounds.
std::vector<SweepPoint> pooled(const std::vector<std::vector<SweepPoint>>& rounds) {
  std::vector<SweepPoint> points = rounds.front();
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i].predicted = medianOver(rounds, i, &SweepPoint::predicted);
    points[i].measured = medianOver(rounds, i, &SweepPoint::measured);
    std::vector<double> steps;
    for (const auto& round : rounds) steps.push_back(round[i].measured.value_or(0));
    points[i].steps = summarise(steps);
  }
  return points;
}

/// How much the machine itself changes from round to round: the median over the points of largest over smallest
/// measured step, less 1.
double driftOf(const std::vector<std::vector<SweepPoint>>& rounds) {
  Series drifts;
  for (std::size_t i = 0; i < rounds.front().size(); ++i) {
    double least = rounds.front()[i].measured.value_or(0), most = least;
    for (const auto& round : rounds) {
      least = std::min(least, round[i].measured.value_or(0));
      most = std::max(most, round[i].measured.value_or(0));
    }
    drifts.seconds.push_back(most / least - 1);
  }
  return drifts.median();
}

}  // namespace

nlohmann::json benchSweep(const Workload& workload, const std::vector<int>& split_sizes, bool print) {
  const auto executor = makeTorchExecutor();
  const test::Stopwatch watch;
  std::vector<std::vector<SweepPoint>> rounds;
  for (int round = 0; round < workload.rounds; ++round) {
    rounds.push_back(calibrateAndMeasure(sweepExperiment(workload), split_sizes, *executor));
    if (print) std::printf("round %d: %s\n", round + 1, errorSentence(rounds.back()).message.c_str());
  }
  const std::vector<SweepPoint> points = pooled(rounds);
  const double drift = driftOf(rounds), seconds = watch.seconds();
  if (print) {
    std::printf(
        "%s, %d px, batch %d, %s, cut at %s: %d rounds of calibration and measurement, %.0f s; medians of the "
        "rounds\n%s%s\n%s\n",
        workload.arch.c_str(), workload.image, workload.batch, workload.schedule.c_str(), workload.cut.c_str(),
        workload.rounds, seconds, sweepTable(points).c_str(), errorSentence(points).message.c_str(),
        adviceSentence(points).message.c_str());
    std::printf("From round to round the same measured step differed by %.1f %% (median over the split sizes).\n",
                100 * drift);
  }
  const auto errors = errorsOf(points);
  nlohmann::json result = {
      {"rounds", workload.rounds}, {"seconds", seconds}, {"drift", drift}, {"points", nlohmann::json::array()}};
  if (errors) result.update({{"median_error", errors->median}, {"worst_error", errors->worst}});
  for (const SweepPoint& point : points) {
    result["points"].push_back({{"split_size", point.split_size},
                                {"predicted_step_seconds", point.predicted.value_or(0)},
                                {"measured_step_seconds", point.measured.value_or(0)}});
  }
  return result;
}

}  // namespace lanelab::bench
