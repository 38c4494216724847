// SPDX-License-Identifier: GPL-3.0-only
// plan: the best way to cut a model's blocks into stages, from measured times.
#include <algorithm>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

#include "app/cli/checked_experiment.h"
#include "app/cli/cli.h"
#include "app/cli/planning_costs.h"
#include "base/json_text.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/placement/micro_batches.h"
#include "engine/placement/partition_compare.h"
#include "engine/schedule/generate.h"
#include "engine/schedule/in_flight.h"
#include "engine/schedule/schedule_title.h"
#include "engine/sim/cost_file.h"
#include "engine/sim/measured_costs.h"
#include "engine/sim/simulate.h"
#include "engine/torch/train/torch_executor.h"

namespace lanelab {
namespace {

/// What the command plan was asked.
struct PlanOptions {
  std::string file;
  std::vector<std::string> assignments;
  std::string costs;
  int stages = 0;
  std::optional<int> lanes;
  std::optional<int> split_size;
  std::optional<int> micro_batches;
  ScheduleKind schedule = ScheduleKind::OneFOneB;
  std::string schedule_name = toWord(schedule);  ///< as typed
  std::vector<double> slowness;
  std::vector<std::uint64_t> lane_bytes;
  bool json = false;
};

/// What is to be cut.
struct PlanSubject {
  std::string title;
  CostModel costs;
  std::shared_ptr<const Resolution> resolution = nullptr;  ///< of the experiment; null where only costs are given
  std::vector<double> slowness;                            ///< of the experiment's lanes, as measured; empty: not known
  int split_size = 0;                                      ///< 0: not known
  int micro_batches = 0;                                   ///< 0: only the bottleneck counts
  WindowKind window = WindowKind::Step;                    ///< of the experiment's first pipeline
};

int splitSizeOf(const Experiment& experiment) {
  for (const VariantConfig& variant : experiment.variants) {
    if (variant.strategy == Strategy::Pipeline && variant.split_size) return *variant.split_size;
  }
  return experiment.data.batch;
}

/// `of` says what `most` is.
Status checkRange(const char* option, int value, int most, const char* of) {
  if (value >= 1 && value <= most) return {};
  return Error::badInput("{} is {}. Choose from 1 to {}{}.", std::string(option), value, most, of);
}

WindowKind windowOf(const Resolution& resolution) {
  for (const ResolvedVariant& variant : resolution.variants()) {
    if (variant.config().strategy == Strategy::Pipeline) return windowKindOf(variant.stepBarrier());
  }
  return WindowKind::Step;
}

Status loadExperiment(const PlanOptions& options, PlanSubject& subject) {
  auto resolution = readChecked(options.file, options.assignments);
  if (!resolution.ok()) return resolution.error();
  const Experiment& experiment = (*resolution)->experiment();
  subject.split_size = options.split_size.value_or(splitSizeOf(experiment));
  const Status fits = checkRange("--split-size", subject.split_size, experiment.data.batch, " (the batch)");
  subject.window = windowOf(**resolution);
  if (fits.ok()) subject.resolution = std::move(*resolution);
  return fits;
}

Status loadProfiles(const PlanOptions& options, PlanSubject& subject) {
  const std::unique_ptr<Executor> executor = makeTorchExecutor();
  const Experiment& experiment = subject.resolution->experiment();
  const Result<LaneProfiles> stored =
      profilesFor(experiment, commonModes(experiment.training), options.file, *executor);
  if (!stored.ok()) return stored.error();
  const BlockProfile& first = *stored->ofLanes().front();
  subject.costs = costsAt(first, subject.split_size);
  for (const BlockProfile* const profile : stored->ofLanes())
    subject.slowness.push_back(slownessOf(first, *profile, subject.split_size));
  subject.micro_batches = MicroBatches{experiment.data.batch, subject.split_size}.count();
  subject.title = first.key.arch + ", " + counted(subject.split_size, "sample") + " per micro-batch, " +
                  (first.find(subject.split_size) ? "measured" : "interpolated between measured sizes") + " on " +
                  first.key.machine;
  return {};
}

Status loadCosts(const PlanOptions& options, PlanSubject& subject) {
  Result<CostModel> costs =
      subject.resolution ? readCostsOf(subject.resolution->model(), options.costs) : readCosts(options.costs);
  if (!costs.ok()) return costs.error();
  subject.costs = std::move(*costs);
  subject.title = std::to_string(subject.costs.blocks.size()) + " blocks of " + options.costs;
  return {};
}

bool hasLimits(const PlanSubject& subject) {
  return subject.resolution && std::ranges::any_of(subject.resolution->experiment().lanes,
                                                   [](const LaneConfig& lane) { return lane.memoryLimit() > 0; });
}

/// By --lane-bytes, else by the limits of the experiment's lanes.
Status limitMemory(const PlanOptions& options, const PlanSubject& subject, PartitionProblem& problem) {
  const std::vector<LaneConfig>& lanes = subject.resolution->experiment().lanes;
  for (std::size_t lane = 0; lane < problem.lanes.size(); ++lane) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (!options.lane_bytes.empty())
      problem.lanes[lane].memory = static_cast<std::int64_t>(
          std::min<std::uint64_t>(options.lane_bytes[options.lane_bytes.size() == 1 ? 0 : lane], kMost));
    else if (lane < lanes.size() && lanes[lane].memoryLimit() > 0)
      problem.lanes[lane].memory = lanes[lane].memoryLimit();
  }
  const Result<Schedule> schedule = generateSchedule(
      options.schedule, problem.lane_of_stage, static_cast<int>(problem.lanes.size()),
      MicroBatches{subject.resolution->experiment().data.batch, subject.split_size}.count(), subject.window);
  if (!schedule.ok()) return Error::badInput("--schedule {}: {}", options.schedule_name, schedule.error());
  problem.in_flight = mostInFlight(*schedule);
  return {};
}

Status checkPerLane(const char* option, std::size_t values, int lanes) {
  if (values <= 1 || values == static_cast<std::size_t>(lanes)) return {};
  return Error::badInput("{} has {} values for {}. Name one per lane, or one for all.", std::string(option), values,
                         counted(lanes, "lane"));
}

/// Reads what the options name. Errors (BadInput): what cannot be read, options that do not fit together, no profile.
Result<PlanSubject> subjectOf(const PlanOptions& options) {
  if (options.file.empty() && options.costs.empty())
    return Error::badInput(
        "Neither FILE nor --costs is given. Name an experiment whose network was profiled, or a file with costs.");
  if (options.file.empty() && (options.split_size || !options.assignments.empty()))
    return Error::badInput("{} needs an experiment. Name FILE, or remove the option.",
                           std::string(options.split_size ? "--split-size" : "--set"));
  if (options.file.empty() && !options.lane_bytes.empty())
    return Error::badInput(
        "--lane-bytes needs an experiment, which has the memory of the blocks. Name FILE, or remove the option.");
  PlanSubject subject;
  if (!options.file.empty()) {
    if (const Status taken = loadExperiment(options, subject); !taken.ok()) return taken.error();
  }
  if (const Status taken = options.costs.empty() ? loadProfiles(options, subject) : loadCosts(options, subject);
      !taken.ok())
    return taken.error();
  if (options.micro_batches) {
    subject.micro_batches = *options.micro_batches;
    if (const Status fits = checkRange("--micro-batches", subject.micro_batches, kMostMicroBatches, ""); !fits.ok())
      return fits.error();
  }
  return subject;
}

/// The step of the best cut is predicted where micro-batches are known, within the limits of every experiment.
Status checkForecast(const PlanOptions& options, const PartitionProblem& problem) {
  if (problem.micro_batches == 0) return {};
  const Status request = checkScheduleRequest(options.schedule, problem.lane_of_stage,
                                              static_cast<int>(problem.lanes.size()), problem.micro_batches);
  return request.ok() ? request : Error::badInput("--schedule {}: {}", options.schedule_name, request.error());
}

/// The problem for its stages and lanes, with a limit of memory where lane bytes are given. Errors (BadInput): numbers
/// that do not fit together.
Result<PartitionProblem> problemOf(const PlanOptions& options, const PlanSubject& subject) {
  const int blocks = static_cast<int>(subject.costs.blocks.size());
  if (const Status fits = checkRange("--stages", options.stages, blocks, ", the number of blocks"); !fits.ok())
    return fits.error();
  const int lanes = options.lanes.value_or(usualLanes(options.schedule, options.stages));
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
  problem.lane_of_stage = lanesOfStages(options.schedule, options.stages, lanes);
  problem.micro_batches = subject.micro_batches;
  if (const Status ordered = checkForecast(options, problem); !ordered.ok()) return ordered.error();
  if (const Resolution* const known = subject.resolution.get())
    setBytes(problem, known->model(), optimizerStates(known->experiment().training), subject.split_size);
  if (!options.lane_bytes.empty() || hasLimits(subject)) {
    if (const Status limited = limitMemory(options, subject, problem); !limited.ok()) return limited.error();
  }
  return problem;
}

/// The best cut, and beside it those by rules of thumb where the model is known.
Result<std::vector<NamedPartition>> cutAll(const PartitionProblem& problem, const PlanSubject& subject) {
  if (subject.resolution) return comparePartitions(problem, subject.resolution->model());
  Result<Partition> best = partition(problem);
  if (!best.ok()) return best.error();
  return std::vector<NamedPartition>{{"measured time", std::move(*best)}};
}

/// All the work on the fastest lane alone.
double oneLane(const PartitionProblem& problem) {
  double time = 0, fastest = std::numeric_limits<double>::infinity();
  for (const PartitionBlock& block : problem.blocks) time += block.time;
  for (const PartitionLane& lane : problem.lanes) fastest = std::min(fastest, lane.slowness);
  return time * fastest;
}

std::vector<std::string> namesOf(const PartitionProblem& problem, const Partition& cut) {
  std::vector<std::string> names;
  for (const BlockId block : cut.cuts) names.push_back(problem.blocks[block.index()].name);
  return names;
}

/// The speed-up vs the fastest lane alone that many micro-batches approach.
double speedUp(const PartitionProblem& problem, const Partition& cut) {
  return cut.bottleneck > 0 ? oneLane(problem) / cut.bottleneck : 1;
}

std::vector<Stage> stagesOfCut(const PartitionProblem& problem, const Partition& cut) {
  std::vector<Stage> stages;
  for (std::size_t s = 0; s < cut.stage_times.size(); ++s)
    stages.push_back({StageId(s), problem.lane_of_stage[s], s == 0 ? BlockId(0) : cut.cuts[s - 1],
                      s < cut.cuts.size() ? cut.cuts[s] : BlockId(problem.blocks.size())});
  return stages;
}

/// What a step of the best cut costs, in each window with the order that is made for it; nothing without micro-batches.
/// problemOf() has checked that there is such an order.
std::optional<StepForecast> forecastOf(const PlanOptions& options, const PlanSubject& subject,
                                       const PartitionProblem& problem, const Partition& best) {
  if (subject.micro_batches == 0) return std::nullopt;
  StepCosts costs{subject.costs, std::nullopt};
  costs.whole.lane_slowness.clear();
  for (const PartitionLane& lane : problem.lanes) costs.whole.lane_slowness.push_back(lane.slowness);
  const std::vector<Stage> stages = stagesOfCut(problem, best);
  const auto ordered = [&](WindowKind window) {
    return generateSchedule(options.schedule, problem.lane_of_stage, static_cast<int>(problem.lanes.size()),
                            subject.micro_batches, window, stageTimesOf(costs.whole, stages));
  };
  const Result<Schedule> together = ordered(WindowKind::Step);
  const Result<Schedule> overlapping = dependsOnWindow(options.schedule) ? ordered(WindowKind::Period) : together;
  if (splitsBackward(*together)) warnOfMissingWeights(subject.costs, {std::string(titleOf(options.schedule))});
  return StepForecast{simulate(*together, stages, costs).step_seconds,
                      simulateSteady(*overlapping, stages, costs).step_seconds};
}

Json jsonOf(const PartitionProblem& problem, const NamedPartition& row) {
  Json object = {{"name", row.name},
                 {"cuts", namesOf(problem, row.partition)},
                 {"bottleneck_ms", millisecondsOf(row.partition.bottleneck)},
                 {"latency_ms", millisecondsOf(row.partition.latency)},
                 {"speedup_limit", speedUp(problem, row.partition)},
                 {"fits", row.partition.fits}};
  if (problem.micro_batches > 0) object["objective_ms"] = millisecondsOf(row.partition.objective);
  return object;
}

std::string stagesTable(const PartitionProblem& problem, const Partition& cut) {
  double all = 0;
  for (const double time : cut.stage_times) all += time;
  std::vector<TextRow> rows = {{"Stage", "Lane", "Blocks", "Forward and backward (ms)", "Share (%)"}};
  for (std::size_t s = 0; s < cut.stage_times.size(); ++s) {
    const std::size_t first = s == 0 ? 0 : cut.cuts[s - 1].index();
    const std::size_t last = (s < cut.cuts.size() ? cut.cuts[s].index() : problem.blocks.size()) - 1;
    rows.push_back({std::to_string(s), std::to_string(problem.lane_of_stage[s].value),
                    problem.blocks[first].name + (first == last ? "" : " to " + problem.blocks[last].name),
                    millisecondsText(cut.stage_times[s]),
                    all > 0 ? formatNumber(100 * cut.stage_times[s] / all) : "-"});
  }
  return textTable(rows, 3);
}

std::string comparisonTable(const PartitionProblem& problem, const std::vector<NamedPartition>& rows) {
  std::vector<TextRow> table = {
      {"Balanced by", "Cuts before", "Bottleneck (ms)", "Over the best (%)", "Max. speed-up vs one lane"}};
  const double best = rows.front().partition.bottleneck;
  for (const NamedPartition& row : rows) {
    const Partition& cut = row.partition;
    table.push_back({row.name + (cut.fits ? "" : " (does not fit)"), joined(namesOf(problem, cut), ", "),
                     millisecondsText(cut.bottleneck), formatNumber(best > 0 ? 100 * (cut.bottleneck / best - 1) : 0),
                     formatNumber(speedUp(problem, cut), 4)});
  }
  return textTable(table, 2);
}

std::string provenText(const PartitionProblem& problem, const Partition& best) {
  const std::string measure = problem.micro_batches > 0
                                  ? "takes less time for " + std::to_string(problem.micro_batches) +
                                        (problem.micro_batches == 1 ? " micro-batch" : " micro-batches") +
                                        " (latency + (m-1) x bottleneck: " + millisecondsText(best.objective) + " ms)"
                                  : std::string("has a smaller bottleneck");
  if (best.proven) return "Proven: no other cut into stages " + measure + ".\n";
  return "Best cut found within the time limit; no cut is below " + millisecondsText(best.lower_bound) + " ms.\n";
}

/// `rows`: the best cut first, then those by rules of thumb; times are in milliseconds.
std::string planJson(const PartitionProblem& problem, const std::vector<NamedPartition>& rows,
                     const std::optional<StepForecast>& forecast) {
  const Partition& best = rows.front().partition;
  Json stages = Json::array();
  for (std::size_t s = 0; s < best.stage_times.size(); ++s) {
    stages.push_back({{"first", problem.blocks[s == 0 ? 0 : best.cuts[s - 1].index()].name},
                      {"lane", problem.lane_of_stage[s].value},
                      {"time_ms", millisecondsOf(best.stage_times[s])}});
  }
  Json object = jsonOf(problem, rows.front());
  object.erase("name");
  object["proven"] = best.proven;
  object["lower_bound_ms"] = millisecondsOf(best.lower_bound);
  if (problem.micro_batches > 0) object["micro_batches"] = problem.micro_batches;
  if (forecast) {
    object["step_ms"] = millisecondsOf(forecast->step_seconds);
    object["period_ms"] = millisecondsOf(forecast->period_seconds);
  }
  object["stages"] = std::move(stages);
  object["comparison"] = Json::array();
  for (const NamedPartition& row : rows) object["comparison"].push_back(jsonOf(problem, row));
  return jsonText(object, 2) + "\n";
}

std::string forecastText(const PlanOptions& options, const PlanSubject& subject, const StepForecast& forecast) {
  return "Predicted with " + std::string(titleOf(options.schedule)) + " and " +
         counted(subject.micro_batches, "micro-batch") + ": step " + millisecondsText(forecast.step_seconds) +
         " ms, period without a step barrier " + millisecondsText(forecast.period_seconds) + " ms.\n";
}

std::string planText(const std::string& title, const PartitionProblem& problem, const std::vector<NamedPartition>& rows,
                     const std::string& predicted) {
  const Partition& best = rows.front().partition;
  std::string text = title + "\n\n" + stagesTable(problem, best) + "\nBottleneck " + millisecondsText(best.bottleneck) +
                     " ms, latency " + millisecondsText(best.latency) + " ms.\nSpeed-up vs one lane: at most " +
                     formatNumber(speedUp(problem, best), 4) + "x, with many micro-batches.\n" +
                     provenText(problem, best) + predicted;
  if (rows.size() > 1) text += "\n" + comparisonTable(problem, rows);
  const std::vector<std::string> names = namesOf(problem, best);
  if (!names.empty()) text += "\nFor an experiment: \"cuts\": [\"" + joined(names, "\", \"") + "\"]\n";
  return text;
}

Status plan(PlanOptions options) {
  const auto kind = parseScheduleName(options.schedule_name);
  if (!kind.ok())
    return Error::badInput("--schedule {} is not known: {}", options.schedule_name,
                           nearestHint(options.schedule_name, knownScheduleNames()));
  options.schedule = *kind;
  const Result<PlanSubject> subject = subjectOf(options);
  if (!subject.ok()) return subject.error();
  const Result<PartitionProblem> problem = problemOf(options, *subject);
  if (!problem.ok()) return problem.error();
  const Result<std::vector<NamedPartition>> rows = cutAll(*problem, *subject);
  if (!rows.ok()) return rows.error();
  const std::optional<StepForecast> forecast = forecastOf(options, *subject, *problem, rows->front().partition);
  const std::string predicted = forecast ? forecastText(options, *subject, *forecast) : "";
  std::cout << (options.json ? planJson(*problem, *rows, forecast)
                             : planText(subject->title, *problem, *rows, predicted));
  return {};
}

}  // namespace

void addPlan(const Command& app, CliContext& context) {
  const Command command = app.subcommand("plan", "Find the best cut of a network into stages, from measured times");
  command.help({.examples = {"plan resources/experiments/demo.json --stages 2",
                             "plan resources/experiments/demo.json --stages 4 --lanes 2 --schedule interleaved-1f1b",
                             "plan --costs costs.json --stages 4 --micro-batches 8 --json"},
                .notes =
                    "The costs file holds times of one micro-batch: {\"blocks\": [{\"name\", \"forward_ms\", "
                    "\"backward_ms\", \"backward_weight_ms\"}], \"transfers_ms\": [...]}. The weight part is included "
                    "in the backward. A transfer is one way, at the boundary after its "
                    "block. Without --costs the times are those that the command profile has stored. With "
                    "micro-batches the step "
                    "and the period of the best cut are predicted: the step is from its first start to its last end, "
                    "the period from step to step without a step barrier."});
  const auto options = std::make_shared<PlanOptions>();
  command.option("FILE", options->file, "Experiment whose network is cut; rules of thumb are shown for comparison");
  command.option("--costs", options->costs, "JSON file with block times to use instead of measured ones")
      .typeName("FILE");
  command.option("--stages", options->stages, "Number of stages").required();
  command.option(
      "--lanes", options->lanes,
      "Number of lanes; stages are assigned round-robin (default: one lane per stage; for schedules in a V, such as "
      "zb-v, half as many)");
  command
      .option("--schedule", options->schedule_name,
              "Schedule, which decides the lane of each stage, the predicted step and period, and for --lane-bytes the "
              "micro-batches in flight")
      .typeName("NAME")
      .showDefault();
  command.option("--split-size", options->split_size,
                 "Micro-batch size (default: that of the first pipeline variant of FILE)");
  command.option("--micro-batches", options->micro_batches,
                 "Minimize latency + (N-1) x bottleneck (default: from FILE; with --costs only the bottleneck counts)");
  command
      .option("--slowness", options->slowness,
              "Relative time of each lane, such as 1,1.5, or one value for all (default: as measured, else 1)")
      .commaSeparated()
      .typeName("X,...");
  command
      .option("--lane-bytes", options->lane_bytes,
              "Memory limit of each lane, such as 4GiB,8GiB, or one value for all; needs FILE (default: the "
              "memory_limit_mib of its lanes)")
      .commaSeparated()
      .sizes()
      .typeName("SIZE,...");
  command.assignments(options->assignments);
  command.json(options->json);
  chosen(command, context, [options] { return plan(*options); });
}

}  // namespace lanelab
