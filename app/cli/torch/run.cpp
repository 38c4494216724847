// SPDX-License-Identifier: GPL-3.0-only
// run: trains an experiment for real, writes a run folder, prints the comparison.
#include <algorithm>
#include <iostream>
#include <memory>
#include <utility>

#include "app/cli/checked_experiment.h"
#include "app/cli/cli.h"
#include "app/cli/runs_option.h"
#include "app/cli/torch/memory_refusal.h"
#include "app/cli/torch/rank_traces.h"
#include "app/cli/torch/run_progress.h"
#include "base/json_text.h"
#include "base/stop_point.h"
#include "base/text.h"
#include "engine/dist/run_processes.h"
#include "engine/experiment/lane_cores.h"
#include "engine/memory/variant_memory.h"
#include "engine/record/machine_load.h"
#include "engine/record/record_json.h"
#include "engine/record/run_trust.h"
#include "engine/report/bound_text.h"
#include "engine/report/comparison_text.h"
#include "engine/report/run_notes.h"
#include "engine/run/rank_agreement.h"
#include "engine/run/runner.h"
#include "engine/torch/train/torch_executor.h"
#include "profiler/io/chrome/chrome_writer.h"
#include "profiler/io/perfetto/trace_appender.h"

namespace lanelab {
namespace {

struct RunArguments {
  std::string file;
  std::vector<std::string> assignments;
  std::string out;
  std::string runs;
  bool save_weights = false;
  bool dry_run = false;
  bool resume = false;
  bool force = false;
  bool when_idle = false;
  int checkpoint = -1;  ///< -1: as the runner does
  bool json = false;
};

/// All that is wrong is named.
Result<std::shared_ptr<const Resolution>> readChecked(const RunArguments& options) {
  const Result<Experiment> experiment = readExperiment(options.file, options.assignments);
  if (!experiment.ok()) return experiment.error();
  auto resolution = resolve(*experiment);
  std::string message;
  for (const ExperimentProblem& problem : resolution->problems()) {
    message += (message.empty() ? options.file + ": " : "\n  ") + problem.where + ": " + problem.message;
  }
  if (!message.empty()) return Error::badInput(verbatim(message));
  return resolution;
}

struct Dry {
  RunRecord record;                 ///< only names and forecasts
  std::vector<MemoryUse> memories;  ///< what is there, whoever needs it
  std::vector<std::string> warnings;
  Status fits;  ///< whether a run would be refused for its memory
};

/// What a run would refuse is refused here, but for the memory, whose forecast is still to be printed.
Result<Dry> forecastOf(const Resolution& resolution, const Executor& executor, const RunArguments& options,
                       const std::stop_token& stop) {
  const Experiment& experiment = resolution.experiment();
  const std::vector<DeviceInfo> devices = executor.devices();  // what is free before the weights are read
  RunOptions run_options;
  run_options.resume = options.resume;
  run_options.memory.force = true;
  Result<CheckedRun> run = checkRun(resolution, executor, options.out, run_options, stop);
  if (!run.ok()) return run.error();
  if (const Status read = withStop(stop, [&] { return executor.readData(resolution); }); !read.ok())
    return read.error();
  Dry dry;
  dry.warnings = std::move(run->warnings);
  dry.fits = fitsMemory({experiment, run->forecasts, devices}, memoryRule(options.force));
  const std::vector<std::string> titles = laneTitles(experiment.lanes);
  for (std::size_t v = 0; v < run->forecasts.size(); ++v) {
    const std::vector<LaneForecast>& forecasts = run->forecasts[v];
    dry.memories = memoryUse(experiment, forecasts, devices);
    VariantRecord& variant = dry.record.variants.emplace_back();
    variant.name = experiment.variants[v].name;
    for (std::size_t lane = 0; lane < forecasts.size(); ++lane) {
      LaneRecord& entry = variant.lanes.emplace_back();
      entry.name = titles[lane];
      entry.device = toString(experiment.lanes[lane].device);
      entry.forecast = forecasts[lane].at_peak;
    }
  }
  return dry;
}

std::string forecastJson(const Dry& dry) {
  Json variants = Json::array();
  for (const VariantRecord& variant : dry.record.variants) {
    Json lanes = Json::array();
    for (const LaneRecord& lane : variant.lanes) {
      lanes.push_back({{"name", lane.name},
                       {"device", lane.device},
                       {"forecast_bytes", lane.forecast.total()},
                       {"forecast", memoryToJson(lane.forecast)}});
    }
    variants.push_back({{"name", variant.name}, {"lanes", std::move(lanes)}});
  }
  Json memories = Json::array();
  for (const MemoryUse& use : dry.memories) memories.push_back({{"name", use.memory}, {"free_bytes", use.there}});
  return jsonText({{"variants", std::move(variants)}, {"memories", std::move(memories)}, {"warnings", dry.warnings}},
                  2) +
         "\n";
}

/// Checks the experiment against this machine and prints the forecast of each lane's peak memory, with warnings on
/// stderr.
Status dryRun(const Resolution& resolution, const Executor& executor, const RunArguments& options,
              const std::stop_token& stop) {
  if (const Status ranks = RunProcesses::check(resolution); !ranks.ok()) return ranks;
  const Result<Dry> dry = forecastOf(resolution, executor, options, stop);
  if (!dry.ok()) return dry.error();
  for (const std::string& sentence : dry->warnings) std::cerr << "Warning: " << sentence << "\n";
  if (options.json) {
    std::cout << forecastJson(*dry);
    return dry->fits;
  }
  std::cout << "Predicted peak memory of each lane (nothing was run):\n" << memoryTable(dry->record);
  for (const MemoryUse& use : dry->memories) {
    if (use.there > 0) std::cout << "Free for tensors in " << use.memory << ": " << formatBytes(use.there) << "\n";
  }
  return dry->fits;
}

bool measuredAnything(const RunRecord& record) {
  return std::ranges::any_of(record.variants, [](const VariantRecord& variant) { return variant.summary.n > 0; });
}

void printNotes(const std::vector<RunNote>& notes, std::initializer_list<RunNote::Kind> kinds) {
  for (const std::string& sentence : noteSentences(notes, kinds)) std::cout << sentence << "\n";
}

void printTable(const RunRecord& record) {
  using enum RunNote::Kind;
  const std::vector<RunNote> notes = runNotes(record);
  std::cout << comparisonTable(record) << "\n" << headline(record).message << "\n";
  // Warnings were printed when they came.
  printNotes(notes, {Trust, Accuracy, Suggestion, Modes, Statistics, RecordingCost, Replicas, GpuActivity, RankClocks});
  const std::string bounds = boundTable(record);
  if (!bounds.empty())
    std::cout
        << "\nSchedule efficiency (measured; ideal: the times of the actions in this order, without transfers and "
           "waits)\n"
        << bounds;
  printNotes(notes, {Bound});
  std::cout << "\nPeak memory of each lane, predicted and measured:\n" << memoryTable(record);
}

/// `folder` is empty in a process that writes none.
Status endOfRun(const RunRecord& record, const std::string& folder) {
  const std::string where = folder.empty() || !holdsRun(folder) ? "" : " Completed measurements are in " + folder + ".";
  if (record.status == RunStatus::Cancelled) return Error::cancelled("The run was cancelled.{}", where);
  if (record.status != RunStatus::Done) return Error::failed(verbatim(record.error + where));
  return {};
}

/// The lanes of all processes, checked again where they are others.
Result<std::shared_ptr<const Resolution>> spread(const RunProcesses& processes,
                                                 const std::shared_ptr<const Resolution>& given,
                                                 const std::string& file) {
  const Result<Experiment> all = processes.spread(*given);
  if (!all.ok()) return all.error();
  if (*all == given->experiment()) return given;
  return checked(*all, file + ", over all processes");
}

/// For RunOptions::join_traces; empty where nothing is recorded, or in one process.
Result<JoinTraces> tracesOfAll(const RunProcesses& processes, const Experiment& experiment) {
  if (!processes.several() || experiment.record == RecordMode::Off) return JoinTraces();
  const Result<std::shared_ptr<RankChannels>> channels = processes.openChannels();
  if (!channels.ok()) return channels.error();
  return rankTraces(*channels);
}

/// What other programs use now; with --when-idle only once they leave the cores that the run needs.
std::optional<MachineLoad> loadBefore(const Experiment& experiment, bool when_idle, const std::stop_token& stop) {
  std::optional<MachineLoad> load = measuredLoad();
  bool said = false;
  while (when_idle && load && !stop.stop_requested()) {
    const std::string text = loadText(*load, experiment).message;
    if (text.empty()) break;
    if (!std::exchange(said, true)) std::cerr << "Waiting until the machine is idle: " << text << ".\n";
    load = measuredLoad();
  }
  return load;
}

/// Empty on an idle machine.
std::string loadWarning(const std::optional<MachineLoad>& load, const Experiment& experiment) {
  const std::string text = load ? loadText(*load, experiment).message : std::string();
  return text.empty() ? text : "Just before the run " + text + ". --when-idle waits until they do not.";
}

Status runTogether(const RunArguments& options, const CliContext& context, const RunProcesses& processes,
                   const std::shared_ptr<const Resolution>& given) {
  const auto resolution = spread(processes, given, options.file);
  if (!resolution.ok()) return resolution.error();
  const Experiment& experiment = (*resolution)->experiment();
  const Result<std::string> agreed = processes.asFirstHas(newRunFolder(options.out, options.runs, experiment.name));
  if (!agreed.ok()) return agreed.error();
  const std::string& folder = *agreed;
  const std::unique_ptr<Executor> executor = makeTorchExecutor(processes.peers());
  auto join_traces = tracesOfAll(processes, experiment);
  if (!join_traces.ok()) return join_traces.error();
  RunOptions run_options;
  run_options.join_traces = std::move(*join_traces);
  run_options.save_weights = options.save_weights;
  run_options.resume = options.resume;
  run_options.memory = memoryRule(options.force);
  run_options.rank = processes.rank();
  run_options.writes = processes.first();
  run_options.meet = [&] {
    const Result<std::string> met = processes.asFirstHas({});
    return met.ok() ? Status() : Status(met.error());
  };
  run_options.failed = [&](const std::string& why) { processes.fail(why); };
  if (options.checkpoint >= 0) run_options.checkpoint_every = options.checkpoint;
  run_options.write_trace = [](const Trace& trace, const std::string& path) { return writeChromeTrace(trace, path); };
  run_options.store_live_trace = storeLiveTraceFile;
  run_options.load = loadBefore(experiment, options.when_idle, context.stop);
  if (context.stop.stop_requested()) return Error::cancelled("The run was cancelled before it began.");
  run_options.environment = {{"command", commandLine(context.arguments)}};
  run_options.packages = commandPackages();
  Result<RunRecord> record = [&] {
    RunProgress progress(**resolution, stderrIsTerminal(), loadWarning(run_options.load, experiment));
    RunObserver silent;
    RunObserver& observer = processes.first() ? progress : silent;
    return runExperiment(**resolution, *executor, folder, run_options, observer, context.stop);
  }();
  if (!record.ok()) return record.error();
  if (!processes.first()) return endOfRun(*record, {});
  if (options.json) {
    std::cout << toJson(*record);
  } else if (measuredAnything(*record)) {
    printTable(*record);
  }
  if (record->status == RunStatus::Done) std::cerr << "Wrote " << folder << "\n";
  return endOfRun(*record, folder);
}

/// What would part the ranks if it differed. Rank 0 names the folder.
AgreedOptions agreedOptions(const RunArguments& options) {
  const auto flag = [](bool on) { return std::string(on ? "on" : "off"); };
  AgreedOptions agreed{{"--force", flag(options.force)},
                       {"--resume", flag(options.resume)},
                       {"--save-weights", flag(options.save_weights)}};
  if (options.checkpoint >= 0) agreed.emplace_back("--checkpoint", std::to_string(options.checkpoint));
  return agreed;
}

Status run(const RunArguments& options, CliContext& context) {
  const auto resolution = readChecked(options);
  if (!resolution.ok()) return resolution.error();
  if (options.dry_run) return dryRun(**resolution, *makeTorchExecutor(), options, context.stop);
  const Status fits = RunProcesses::check(**resolution);
  const Result<RunProcesses> processes =
      RunProcesses::join(rankAgreement((*resolution)->experiment(), agreedOptions(options)),
                         [](const std::string& sentence) { std::cerr << sentence << std::endl; });
  if (!processes.ok()) {
    context.leave = [](int exit_code) { RunProcesses().leave(exit_code); };  // a thread may still wait for the network
    return fits.ok() ? processes.error() : fits.error();
  }
  if (processes->several()) context.leave = [processes = *processes](int exit_code) { processes.leave(exit_code); };
  const Status done = fits.ok() ? runTogether(options, context, *processes, *resolution) : fits;
  if (!done.ok()) processes->fail(done.error().message);
  return done;
}

}  // namespace

void addRun(const Command& app, CliContext& context) {
  const Command command = app.subcommand("run", "Train an experiment, write a run folder and print the comparison");
  command.help({.examples = {"run resources/experiments/demo.json --dry-run",
                             "run resources/experiments/demo.json --out runs/demo --set repeats=10",
                             "run resources/experiments/digits.json --out runs/digits --resume"},
                .failure = "the training failed or a rank was lost"});
  const auto options = std::make_shared<RunArguments>();
  command.option("FILE", options->file, "Experiment, such as resources/experiments/demo.json").required();
  command.assignments(options->assignments);
  const Option out =
      command.option("--out DIR", options->out, "Run folder, new or empty (default: <name>-<time> in the runs folder)");
  addRunsOption(command, options->runs);
  command.flag("--save-weights", options->save_weights,
               "Store the weights of each variant after its last step as weights-<variant>.safetensors");
  command
      .flag("--resume", options->resume,
            "Continue the unfinished run in --out from its last checkpoint, on CPU lanes to the same bits; start it if "
            "there is none")
      .needs(out);
  command
      .option(
          "--checkpoint", options->checkpoint,
          "Store a checkpoint every N epochs, or every N steps if data.epochs is not set; 0 for none (default: every "
          "epoch)")
      .between(0, 1000000);
  addForce(command, options->force);
  command.flag("--when-idle", options->when_idle, "Wait until other programs leave the cores that the lanes need");
  command.flag("--dry-run", options->dry_run,
               "Refuse what a run would refuse, and print the predicted memory of each lane; train and write nothing");
  command.json(options->json, "run.json instead of tables; with --dry-run the predicted memory");
  chosen(command, context, [options, &context] { return run(*options, context); });
}

}  // namespace lanelab
