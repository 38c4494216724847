// SPDX-License-Identifier: GPL-3.0-only
// sweep: step time by split size, predicted from measured blocks and measured in training; advises which split size to
// take.
#include <iostream>
#include <memory>

#include "app/cli/checked_experiment.h"
#include "app/cli/cli.h"
#include "app/cli/torch/run_progress.h"
#include "base/json_text.h"
#include "engine/advise/sweep_plan.h"
#include "engine/record/record_json.h"
#include "engine/record/run_store.h"
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
  int repeats = 0;  ///< 0: the file's
  bool predict_only = false;
  bool advise = false;
  bool refresh = false;
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
  request.report = [](const std::string& sentence) { std::cerr << sentence << "\n"; };
  Result<SweepPlan> planned = planSweep(**resolution, request, executor, ProfileStore::ofThisUser(), std::move(stop));
  if (!planned.ok()) return planned.error();
  for (const std::string& warning : planned->warnings) std::cerr << "Warning: " << warning << "\n";
  return planned;
}

Result<RunRecord> measure(const SweepPlan& planned, Executor& executor, const std::string& folder,
                          const CliContext& context) {
  RunOptions options;
  options.write_trace = writeChromeTrace;
  options.environment = {{"command", commandLine(context.arguments)}};
  options.predictions = planned.predictions;
  RunProgress progress(planned.resolution->experiment(), stderrIsTerminal());
  return runExperiment(*planned.resolution, executor, folder, options, progress, context.stop);
}

Json jsonOf(const SweepPoint& point) {
  const auto orNull = [](const std::optional<double>& value) {
    return numberOrNull(value.value_or(0), value.has_value());
  };
  return {{"split_size", point.split_size},
          {"micro_batches", point.micro_batches},
          {"predicted_step_seconds", orNull(point.predicted)},
          {"measured_step_seconds", orNull(point.measured)},
          {"n", point.steps.n},
          {"std", numberOrNull(point.steps.std, point.steps.n > 1)},
          {"ci95", intervalToJson(point.steps.ci95)},
          {"error", orNull(errorOf(point))}};
}

void print(const std::vector<SweepPoint>& points, bool as_json) {
  if (!as_json) {
    std::cout << sweepTable(points) << "\n" << adviceSentence(points) << "\n";
    if (const std::string errors = errorSentence(points); !errors.empty()) std::cout << errors << "\n";
    return;
  }
  Json json{{"points", Json::array()}};
  for (const SweepPoint& point : points) json["points"].push_back(jsonOf(point));
  if (const auto errors = errorsOf(points)) {
    json["median_error"] = errors->median;
    json["worst_error"] = errors->worst;
  }
  json["advice"] = adviceSentence(points);
  std::cout << jsonText(json, 2) << "\n";
}

Status endOfSweep(const RunRecord& record, const std::string& folder) {
  if (record.status == RunStatus::Done) return {};
  const std::string kept = " What was measured is in " + folder + ".";
  return record.status == RunStatus::Cancelled ? Error::cancelled("The sweep was cancelled.{}", kept)
                                               : Error::failed(verbatim(record.error + kept));
}

Status sweep(const SweepArguments& options, const CliContext& context) {
  const std::unique_ptr<Executor> executor = makeTorchExecutor();
  const Result<SweepPlan> planned = plan(options, *executor, context.stop);
  if (!planned.ok()) return planned.error();
  if (options.predict_only) {
    print(sweepPoints(planned->predictions), options.json);
    return {};
  }
  const std::string folder =
      options.out.empty() ? defaultRunPath("runs", planned->resolution->experiment().name + " sweep") : options.out;
  const Result<RunRecord> record = measure(*planned, *executor, folder, context);
  if (!record.ok()) return record.error();
  print(sweepPoints(*record), options.json);
  if (record->status == RunStatus::Done) std::cerr << "Written to " << folder << "\n";
  return endOfSweep(*record, folder);
}

}  // namespace

void addSweep(const Command& app, CliContext& context) {
  const Command command =
      app.subcommand("sweep", "Predict and measure step time by split size, and advise which to take");
  const auto options = std::make_shared<SweepArguments>();
  command.option("FILE", options->file, "The experiment; its first pipeline variant is swept").required();
  command
      .option("--split-sizes", options->split_sizes,
              "Split sizes to predict and measure, such as 1,3,5,8,10,12,20,40,60. Left out: the usual ones are "
              "predicted and the best three measured")
      .commaSeparated()
      .typeName("N,...");
  command.flag("--advise", options->advise, "Measure only the best three predictions of the split sizes given");
  command.flag("--predict-only", options->predict_only,
               "Train nothing: predict from block times, which are measured where they are not kept yet");
  command.option("--repeats", options->repeats, "Repeats of each split size instead of the file's")
      .positive()
      .typeName("N");
  command.assignments(options->assignments, "Change a value first, such as data.batch=64");
  command.option("--out", options->out, "The run folder, absent or empty (default: runs/<name>-sweep-<time>)")
      .typeName("DIR");
  command.flag("--refresh", options->refresh, "Measure the blocks anew, though their times are kept");
  command.flag("--json", options->json, "Print one JSON object");
  chosen(command, context, [options, &context] { return sweep(*options, context); });
}

}  // namespace lanelab
