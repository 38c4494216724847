// SPDX-License-Identifier: GPL-3.0-only
// sweep: step time by split size, predicted from measured blocks and measured in training; advises which split size to
// take.
#include <iostream>
#include <memory>

#include "app/cli/checked_experiment.h"
#include "app/cli/cli.h"
#include "app/cli/progress_lines.h"
#include "app/cli/runs_option.h"
#include "app/cli/torch/memory_refusal.h"
#include "app/cli/torch/run_progress.h"
#include "base/json_text.h"
#include "engine/advise/sweep_plan.h"
#include "engine/record/machine_load.h"
#include "engine/record/record_json.h"
#include "engine/record/run_store.h"
#include "engine/record/run_trust.h"
#include "engine/run/runner.h"
#include "engine/torch/train/torch_executor.h"
#include "profiler/io/chrome/chrome_writer.h"

namespace lanelab {
namespace {

constexpr std::size_t kAdvised = 3;  ///< predictions that are worth a measurement: the best one is mostly among them

struct SweepArguments {
  std::string file;
  std::vector<std::string> assignments;
  std::vector<int> split_sizes;
  std::string out;
  std::string runs;
  int repeats = 0;  ///< 0: the file's
  bool predict_only = false;
  bool advise = false;
  bool refresh = false;
  bool force = false;
  bool json = false;
};

Result<std::shared_ptr<const Resolution>> readChecked(const SweepArguments& options) {
  Result<Experiment> experiment = readExperiment(options.file, options.assignments);
  if (!experiment.ok()) return experiment.error();
  if (options.repeats > 0) experiment->repeats = options.repeats;
  return checked(*experiment, options.file);
}

Result<SweepPlan> plan(const SweepArguments& options, Executor& executor, std::stop_token stop) {
  const auto resolution = readChecked(options);
  if (!resolution.ok()) return resolution.error();
  SweepRequest request;
  request.split_sizes = options.split_sizes;
  request.best = options.advise || options.split_sizes.empty() ? kAdvised : 0;
  request.refresh = options.refresh;
  request.memory = memoryRule(options.force);
  Result<SweepPlan> planned = [&] {
    ProgressLines lines(ProgressLines::Length::Long);
    request.report = lines.report();
    return planSweep(**resolution, request, executor, ProfileStore::ofThisUser(), std::move(stop));
  }();
  if (!planned.ok()) return planned.error();
  for (const std::string& warning : planned->warnings) std::cerr << "Warning: " << warning << "\n";
  return planned;
}

Result<RunRecord> measure(const SweepPlan& planned, Executor& executor, const std::string& folder, bool force,
                          const CliContext& context) {
  RunOptions options;
  options.memory = memoryRule(force);
  options.write_trace = [](const Trace& trace, const std::string& path) { return writeChromeTrace(trace, path); };
  options.environment = {{"command", commandLine(context.arguments)}};
  options.packages = commandPackages();
  options.predictions = planned.predictions;
  options.warnings = planned.warnings;
  options.load = measuredLoad();
  RunProgress progress(*planned.resolution, stderrIsTerminal());
  return runExperiment(*planned.resolution, executor, folder, options, progress, context.stop);
}

Json jsonOf(const SweepPoint& point) {
  const auto orNull = [](const std::optional<double>& value) {
    return numberOrNull(value.value_or(0), value.has_value());
  };
  return {{"split_size", point.split_size},
          {"micro_batches", point.micro_batches},
          {"predicted_step_seconds", orNull(point.predicted)},
          {"range90_seconds", point.range ? Json{point.range->low, point.range->high} : Json()},
          {"measured_step_seconds", orNull(point.measured)},
          {"n", point.steps.n},
          {"std", numberOrNull(point.steps.std, point.steps.n > 1)},
          {"ci95", intervalToJson(point.steps.ci95)},
          {"error", orNull(errorOf(point))}};
}

void print(const std::vector<SweepPoint>& points, bool as_json) {
  if (!as_json) {
    std::cout << sweepTable(points) << "\n" << adviceSentence(points).message << "\n";
    if (const Message errors = errorSentence(points); !errors.message.empty()) std::cout << errors.message << "\n";
    return;
  }
  Json json{{"points", Json::array()}};
  for (const SweepPoint& point : points) json["points"].push_back(jsonOf(point));
  if (const auto errors = errorsOf(points)) {
    json["median_error"] = errors->median;
    json["worst_error"] = errors->worst;
  }
  json["advice"] = adviceSentence(points).message;
  std::cout << jsonText(json, 2) << "\n";
}

Status endOfSweep(const RunRecord& record, const std::string& folder) {
  if (record.status == RunStatus::Done) return {};
  const std::string where = " Completed measurements are in " + folder + ".";
  return record.status == RunStatus::Cancelled ? Error::cancelled("The sweep was cancelled.{}", where)
                                               : Error::failed(verbatim(record.error + where));
}

Status sweep(const SweepArguments& options, const CliContext& context) {
  const std::unique_ptr<Executor> executor = makeTorchExecutor();
  const Result<SweepPlan> planned = plan(options, *executor, context.stop);
  if (!planned.ok()) return planned.error();
  if (options.predict_only) {
    print(sweepPoints(planned->predictions), options.json);
    return {};
  }
  const std::string folder = newRunFolder(options.out, options.runs, planned->resolution->experiment().name + " sweep");
  const Result<RunRecord> record = measure(*planned, *executor, folder, options.force, context);
  if (!record.ok()) return record.error();
  print(sweepPoints(*record), options.json);
  if (const std::string trust = runTrust(*record).sentence.message; !options.json && !trust.empty())
    std::cout << trust << "\n";
  if (record->status == RunStatus::Done) std::cerr << "Wrote " << folder << "\n";
  return endOfSweep(*record, folder);
}

}  // namespace

void addSweep(const Command& app, CliContext& context) {
  const Command command = app.subcommand("sweep", "Predict and measure the step time of several micro-batch sizes");
  command.help({.examples = {"sweep resources/experiments/demo.json",
                             "sweep resources/experiments/demo.json --split-sizes 2,4,8,16 --repeats 3",
                             "sweep resources/experiments/demo.json --predict-only --json"},
                .failure = "a measurement failed"});
  const auto options = std::make_shared<SweepArguments>();
  command.option("FILE", options->file, "Experiment; its first pipeline variant is swept").required();
  command
      .option("--split-sizes N,...", options->split_sizes,
              "Micro-batch sizes (split sizes) to predict and measure, such as 1,3,5,8 (default: predict sizes that "
              "suit the batch, measure the best three and the present one)")
      .commaSeparated();
  command.flag("--advise", options->advise,
               "Measure only the present size and the three with the shortest predicted steps");
  command.flag("--predict-only", options->predict_only,
               "Train nothing; predict from block times, which are measured if none are stored");
  command.option("--repeats", options->repeats, "Repeats of each size (default: those of FILE)").positive();
  command.assignments(options->assignments);
  command.option("--out DIR", options->out,
                 "Run folder, new or empty (default: <name>-sweep-<time> in the runs folder)");
  addRunsOption(command, options->runs);
  command.flag("--refresh", options->refresh, "Measure the blocks again even if their times are stored");
  addForce(command, options->force);
  command.json(options->json);
  chosen(command, context, [options, &context] { return sweep(*options, context); });
}

}  // namespace lanelab
