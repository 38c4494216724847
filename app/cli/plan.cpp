// plan: the best way to cut a model's blocks into stages, from measured times.
#include <algorithm>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "app/cli/planning_costs.h"
#include "app/cli/text_table.h"
#include "engine/base/text.h"
#include "engine/plan/generate.h"
#include "engine/plan/micro_batches.h"
#include "engine/plan/partition_compare.h"
#include "engine/run/variant_plan.h"
#include "engine/sim/cost_file.h"
#include "engine/sim/measured_costs.h"
#include "engine/torch/torch_executor.h"

namespace lanelab {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostMicroBatches = 32767;

struct Options {
  std::string file;
  std::vector<std::string> assignments;
  std::string costs;
  int stages = 0;
  std::optional<int> lanes;
  std::optional<int> split_size;
  std::optional<int> micro_batches;
  std::string schedule = "1f1b";
  std::vector<double> slowness;
  std::vector<std::uint64_t> lane_bytes;
  bool json = false;
};

/// What is to be cut.
struct Subject {
  std::string title;
  CostModel costs;
  std::optional<Experiment> experiment;
  std::optional<ModelSpec> model;
  std::vector<double> slowness;  ///< of the experiment's lanes, as measured; empty: not known
  int split_size = 0;            ///< 0: not known
  int micro_batches = 0;         ///< 0: only the bottleneck counts
};

// --- Reading

int splitSizeOf(const Experiment& experiment) {
  for (const VariantConfig& variant : experiment.variants) {
    if (variant.strategy == "pipeline" && variant.split_size) return *variant.split_size;
  }
  return experiment.data.batch;
}

Status takeExperiment(const Options& options, Subject& subject) {
  Result<Experiment> experiment = readExperiment(options.file, options.assignments);
  if (!experiment.ok()) return experiment.error();
  if (const auto problems = findProblems(*experiment); !problems.empty())
    return Error::badInput(options.file + ": " + problems.front().where + ": " + problems.front().message);
  Result<ModelSpec> model = modelOf(*experiment);
  if (!model.ok()) return model.error();
  subject.split_size = options.split_size.value_or(splitSizeOf(*experiment));
  const int batch = experiment->data.batch;
  if (subject.split_size < 1 || subject.split_size > batch) {
    return Error::badInput("--split-size is " + std::to_string(subject.split_size) + ": choose from 1 to " + std::to_string(batch) + " (the batch).");
  }
  subject.experiment = std::move(*experiment);
  subject.model = std::move(*model);
  return {};
}

Status takeProfiles(const Options& options, Subject& subject) {
  const std::unique_ptr<Executor> executor = makeTorchExecutor();
  const Result<LaneProfiles> kept = keptProfilesOf(*subject.experiment, options.file, *executor);
  if (!kept.ok()) return kept.error();
  const BlockProfile& first = *kept->ofLanes().front();
  subject.costs = costsAt(first, subject.split_size);
  for (const BlockProfile* const profile : kept->ofLanes()) subject.slowness.push_back(slownessOf(first, *profile, subject.split_size));
  subject.micro_batches = MicroBatches{subject.experiment->data.batch, subject.split_size}.count();
  subject.title = first.key.arch + ", " + std::to_string(subject.split_size) + (subject.split_size == 1 ? " sample" : " samples") +
                  " a micro-batch, " + (first.find(subject.split_size) ? "as measured" : "on the line between measured sizes") + " on " +
                  first.key.machine;
  return {};
}

Status takeCosts(const Options& options, Subject& subject) {
  Result<CostModel> costs = subject.model ? readCostsOf(*subject.model, options.costs) : readCosts(options.costs);
  if (!costs.ok()) return costs.error();
  subject.costs = std::move(*costs);
  subject.title = std::to_string(subject.costs.blocks.size()) + " blocks of " + options.costs;
  return {};
}

Result<Subject> subjectOf(const Options& options) {
  if (options.file.empty() && options.costs.empty())
    return Error::badInput("Neither FILE nor --costs is given: name an experiment whose model was profiled, or a file of costs.");
  if (options.file.empty() && (options.split_size || !options.assignments.empty()))
    return Error::badInput(std::string(options.split_size ? "--split-size" : "--set") +
                           " needs FILE, an experiment: name it, or leave the option out.");
  if (options.file.empty() && !options.lane_bytes.empty())
    return Error::badInput("--lane-bytes needs FILE, an experiment: only the model says what its blocks hold.");
  Subject subject;
  if (!options.file.empty()) {
    if (const Status taken = takeExperiment(options, subject); !taken.ok()) return taken.error();
  }
  if (const Status taken = options.costs.empty() ? takeProfiles(options, subject) : takeCosts(options, subject); !taken.ok()) return taken.error();
  if (options.micro_batches) {
    if (*options.micro_batches < 1 || *options.micro_batches > kMostMicroBatches) {
      return Error::badInput("--micro-batches is " + std::to_string(*options.micro_batches) + ": choose from 1 to " +
                             std::to_string(kMostMicroBatches) + ".");
    }
    subject.micro_batches = *options.micro_batches;
  }
  return subject;
}

// --- Stating the problem

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

Status limitMemory(const Options& options, const Subject& subject, PartitionProblem& problem) {
  for (std::size_t lane = 0; lane < problem.lanes.size(); ++lane) {
    const std::uint64_t bytes = options.lane_bytes[options.lane_bytes.size() == 1 ? 0 : lane];
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    problem.lanes[lane].memory = static_cast<std::int64_t>(std::min(bytes, most));
  }
  const Result<Schedule> schedule = generateSchedule(options.schedule, problem.lane_of_stage, static_cast<int>(problem.lanes.size()),
                                                     MicroBatches{subject.experiment->data.batch, subject.split_size}.count());
  if (!schedule.ok()) return Error::badInput("--schedule " + options.schedule + ": " + schedule.error().message);
  problem.in_flight = mostInFlight(*schedule);
  return {};
}

Status checkPerLane(const char* option, std::size_t values, int lanes) {
  if (values <= 1 || values == static_cast<std::size_t>(lanes)) return {};
  return Error::badInput(std::string(option) + " holds " + std::to_string(values) + " values for " + std::to_string(lanes) +
                         (lanes == 1 ? " lane" : " lanes") + ": give one a lane, or one for all.");
}

Result<PartitionProblem> problemOf(const Options& options, const Subject& subject) {
  const int blocks = static_cast<int>(subject.costs.blocks.size());
  if (options.stages < 1 || options.stages > blocks) {
    return Error::badInput("--stages is " + std::to_string(options.stages) + ": choose from 1 to " + std::to_string(blocks) +
                           ", the number of blocks.");
  }
  const bool in_v = options.schedule == "zb-v" && options.stages % 2 == 0;
  const int lanes = options.lanes.value_or(in_v ? options.stages / 2 : options.stages);
  if (lanes < 1 || lanes > options.stages)
    return Error::badInput("--lanes is " + std::to_string(lanes) + ": choose from 1 to " + std::to_string(options.stages) +
                           ", the number of stages.");
  if (const Status fits = checkPerLane("--slowness", options.slowness.size(), lanes); !fits.ok()) return fits.error();
  if (const Status fits = checkPerLane("--lane-bytes", options.lane_bytes.size(), lanes); !fits.ok()) return fits.error();

  PartitionProblem problem;
  for (const BlockCost& block : subject.costs.blocks) problem.blocks.push_back({block.name, block.forward + block.backward, 0, 0, 0});
  problem.transfers = subject.costs.transfers;
  problem.lanes.resize(static_cast<std::size_t>(lanes));
  for (std::size_t lane = 0; lane < problem.lanes.size() && !options.slowness.empty(); ++lane)
    problem.lanes[lane].slowness = options.slowness[options.slowness.size() == 1 ? 0 : lane];
  if (options.slowness.empty() && subject.slowness.size() >= problem.lanes.size()) {
    for (std::size_t lane = 0; lane < problem.lanes.size(); ++lane) problem.lanes[lane].slowness = subject.slowness[lane];
  }
  std::vector<LaneId> all;
  for (int lane = 0; lane < lanes; ++lane) all.emplace_back(lane);
  problem.lane_of_stage = lanesOfStages(options.schedule, options.stages, all);
  problem.micro_batches = subject.micro_batches;
  if (subject.model) setBytes(problem, *subject.model, optimizerStates(subject.experiment->training), subject.split_size);
  if (!options.lane_bytes.empty()) {
    if (const Status limited = limitMemory(options, subject, problem); !limited.ok()) return limited.error();
  }
  return problem;
}

/// The best cut, and beside it those by rules of thumb where the model is known.
Result<std::vector<NamedPartition>> cutAll(const PartitionProblem& problem, const Subject& subject) {
  if (subject.model) return comparePartitions(problem, *subject.model);
  Result<Partition> best = partition(problem);
  if (!best.ok()) return best.error();
  return std::vector<NamedPartition>{{"measured time", std::move(*best)}};
}

// --- Telling the answer

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

/// How many times as fast as the fastest lane alone, with more and more micro-batches.
double speedUp(const PartitionProblem& problem, const Partition& cut) { return cut.bottleneck > 0 ? oneLane(problem) / cut.bottleneck : 1; }

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

std::string toJson(const PartitionProblem& problem, const std::vector<NamedPartition>& rows) {
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
  object["stages"] = std::move(stages);
  object["comparison"] = Json::array();
  for (const NamedPartition& row : rows) object["comparison"].push_back(jsonOf(problem, row));
  return object.dump(2) + "\n";
}

std::string percent(double part, double whole) { return whole > 0 ? formatNumber(100 * part / whole) + " %" : "-"; }

std::string stagesTable(const PartitionProblem& problem, const Partition& cut) {
  double all = 0;
  for (const double time : cut.stage_times) all += time;
  std::vector<TextRow> rows = {{"Stage", "Lane", "Blocks", "Forward and backward, ms", "Share"}};
  for (std::size_t s = 0; s < cut.stage_times.size(); ++s) {
    const std::size_t first = s == 0 ? 0 : cut.cuts[s - 1].index();
    const std::size_t last = (s < cut.cuts.size() ? cut.cuts[s].index() : problem.blocks.size()) - 1;
    rows.push_back({std::to_string(s), std::to_string(problem.lane_of_stage[s].value),
                    problem.blocks[first].name + (first == last ? "" : " to " + problem.blocks[last].name), millisecondsText(cut.stage_times[s]),
                    percent(cut.stage_times[s], all)});
  }
  return textTable(rows, 3);
}

std::string joined(const std::vector<std::string>& names, const std::string& between) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : between) + name;
  return text;
}

std::string comparisonTable(const PartitionProblem& problem, const std::vector<NamedPartition>& rows) {
  std::vector<TextRow> table = {{"Balanced by", "Cuts before", "Bottleneck, ms", "Over the best", "At most, times one lane"}};
  const double best = rows.front().partition.bottleneck;
  for (const NamedPartition& row : rows) {
    const Partition& cut = row.partition;
    const double over = best > 0 ? 100 * (cut.bottleneck / best - 1) : 0;
    table.push_back({row.name + (cut.fits ? "" : " (does not fit)"), joined(namesOf(problem, cut), ", "), millisecondsText(cut.bottleneck),
                     formatNumber(over) + " %", formatNumber(speedUp(problem, cut), 4)});
  }
  return textTable(table, 2);
}

std::string provenText(const PartitionProblem& problem, const Partition& best) {
  const std::string measure = problem.micro_batches > 0 ? "takes less for " + std::to_string(problem.micro_batches) +
                                                              (problem.micro_batches == 1 ? " micro-batch" : " micro-batches") +
                                                              " (latency + (m-1) x bottleneck: " + millisecondsText(best.objective) + " ms)"
                                                        : std::string("has a smaller bottleneck");
  if (best.proven) return "Proven: no other cut into these stages " + measure + ".\n";
  return "The best that was found in the time allowed; none is below " + millisecondsText(best.lower_bound) + " ms.\n";
}

std::string toText(const Subject& subject, const PartitionProblem& problem, const std::vector<NamedPartition>& rows) {
  const Partition& best = rows.front().partition;
  std::string text = subject.title + "\n\n" + stagesTable(problem, best) + "\nBottleneck " + millisecondsText(best.bottleneck) + " ms, latency " +
                     millisecondsText(best.latency) + " ms; with many micro-batches at most " + formatNumber(speedUp(problem, best), 4) +
                     " times as fast as one lane.\n" + provenText(problem, best);
  if (rows.size() > 1) text += "\n" + comparisonTable(problem, rows);
  const std::vector<std::string> names = namesOf(problem, best);
  if (!names.empty()) text += "\nFor an experiment: \"cuts\": [\"" + joined(names, "\", \"") + "\"]\n";
  return text;
}

Status plan(const Options& options) {
  if (const auto known = knownSchedules(); std::find(known.begin(), known.end(), options.schedule) == known.end()) {
    const std::string near = nearestName(options.schedule, known);
    return Error::badInput("--schedule " + options.schedule +
                           " is not known: " + (near.empty() ? "choose " + joinOr(known) + "." : "did you mean \"" + near + "\"?"));
  }
  const Result<Subject> subject = subjectOf(options);
  if (!subject.ok()) return subject.error();
  const Result<PartitionProblem> problem = problemOf(options, *subject);
  if (!problem.ok()) return problem.error();
  const Result<std::vector<NamedPartition>> rows = cutAll(*problem, *subject);
  if (!rows.ok()) return rows.error();
  std::cout << (options.json ? toJson(*problem, *rows) : toText(*subject, *problem, *rows));
  return {};
}

}  // namespace

void addPlan(CLI::App& app, CliContext& context) {
  CLI::App* command = app.add_subcommand("plan", "Cut a model's blocks into stages: provably the best, on measured times");
  const auto options = std::make_shared<Options>();
  command->add_option("FILE", options->file,
                      "The experiment whose model is cut, on the times that the command profile kept; the cut is compared with rules of thumb");
  command->add_option(
      "--costs", options->costs,
      "Times of one micro-batch instead: {\"blocks\": [{\"name\", \"forward_ms\", \"backward_ms\"}], \"transfers_ms\": [...]}; a transfer is one "
      "way, at the boundary after its block");
  command->add_option("--stages", options->stages, "Stages in all")->required();
  command->add_option("--lanes", options->lanes, "Lanes that the stages go round (default: one lane a stage; for zb-v half as many, in a V)");
  command->add_option("--schedule", options->schedule, "Decides on which lanes stages lie, and for --lane-bytes how many micro-batches they hold")
      ->capture_default_str();
  command->add_option("--split-size", options->split_size, "Samples a micro-batch (default: that of FILE's first pipeline variant)");
  command->add_option("--micro-batches", options->micro_batches,
                      "Minimise latency + (m-1) x bottleneck for this many (default: FILE's; with --costs only the bottleneck counts)");
  command
      ->add_option("--slowness", options->slowness,
                   "How many times as long each lane takes, such as 1,1.5, or one for all (default: as measured, else 1)")
      ->delimiter(',');
  command->add_option("--lane-bytes", options->lane_bytes, "Most that each lane may hold, such as 4GiB,8GiB, or one for all; needs FILE")
      ->delimiter(',')
      ->transform(CLI::AsSizeValue(true));
  command->add_option("--set", options->assignments, "Change a value of FILE first, such as data.batch=64; may be given again")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command->add_flag("--json", options->json, "One JSON object");
  chosen(command, context, [options] { return plan(*options); });
}

}  // namespace lanelab
