#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/run/runner.h"
#include "engine/run/sweep_plan.h"
#include "engine/sim/measured_costs.h"
#include "engine/torch/torch_executor.h"
#include "tests/bench/benches.h"

namespace lanelab::bench {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// A folder of this process, gone with it.
class Scratch {
 public:
  Scratch() : m_path(std::filesystem::temp_directory_path() / ("lanelab-bench-" + std::to_string(Clock::now().time_since_epoch().count()))) {}
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string at(const char* name) const { return (m_path / name).string(); }

 private:
  const std::filesystem::path m_path;
};

/// The tutorial's batch and split sizes at a size that two cores get through in minutes.
Experiment sweepExperiment(const Workload& workload) {
  Experiment experiment = workload.experiment();
  experiment.name = "sweep";
  experiment.data.steps = workload.steps;
  experiment.repeats = workload.rounds;
  experiment.warmup = 1;
  experiment.record = RecordMode::Off;
  experiment.variants = {workload.twoLanes()};
  return experiment;
}

SweepRequest requestOf(const std::vector<int>& split_sizes) {
  SweepRequest request;
  request.split_sizes = split_sizes;
  request.predict = [](const VariantPlan& plan, const LaneProfiles& profiles) {
    return stepSecondsOf(profiles.ofLanes(), plan.schedule, plan.stages, plan.micro_batches, plan.modes.recompute);
  };
  return request;
}

}  // namespace

nlohmann::json benchSweep(const Workload& workload, const std::vector<int>& split_sizes, bool print) {
  const Scratch scratch;
  const auto executor = makeTorchExecutor();
  const Clock::time_point begin = Clock::now();
  const auto plan = planSweep(sweepExperiment(workload), requestOf(split_sizes), *executor, ProfileStore(scratch.at("profiles")), {});
  if (!plan.ok()) throw std::runtime_error(plan.error().message);
  const double calibration = secondsSince(begin);
  RunOptions options;
  options.predictions = plan->predictions;
  RunObserver silent;
  const auto record = runExperiment(plan->experiment, *executor, scratch.at("run"), options, silent, {});
  if (!record.ok()) throw std::runtime_error(record.error().message);
  if (record->status != RunStatus::Done) throw std::runtime_error(record->error);
  const std::vector<SweepPoint> points = sweepPoints(*record);
  const double measurement = secondsSince(begin) - calibration;
  if (print) {
    std::printf("%s, %d px, batch %d, %s, cut at %s: calibration %.0f s, measurement %.0f s\n%s%s\n%s\n", workload.arch.c_str(), workload.image,
                workload.batch, workload.schedule.c_str(), workload.cut.c_str(), calibration, measurement, sweepTable(points).c_str(),
                errorSentence(points).c_str(), adviceSentence(points).c_str());
  }
  const auto errors = errorsOf(points);
  nlohmann::json result = {{"calibration_seconds", calibration}, {"measurement_seconds", measurement}, {"points", nlohmann::json::array()}};
  if (errors) result.update({{"median_error", errors->median}, {"worst_error", errors->worst}});
  for (const SweepPoint& point : points) {
    result["points"].push_back(
        {{"split_size", point.split_size}, {"predicted_step_seconds", point.predicted.value_or(0)}, {"measured_step_seconds", point.measured.value_or(0)}});
  }
  return result;
}

}  // namespace lanelab::bench
