// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/plan_problem.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "app/cli/checked_experiment.h"
#include "app/cli/planning_costs.h"
#include "base/text.h"
#include "engine/placement/micro_batches.h"
#include "engine/placement/partition_compare.h"
#include "engine/schedule/generate.h"
#include "engine/sim/cost_file.h"
#include "engine/sim/measured_costs.h"
#include "engine/torch/train/torch_executor.h"

namespace lanelab {
namespace {

int splitSizeOf(const Experiment& experiment) {
  for (const VariantConfig& variant : experiment.variants) {
    if (variant.strategy == Strategy::Pipeline && variant.split_size) return *variant.split_size;
  }
  return experiment.data.batch;
}

/// `of` says what `most` is.
Status checkRange(const char* option, int value, int most, const char* of) {
  if (value >= 1 && value <= most) return {};
  return Error::badInput(std::string(option) + " is " + std::to_string(value) + ": choose from 1 to " +
                         std::to_string(most) + of + ".");
}

Status takeExperiment(const PlanOptions& options, PlanSubject& subject) {
  auto resolution = readChecked(options.file, options.assignments);
  if (!resolution.ok()) return resolution.error();
  const Experiment& experiment = (*resolution)->experiment();
  subject.split_size = options.split_size.value_or(splitSizeOf(experiment));
  const Status fits = checkRange("--split-size", subject.split_size, experiment.data.batch, " (the batch)");
  if (fits.ok()) subject.resolution = std::move(*resolution);
  return fits;
}

Status takeProfiles(const PlanOptions& options, PlanSubject& subject) {
  const std::unique_ptr<Executor> executor = makeTorchExecutor();
  const Experiment& experiment = subject.resolution->experiment();
  const Result<LaneProfiles> kept =
      keptProfilesOf(experiment, commonModes(experiment.training), options.file, *executor);
  if (!kept.ok()) return kept.error();
  const BlockProfile& first = *kept->ofLanes().front();
  subject.costs = costsAt(first, subject.split_size);
  for (const BlockProfile* const profile : kept->ofLanes())
    subject.slowness.push_back(slownessOf(first, *profile, subject.split_size));
  subject.micro_batches = MicroBatches{experiment.data.batch, subject.split_size}.count();
  subject.title = first.key.arch + ", " + counted(subject.split_size, "sample") + " a micro-batch, " +
                  (first.find(subject.split_size) ? "as measured" : "on the line between measured sizes") + " on " +
                  first.key.machine;
  return {};
}

Status takeCosts(const PlanOptions& options, PlanSubject& subject) {
  Result<CostModel> costs =
      subject.resolution ? readCostsOf(subject.resolution->model(), options.costs) : readCosts(options.costs);
  if (!costs.ok()) return costs.error();
  subject.costs = std::move(*costs);
  subject.title = std::to_string(subject.costs.blocks.size()) + " blocks of " + options.costs;
  return {};
}

/// The most micro-batches that each stage holds at once, from its forward to its last backward part.
std::vector<int> mostInFlight(const Schedule& schedule) {
  std::vector<int> held(static_cast<std::size_t>(schedule.stages), 0), most = held;
  for (const auto& row : schedule.lanes) {
    for (const Action& action : row) {
      const std::size_t stage = action.stage.index();
      held[stage] += action.kind == ActionKind::Forward ? 1 : action.kind == ActionKind::BackwardInput ? 0 : -1;
      most[stage] = std::max(most[stage], held[stage]);
    }
  }
  return most;
}

Status limitMemory(const PlanOptions& options, const PlanSubject& subject, PartitionProblem& problem) {
  for (std::size_t lane = 0; lane < problem.lanes.size(); ++lane) {
    const std::uint64_t bytes = options.lane_bytes[options.lane_bytes.size() == 1 ? 0 : lane];
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    problem.lanes[lane].memory = static_cast<std::int64_t>(std::min(bytes, kMost));
  }
  const Result<Schedule> schedule =
      generateSchedule(options.schedule, problem.lane_of_stage, static_cast<int>(problem.lanes.size()),
                       MicroBatches{subject.resolution->experiment().data.batch, subject.split_size}.count());
  if (!schedule.ok()) return Error::badInput("--schedule " + options.schedule_name + ": " + schedule.error().message);
  problem.in_flight = mostInFlight(*schedule);
  return {};
}

Status checkPerLane(const char* option, std::size_t values, int lanes) {
  if (values <= 1 || values == static_cast<std::size_t>(lanes)) return {};
  return Error::badInput(std::string(option) + " holds " + std::to_string(values) + " values for " +
                         counted(lanes, "lane") + ": give one a lane, or one for all.");
}

}  // namespace

Result<PlanSubject> subjectOf(const PlanOptions& options) {
  if (options.file.empty() && options.costs.empty())
    return Error::badInput(
        "Neither FILE nor --costs is given: name an experiment whose model was profiled, or a file of costs.");
  if (options.file.empty() && (options.split_size || !options.assignments.empty()))
    return Error::badInput(std::string(options.split_size ? "--split-size" : "--set") +
                           " needs FILE, an experiment: name it, or leave the option out.");
  if (options.file.empty() && !options.lane_bytes.empty())
    return Error::badInput("--lane-bytes needs FILE, an experiment: only the model says what its blocks hold.");
  PlanSubject subject;
  if (!options.file.empty()) {
    if (const Status taken = takeExperiment(options, subject); !taken.ok()) return taken.error();
  }
  if (const Status taken = options.costs.empty() ? takeProfiles(options, subject) : takeCosts(options, subject);
      !taken.ok())
    return taken.error();
  if (options.micro_batches) {
    subject.micro_batches = *options.micro_batches;
    if (const Status fits = checkRange("--micro-batches", subject.micro_batches, kMostMicroBatches, ""); !fits.ok())
      return fits.error();
  }
  return subject;
}

Result<PartitionProblem> problemOf(const PlanOptions& options, const PlanSubject& subject) {
  const int blocks = static_cast<int>(subject.costs.blocks.size());
  if (const Status fits = checkRange("--stages", options.stages, blocks, ", the number of blocks"); !fits.ok())
    return fits.error();
  const bool in_v = options.schedule == ScheduleKind::ZbV && options.stages % 2 == 0;
  const int lanes = options.lanes.value_or(in_v ? options.stages / 2 : options.stages);
  if (const Status fits = checkRange("--lanes", lanes, options.stages, ", the number of stages"); !fits.ok())
    return fits.error();
  if (const Status fits = checkPerLane("--slowness", options.slowness.size(), lanes); !fits.ok()) return fits.error();
  if (const Status fits = checkPerLane("--lane-bytes", options.lane_bytes.size(), lanes); !fits.ok())
    return fits.error();

  PartitionProblem problem;
  for (const BlockCost& block : subject.costs.blocks)
    problem.blocks.push_back({block.name, block.forward + block.backward, 0, 0, 0});
  problem.transfers = subject.costs.transfers;
  problem.lanes.resize(static_cast<std::size_t>(lanes));
  const std::vector<double>& slowness = options.slowness.empty() ? subject.slowness : options.slowness;
  const bool known_lanes = !options.slowness.empty() || slowness.size() >= problem.lanes.size();
  for (std::size_t lane = 0; known_lanes && lane < problem.lanes.size(); ++lane)
    problem.lanes[lane].slowness = slowness[slowness.size() == 1 ? 0 : lane];
  std::vector<LaneId> all;
  for (int lane = 0; lane < lanes; ++lane) all.emplace_back(lane);
  problem.lane_of_stage = lanesOfStages(options.schedule, options.stages, all);
  problem.micro_batches = subject.micro_batches;
  if (const Resolution* const known = subject.resolution.get())
    setBytes(problem, known->model(), optimizerStates(known->experiment().training), subject.split_size);
  if (!options.lane_bytes.empty()) {
    if (const Status limited = limitMemory(options, subject, problem); !limited.ok()) return limited.error();
  }
  return problem;
}

}  // namespace lanelab
