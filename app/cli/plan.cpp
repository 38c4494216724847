// SPDX-License-Identifier: GPL-3.0-only
// plan: the best way to cut a model's blocks into stages, from measured times.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>

#include "app/cli/checked_experiment.h"
#include "app/cli/cli.h"
#include "app/cli/plan_answer.h"
#include "app/cli/planning_costs.h"
#include "base/text.h"
#include "engine/advise/cut_forecast.h"
#include "engine/advise/profile_caution.h"
#include "engine/memory/variant_memory.h"
#include "engine/model/memory_caveat.h"
#include "engine/placement/micro_batches.h"
#include "engine/placement/partition_compare.h"
#include "engine/schedule/generate.h"
#include "engine/schedule/schedule_kind.h"
#include "engine/sim/cost_file.h"
#include "engine/torch/train/torch_executor.h"

namespace lanelab {
namespace {

constexpr std::string_view kAnySchedule = "any";

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
  std::string caution = {};                                ///< see PlanAnswer
  std::optional<StepPredictor> predictor;                  ///< always there once it is loaded
  std::shared_ptr<const Resolution> resolution = nullptr;  ///< of the experiment; null where only costs are given
  int split_size = 1;
  int micro_batches = 0;                 ///< 0: only the bottleneck counts
  WindowKind window = WindowKind::Step;  ///< of the experiment's first pipeline
  int measured_lanes = 0;                ///< that computed at once for the slowdown; 0: not known
  double slowdown = 1;                   ///< of a lane while all of them computed

  CostModel costs(ScheduleKind schedule) const {
    return predictor->blockCosts(split_size, splitsBackward(schedule) ? Backwards::Parts : Backwards::Whole);
  }
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
  if (const Status epochs = checkEpochRows(**resolution, options.file); !epochs.ok()) return epochs;
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
  Result<LaneProfiles> stored =
      profilesFor(*subject.resolution, commonModes(experiment.training), options.file, *executor);
  if (!stored.ok()) return stored.error();
  const BlockProfile& first = *stored->ofLanes().front();
  subject.measured_lanes = first.key.lanes;
  subject.slowdown = slowdownOf(first, subject.split_size);
  subject.micro_batches = MicroBatches{experiment.data.batch, subject.split_size}.count();
  subject.caution = busyProfileText(stored->ofLanes()).message;
  subject.title = first.key.arch + ", " + counted(subject.split_size, "sample") + " per micro-batch, " +
                  (first.find(subject.split_size) ? "measured" : "interpolated between measured sizes") + " on " +
                  first.key.machine;
  subject.predictor.emplace(std::move(*stored));
  return {};
}

Status loadCosts(const PlanOptions& options, PlanSubject& subject) {
  Result<CostModel> costs =
      subject.resolution ? readCostsOf(subject.resolution->model(), options.costs) : readCosts(options.costs);
  if (!costs.ok()) return costs.error();
  subject.title = counted(static_cast<std::int64_t>(costs->blocks.size()), "block") + " of " + options.costs;
  subject.predictor.emplace(std::move(*costs));
  return {};
}

/// The pipeline of the experiment that is planned for, as far as there is one.
const ResolvedVariant* plannedVariant(const PlanOptions& options, const Resolution& resolution) {
  const ResolvedVariant* found = nullptr;
  for (const ResolvedVariant& variant : resolution.variants()) {
    if (variant.config().strategy != Strategy::Pipeline) continue;
    if (variant.config().schedule == options.schedule) return &variant;
    if (!found) found = &variant;
  }
  return found;
}

/// Limits by --lane-bytes, else those of the experiment's lanes. Nothing where only costs are given.
std::optional<CutExperiment> experimentOf(const PlanOptions& options, const PlanSubject& subject,
                                          const PartitionProblem& problem) {
  if (!subject.resolution) return std::nullopt;
  const Experiment& experiment = subject.resolution->experiment();
  const ResolvedVariant* const variant = plannedVariant(options, *subject.resolution);
  const int batch = options.micro_batches ? subject.split_size * *options.micro_batches : experiment.data.batch;
  CutExperiment own{subject.resolution,
                    variant ? variantModes(experiment.training, variant->config(), problem.lane_of_stage.size())
                            : commonModes(experiment.training),
                    {batch, subject.split_size},
                    subject.window};
  if (options.lane_bytes.empty() && !hasMemoryLimits(experiment)) return own;
  for (std::size_t lane = 0; lane < problem.slowness.size(); ++lane) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (!options.lane_bytes.empty())
      own.limits.push_back(static_cast<std::int64_t>(
          std::min<std::uint64_t>(options.lane_bytes[options.lane_bytes.size() == 1 ? 0 : lane], kMost)));
    else
      own.limits.push_back(lane < experiment.lanes.size() ? experiment.lanes[lane].memoryLimit() : 0);
  }
  return own;
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
                                              static_cast<int>(problem.slowness.size()), problem.micro_batches);
  return request.ok() ? request : Error::badInput("--schedule {}: {}", options.schedule_name, request.error());
}

/// The problem for its stages and lanes. Errors (BadInput): numbers that do not fit together.
Result<PartitionProblem> problemOf(const PlanOptions& options, const PlanSubject& subject) {
  CostModel costs = subject.costs(options.schedule);
  const int blocks = static_cast<int>(costs.blocks.size());
  if (const Status fits = checkRange("--stages", options.stages, blocks, ", the number of blocks"); !fits.ok())
    return fits.error();
  const int lanes = options.lanes.value_or(usualLanes(options.schedule, options.stages));
  if (const Status fits = checkRange("--lanes", lanes, options.stages, ", the number of stages"); !fits.ok())
    return fits.error();
  if (const Status fits = checkPerLane("--slowness", options.slowness.size(), lanes); !fits.ok()) return fits.error();
  if (const Status fits = checkPerLane("--lane-bytes", options.lane_bytes.size(), lanes); !fits.ok())
    return fits.error();

  const auto count = static_cast<std::size_t>(lanes);
  if (options.slowness.size() == 1)
    costs.lane_slowness.assign(count, options.slowness.front());
  else if (!options.slowness.empty())
    costs.lane_slowness = options.slowness;
  else if (costs.lane_slowness.size() < count)
    costs.lane_slowness.clear();  // of more lanes than were measured all are alike
  PartitionProblem problem = chainOf(costs, lanesOfStages(options.schedule, options.stages, lanes), count);
  problem.micro_batches = subject.micro_batches;
  if (const Status ordered = checkForecast(options, problem); !ordered.ok()) return ordered.error();
  return problem;
}

/// The best cut, and beside it those by rules of thumb where the model is known.
Result<std::vector<NamedPartition>> cutAll(const PartitionProblem& problem, const PlanSubject& subject) {
  if (subject.resolution)
    return comparePartitions(problem, subject.resolution->model(),
                             {optimizerStates(subject.resolution->experiment().training), subject.split_size});
  Result<Partition> best = partition(problem);
  if (!best.ok()) return best.error();
  return std::vector<NamedPartition>{{"measured time", std::move(*best)}};
}

Error nothingFits(const CutForecast& forecast, const PlanAnswer& answer, const FastestCut& nearest) {
  const std::vector<std::int64_t> peaks = forecast.peaksOf(nearest.cuts);
  std::vector<std::string> lanes;
  for (std::size_t lane = 0; lane < peaks.size(); ++lane)
    if (answer.limits[lane] > 0 && peaks[lane] > answer.limits[lane])
      lanes.push_back("lane " + std::to_string(lane) + " " + formatBytes(peaks[lane]) + " of " +
                      formatBytes(answer.limits[lane]));
  return Error::badInput(
      "{} into {} keeps every lane within its memory by the forecast. The nearest, {}, takes {}. Use smaller "
      "micro-batches, more stages, recompute, or lanes with more memory.",
      nearest.all_tried ? "No partition" : "None of " + counted(nearest.tried, "partition") + " that were tried",
      counted(answer.problem.lane_of_stage.size(), "stage"), cutsText(answer.problem, nearest.cuts), joinAnd(lanes));
}

/// Where the best cut does not fit, the best that does takes its place. Errors (BadInput): none does.
Status keepWithinMemory(const CutForecast& forecast, PlanAnswer& answer) {
  Partition& best = answer.rows.front().partition;
  if (!forecast.fits(best.cuts)) {
    std::vector<BlockId> start = best.cuts;
    for (const NamedPartition& row : answer.rows)
      if (forecast.fits(row.partition.cuts)) start = row.partition.cuts;
    const FastestCut within = forecast.leastObjective(start);
    if (std::isinf(within.seconds)) return nothingFits(forecast, answer, within);
    const double bound = best.lower_bound;
    best = evaluatePartition(answer.problem, within.cuts);
    best.proven = within.all_tried;
    best.lower_bound = within.all_tried ? best.objective : bound;
  }
  for (const NamedPartition& row : answer.rows) answer.peaks.push_back(forecast.peaksOf(row.partition.cuts));
  return {};
}

/// Predicted only where micro-batches are known. problemOf() has checked that there is such an order.
void predict(const PlanSubject& subject, const CutForecast& forecast, PlanAnswer& answer) {
  if (subject.micro_batches == 0) return;
  for (const NamedPartition& row : answer.rows) answer.forecasts.push_back(forecast.of(row.partition.cuts));
  const FastestCut fastest = forecast.fastest(answer.best().cuts, subject.window);
  answer.fastest = {fastest, forecast.of(fastest.cuts), evaluatePartition(answer.problem, fastest.cuts)};
  if (!answer.limits.empty()) answer.fastest->peaks = forecast.peaksOf(fastest.cuts);
  answer.fastest->range = forecast.stepOf(fastest.cuts, subject.window).range;
  answer.fastest->bound = forecast.boundOf(fastest.cuts, subject.window);
  answer.fastest->stage_times = forecast.stageTimesOf(fastest.cuts);
}

/// What a reader should know of the slowdown of lanes that compute at once.
std::vector<std::string> slowdownNotes(const PlanSubject& subject, std::size_t lanes) {
  constexpr double kShared = 1.5;
  std::vector<std::string> notes;
  if (subject.measured_lanes > 0 && lanes > static_cast<std::size_t>(subject.measured_lanes))
    notes.push_back(
        "The slowdown of lanes that compute at once was measured with " + counted(subject.measured_lanes, "lane") +
        ", not with " + std::to_string(lanes) +
        ": for more lanes it is extrapolated, and lanes without a core of their own take turns, which is not "
        "predicted.");
  if (subject.slowdown > kShared)
    notes.push_back("While all " + counted(subject.measured_lanes, "lane") + " computed, each was " +
                    formatFigures(subject.slowdown) +
                    "x slower than alone: the blocks were measured while cores were shared. Measure them again on an "
                    "idle machine (lanelab-cli profile FILE --refresh).");
  return notes;
}

/// Of the schedule that the options name.
Result<PlanAnswer> answerOf(const PlanOptions& options, const PlanSubject& subject) {
  Result<PartitionProblem> problem = problemOf(options, subject);
  if (!problem.ok()) return problem.error();
  Result<std::vector<NamedPartition>> rows = cutAll(*problem, subject);
  if (!rows.ok()) return rows.error();
  PlanAnswer answer{subject.title, std::move(*problem), std::move(*rows), options.schedule, subject.window};
  const std::optional<CutExperiment> experiment = experimentOf(options, subject, answer.problem);
  const CutForecast forecast(answer.problem, *subject.predictor, options.schedule, experiment);
  if (experiment && !experiment->limits.empty()) {
    answer.limits = experiment->limits;
    answer.caveat = memoryCaveat(subject.resolution->model());
    if (const Status within = keepWithinMemory(forecast, answer); !within.ok()) return within.error();
  }
  predict(subject, forecast, answer);
  answer.notes = slowdownNotes(subject, answer.problem.slowness.size());
  answer.caution = subject.caution;
  return answer;
}

/// The schedule and cut with the shortest prediction, of all schedules that can be made for the stages and lanes; of
/// equal ones the default, then the first.
Result<PlanAnswer> answerOfAny(PlanOptions options, const PlanSubject& subject) {
  if (subject.micro_batches == 0)
    return Error::badInput(
        "--schedule any compares predicted steps, which need the number of micro-batches. Add --micro-batches.");
  options.lanes = options.lanes.value_or(options.stages);
  std::vector<ScheduleKind> kinds = knownSchedules();
  std::ranges::stable_partition(kinds, [](ScheduleKind kind) { return kind == ScheduleKind::OneFOneB; });
  std::vector<PlannedSchedule> all;
  std::optional<PlanAnswer> best;
  std::optional<Error> why_none;
  for (const ScheduleKind kind : kinds) {
    options.schedule = kind;
    options.schedule_name = toWord(kind);
    Result<PlanAnswer> answer = answerOf(options, subject);
    if (!answer.ok()) {
      if (!why_none) why_none = answer.error();
      continue;
    }
    const PlannedCut& fastest = *answer->fastest;
    const double seconds = lengthOf(fastest.forecast, subject.window);
    all.push_back({kind, fastest.found.cuts, seconds, fastest.bound.seconds()});
    if (!best || isShorter(seconds, lengthOf(best->fastest->forecast, subject.window))) best = std::move(*answer);
  }
  if (!best) return *why_none;
  std::ranges::stable_sort(all, {}, &PlannedSchedule::seconds);
  best->schedules = std::move(all);
  return std::move(*best);
}

Status plan(PlanOptions options) {
  const bool any = options.schedule_name == kAnySchedule;
  if (!any) {
    const auto kind = parseScheduleName(options.schedule_name);
    if (!kind.ok()) {
      std::vector<std::string> names = knownScheduleNames();
      names.emplace_back(kAnySchedule);
      return Error::badInput("--schedule {} is not known: {}", options.schedule_name,
                             nearestHint(options.schedule_name, names));
    }
    options.schedule = *kind;
  }
  const Result<PlanSubject> subject = subjectOf(options);
  if (!subject.ok()) return subject.error();
  const Result<PlanAnswer> answer = any ? answerOfAny(options, *subject) : answerOf(options, *subject);
  if (!answer.ok()) return answer.error();
  std::vector<std::string> split;
  for (const PlannedSchedule& one : answer->schedules)
    if (splitsBackward(one.schedule)) split.emplace_back(titleOf(one.schedule));
  if (!any && answer->fastest && splitsBackward(options.schedule)) split.emplace_back(titleOf(options.schedule));
  warnOfMissingWeights(subject->costs(ScheduleKind::ZbH1), split);
  std::cout << (options.json ? planJson(*answer) : planText(*answer));
  return {};
}

}  // namespace

void addPlan(const Command& app, CliContext& context) {
  const Command command = app.subcommand("plan", "Find the best cut of a network into stages, from measured times");
  command.help(
      {.examples = {"plan resources/experiments/demo.json --stages 2",
                    "plan resources/experiments/demo.json --stages 4 --lanes 2 --schedule any",
                    "plan --costs costs.json --stages 4 --micro-batches 8 --json"},
       .notes = "The costs file holds times of one micro-batch: {\"blocks\": [{\"name\", \"forward_ms\", "
                "\"backward_ms\", \"backward_weight_ms\"}], \"transfers_ms\": [...]}. The weight part is included "
                "in the backward. A transfer is one way, at the boundary after its "
                "block. Without --costs the times are those that the command profile has stored. With "
                "micro-batches the step and the period of each cut are predicted, and the cut with the shortest one is "
                "proposed: of all cuts where they are few, else of those reached by moving cuts and blocks. The "
                "step is from its first start to its last end, the period from step to step without a step barrier. "
                "The bound beside it holds for the proposed cuts, whatever the order of their actions. It is "
                "the largest sum that a lane has of the forwards of one micro-batch in the stages in front of it, the "
                "work of the lane of all micro-batches, and the backwards of one micro-batch in the stages in front, "
                "each with its transfers. Split backwards count with their input part behind the work, and weight "
                "parts and updates count in place of what comes behind if they are longer; of a period they count "
                "without what comes before."});
  const auto options = std::make_shared<PlanOptions>();
  command.option("FILE", options->file, "Experiment whose network is cut; rules of thumb are shown for comparison");
  command.option("--costs FILE", options->costs, "JSON file with block times to use instead of measured ones");
  command.option("--stages", options->stages, "Number of stages").required();
  command.option(
      "--lanes", options->lanes,
      "Number of lanes; stages are assigned round-robin (default: one lane per stage; for schedules in a V, such as "
      "zb-v, half as many)");
  command
      .option("--schedule NAME", options->schedule_name,
              "Schedule, which decides the lane of each stage, the predicted step and period, and for --lane-bytes the "
              "micro-batches in flight; any: the schedule with the shortest step of those that the stages and lanes "
              "(default: one per stage) allow")
      .showDefault();
  command.option("--split-size", options->split_size,
                 "Micro-batch size (default: that of the first pipeline variant of FILE)");
  command.option("--micro-batches", options->micro_batches,
                 "Minimize latency + (N-1) x bottleneck (default: from FILE; with --costs only the bottleneck counts)");
  command
      .option("--slowness X,...", options->slowness,
              "Relative time of each lane, such as 1,1.5, or one value for all (default: as measured, else 1)")
      .commaSeparated();
  command
      .option("--lane-bytes SIZE,...", options->lane_bytes,
              "Memory limit of each lane, such as 4GiB,8GiB, or one value for all; needs FILE (default: the "
              "memory_limit_mib of its lanes)")
      .commaSeparated()
      .sizes();
  command.assignments(options->assignments);
  command.json(options->json);
  chosen(command, context, [options] { return plan(*options); });
}

}  // namespace lanelab
