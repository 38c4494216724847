// SPDX-License-Identifier: GPL-3.0-only
// simulate: how long a step of each variant takes with and without a step barrier, and what each lane does in it,
// without training.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "app/cli/checked_experiment.h"
#include "app/cli/cli.h"
#include "app/cli/planning_costs.h"
#include "base/json_text.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/experiment/lane_cores.h"
#include "engine/experiment/resolution.h"
#include "profiler/io/chrome/chrome_writer.h"

namespace lanelab {
namespace {

struct SimulateArguments {
  std::string file;
  std::vector<std::string> assignments;
  std::string costs;
  std::string variant;  ///< empty: all
  std::string trace;
  bool json = false;
};

struct SimulatedVariant {
  const ResolvedVariant* variant;
  Simulation simulation;  ///< in the window that it runs with
  StepForecast forecast;
  std::optional<ForecastRange> range;  ///< of the simulation's window; none with a costs file

  const VariantPlan& plan() const { return *variant->plan(); }
};

/// Those to simulate: all, or the one that was asked for.
Result<std::vector<const ResolvedVariant*>> chosenVariants(const SimulateArguments& options,
                                                           const Resolution& resolution) {
  std::vector<const ResolvedVariant*> all;
  std::vector<std::string> names;
  for (const ResolvedVariant& variant : resolution.variants()) {
    all.push_back(&variant);
    names.push_back(variant.config().name);
  }
  if (options.variant.empty()) return all;
  if (const ResolvedVariant* const one = resolution.find(options.variant)) return std::vector{one};
  return Error::badInput("--variant {}: there is no such variant in {}. Choose {}.", options.variant, options.file,
                         joinOr(names));
}

Result<SimulatedVariant> simulated(CostSource& source, const ResolvedVariant& variant, const std::string& file) {
  const Result<StepPredictor> predictor = predictorFrom(source, variant, file);
  if (!predictor.ok()) return predictor.error();
  const auto ordered = predictor->ordered(variant);
  const ResolvedVariant& own = ordered ? ordered->variants().front() : variant;
  if (!own.plan().ok()) return Error::badInput("{}: {}", file, own.plan().error());
  Simulation simulation = predictor->simulation(*own.plan());
  const StepForecast forecast = predictor->bothWindows(own, simulation);
  const auto range = predictor->withRange(*own.plan(), simulation.step_seconds).range;
  return SimulatedVariant{&variant, std::move(simulation), forecast, range};
}

Json jsonOf(const Experiment& experiment, const SimulatedVariant& variant) {
  Json lanes = Json::array();
  const std::vector<std::string> titles = laneTitles(experiment.lanes);
  for (std::size_t i = 0; i < variant.simulation.lanes.size(); ++i) {
    const SimulatedLane& lane = variant.simulation.lanes[i];
    lanes.push_back({{"name", titles[i]},
                     {"device", toString(experiment.lanes[i].device)},
                     {"busy_ms", millisecondsOf(lane.busy)},
                     {"idle_ms", millisecondsOf(lane.idle)}});
  }
  return {{"name", variant.plan().name},
          {"strategy", toWord(variant.plan().strategy)},
          {"schedule", toWord(variant.plan().schedule_kind)},
          {"micro_batches", variant.plan().micro_batches.count()},
          {"step_ms", millisecondsOf(variant.forecast.step_seconds)},
          {"period_ms", millisecondsOf(variant.forecast.period_seconds)},
          {"window", toWord(variant.simulation.window)},
          {"range90_ms", millisecondsOf(variant.range)},
          {"step_barrier", toWord(variant.plan().step_barrier)},
          {"lanes", std::move(lanes)}};
}

std::string toJson(const Experiment& experiment, const std::vector<SimulatedVariant>& variants,
                   const std::string& caution) {
  Json object = {{"variants", Json::array()}};
  if (!caution.empty()) object["caution"] = caution;
  for (const SimulatedVariant& variant : variants) object["variants"].push_back(jsonOf(experiment, variant));
  return jsonText(object, 2) + "\n";
}

/// Of each variant that has a step barrier although the file asks for none.
std::string barrierNotes(const std::vector<SimulatedVariant>& variants) {
  std::string notes;
  for (const SimulatedVariant& variant : variants) {
    if (const std::string reason = reasonOf(variant.plan().step_barrier); !reason.empty())
      notes += variant.plan().name + " has a step barrier (" + toWord(variant.plan().step_barrier) +
               ") in spite of step_barrier false. " + reason + "\n";
  }
  return notes;
}

std::string toText(const Experiment& experiment, const std::vector<SimulatedVariant>& variants,
                   const CostSource& source) {
  std::vector<TextRow> rows = {{"Variant", "Lane", "Micro-batches", "Step (ms)", "Period (ms)", "Window",
                                "90 % range (ms)", "Busy (ms)", "Idle (ms)", "Idle (%)"}};
  const std::vector<std::string> titles = laneTitles(experiment.lanes);
  for (const SimulatedVariant& variant : variants) {
    const double window = variant.simulation.step_seconds;
    bool first = true;
    for (std::size_t i = 0; i < variant.simulation.lanes.size(); ++i) {
      const SimulatedLane& lane = variant.simulation.lanes[i];
      if (lane.busy <= 0) continue;  // another variant's lane
      const bool titled = std::exchange(first, false);
      rows.push_back({titled ? variant.plan().name : "", titles[i],
                      titled ? std::to_string(variant.plan().micro_batches.count()) : "",
                      titled ? millisecondsText(variant.forecast.step_seconds) : "",
                      titled ? millisecondsText(variant.forecast.period_seconds) : "",
                      titled ? toWord(variant.simulation.window) : "", titled ? millisecondsText(variant.range) : "",
                      millisecondsText(lane.busy), millisecondsText(lane.idle),
                      window > 0 ? formatNumber(100 * lane.idle / window) : "-"});
    }
  }
  return textTable(rows, 2) + "\nPredicted, " + source.words +
         ". Busy and idle are those of the window: a step, which all lanes begin together, or the period of steps "
         "without a barrier." +
         (std::ranges::any_of(variants, [](const SimulatedVariant& variant) { return variant.range.has_value(); })
              ? " The range should hold the window of nine runs in ten while the machine is as busy as when the "
                "blocks were measured.\n"
              : " A file of costs has no spread, so there is no range.\n") +
         (source.caution.empty() ? "" : source.caution + "\n") + barrierNotes(variants);
}

Status writeTrace(const SimulateArguments& options, const std::vector<SimulatedVariant>& variants) {
  if (options.trace.empty()) return {};
  if (variants.size() != 1) return Error::badInput("--trace writes one variant. Choose it with --variant.");
  const SimulatedVariant& variant = variants.front();
  return writeChromeTrace(*predictedTrace(variant.simulation, *variant.variant), options.trace);
}

Status simulateAll(const SimulateArguments& options) {
  const Result<Experiment> experiment = readExperiment(options.file, options.assignments);
  if (!experiment.ok()) return experiment.error();
  const auto resolution = resolve(*experiment);
  // What cannot be trained may be simulated, such as a batch norm on one value a channel.
  if (const Status planned = resolution->planned(); !planned.ok())
    return Error::badInput("{}: {}", options.file, planned.error());
  if (const Status epochs = checkEpochRows(*resolution, options.file); !epochs.ok()) return epochs;
  const auto chosen = chosenVariants(options, *resolution);
  if (!chosen.ok()) return chosen.error();
  Result<CostSource> source = costSource(options.costs, resolution->model());
  if (!source.ok()) return source.error();
  std::vector<SimulatedVariant> variants;
  for (const ResolvedVariant* const variant : *chosen) {
    Result<SimulatedVariant> one = simulated(*source, *variant, options.file);
    if (!one.ok()) return one.error();
    variants.push_back(std::move(*one));
  }
  std::vector<std::string> split;
  for (const SimulatedVariant& variant : variants)
    if (splitsBackward(variant.plan().schedule)) split.push_back(variant.plan().name);
  warnOfMissingWeights(source->fixed, split);
  if (const Status written = writeTrace(options, variants); !written.ok()) return written;
  std::cout << (options.json ? toJson(*experiment, variants, source->caution) : toText(*experiment, variants, *source));
  return {};
}

}  // namespace

void addSimulate(const Command& app, CliContext& context) {
  const Command command = app.subcommand(
      "simulate", "Predict the step time, the period and the idle time of each variant without training");
  command.help({.examples = {"simulate resources/experiments/demo.json",
                             "simulate resources/experiments/demo.json --variant Pipeline --trace predicted.json.gz",
                             "simulate experiment.json --costs costs.json --set training.step_barrier=false --json"},
                .notes = "The step is from its first start to its last end, with all lanes beginning together; the "
                         "period is the time from step to step where lanes do not wait for each other "
                         "(training.step_barrier false). The window of a variant is the one that it runs with. The "
                         "costs file holds times of one micro-batch: {\"blocks\": [{\"name\", \"forward_ms\", "
                         "\"backward_ms\", \"backward_weight_ms\"}], \"transfers_ms\": [...]}. The weight part is "
                         "included in the backward. Optimizer, overhead and contention are 0 then, and the devices of "
                         "the lanes need not exist. Without --costs the times are those that the command profile has "
                         "stored."});
  const auto options = std::make_shared<SimulateArguments>();
  command.option("FILE", options->file, "Experiment").required();
  command.option("--costs FILE", options->costs, "JSON file with block times to use instead of measured ones");
  command.option("--variant NAME", options->variant, "Variant to simulate (default: all)");
  command.option("--trace FILE", options->trace,
                 "Write the predicted step of --variant as a Chrome trace, or three steps that overlap where it has no "
                 "step barrier; gzipped if the name ends in .gz");
  command.assignments(options->assignments);
  command.json(options->json);
  chosen(command, context, [options] { return simulateAll(*options); });
}

}  // namespace lanelab
