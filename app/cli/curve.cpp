// SPDX-License-Identifier: GPL-3.0-only
// curve: predicted step time against predicted peak memory of a pipeline, by schedule and recompute.
#include <iostream>
#include <memory>
#include <set>

#include "app/cli/checked_experiment.h"
#include "app/cli/cli.h"
#include "app/cli/planning_costs.h"
#include "base/json_text.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/advise/memory_curve.h"
#include "engine/experiment/experiment_json.h"
#include "engine/schedule/schedule_kind.h"

namespace lanelab {
namespace {

struct CurveArguments {
  std::string file;
  std::vector<std::string> assignments;
  std::string costs;
  std::string variant;  ///< empty: the first pipeline
  bool json = false;
};

Result<const ResolvedVariant*> curvedVariant(const CurveArguments& options, const Resolution& resolution) {
  for (const ResolvedVariant& variant : resolution.variants()) {
    const bool wanted = options.variant.empty() ? variant.config().strategy == Strategy::Pipeline
                                                : variant.config().name == options.variant;
    if (wanted) return &variant;
  }
  if (options.variant.empty()) return Error::badInput("{} has no pipeline variant. Add one.", options.file);
  return Error::badInput("--variant {}: there is no such variant in {}.", options.variant, options.file);
}

/// Titles of the schedules among the points that split the backward.
std::vector<std::string> splitSchedules(const std::vector<CurvePoint>& points) {
  std::set<std::string> titles;
  for (const CurvePoint& point : points) {
    if (splitsBackward(point.resolved().plan()->schedule)) titles.emplace(titleOf(point.variant.schedule));
  }
  return {titles.begin(), titles.end()};
}

std::string curveJson(const ResolvedVariant& variant, const std::vector<CurvePoint>& points,
                      const std::string& caution) {
  const WindowKind window = windowKindOf(variant.stepBarrier());
  Json object = {{"variant", variant.config().name}, {"window", toWord(window)}, {"points", Json::array()}};
  if (!caution.empty()) object["caution"] = caution;
  for (const CurvePoint& point : points) {
    object["points"].push_back({{"schedule", toWord(point.variant.schedule)},
                                {"recompute", jsonOf(point.recompute)},
                                {toWord(window) + "_ms", millisecondsOf(point.step_seconds)},
                                {"range90_ms", millisecondsOf(point.range)},
                                {"peak_bytes", point.peak_bytes},
                                {"largest_lane", point.largest_lane.value},
                                {"front", point.on_front},
                                {"fits", point.fits},
                                {"present", point.present}});
  }
  return jsonText(object, 2) + "\n";
}

/// A row for each point, those on the front marked. Times are of that window.
std::string curveText(const std::vector<CurvePoint>& points, WindowKind window) {
  std::vector<TextRow> rows = {{"Schedule", "Recompute", "Front", "Fits",
                                window == WindowKind::Period ? "Period (ms)" : "Step (ms)", "90 % range (ms)", "Peak",
                                "Lane"}};
  for (const CurvePoint& point : points) {
    rows.push_back({std::string(titleOf(point.variant.schedule)), recomputeWords(point), point.on_front ? "*" : "",
                    point.fits ? "yes" : "no", millisecondsText(point.step_seconds), millisecondsText(point.range),
                    formatBytes(point.peak_bytes), std::to_string(point.largest_lane.value)});
  }
  return textTable(rows, 4);
}

Status printCurve(const CurveArguments& options) {
  const Result<Experiment> experiment = readExperiment(options.file, options.assignments);
  if (!experiment.ok()) return experiment.error();
  const auto resolution = resolve(*experiment);
  const Result<const ResolvedVariant*> variant = curvedVariant(options, *resolution);
  if (!variant.ok()) return variant.error();
  if (!(*variant)->plan().ok()) return Error::badInput("{}: {}", options.file, (*variant)->plan().error());
  if (const Status epochs = checkEpochRows(*resolution, options.file); !epochs.ok()) return epochs;
  Result<CostSource> source = costSource(options.costs, resolution->model());
  if (!source.ok()) return source.error();
  const Result<StepPredictor> predictor = predictorFrom(*source, **variant, options.file);
  if (!predictor.ok()) return predictor.error();
  const Result<std::vector<CurvePoint>> points = memoryCurve(*resolution, **variant, *predictor);
  if (!points.ok()) return Error::badInput("{}: {}", options.file, points.error());
  warnOfMissingWeights(source->fixed, splitSchedules(*points));
  const WindowKind window = windowKindOf((*variant)->stepBarrier());
  if (options.json)
    std::cout << curveJson(**variant, *points, source->caution);
  else
    std::cout << curveText(*points, window) << "\nPredicted of " << (*variant)->config().name << ", " << source->words
              << ". * on the Pareto front: no other is both faster and smaller. The time that recomputed "
                 "ReLUs take is estimated.\nFits: within the memory limits of the lanes "
                 "(lanes[].memory_limit_mib).\n"
              << (source->caution.empty() ? "" : source->caution + "\n");
  return {};
}

}  // namespace

void addCurve(const Command& app, CliContext& context) {
  const Command command =
      app.subcommand("curve", "Predict step time against peak memory by schedule and recompute without training");
  command.help({.examples = {"curve resources/experiments/schedules.json",
                             "curve experiment.json --variant Pipeline --costs costs.json --json"},
                .notes =
                    "Every schedule that fits the lanes of the variant is tried, without recompute, with "
                    "ReLUs of batch norms recomputed, and with whole stages recomputed. Peaks are forecasts for "
                    "the lane with the highest peak; the time of recomputed ReLUs is estimated. Without --costs the "
                    "times are those that the command profile has stored."});
  const auto options = std::make_shared<CurveArguments>();
  command.option("FILE", options->file, "Experiment").required();
  command.option("--costs FILE", options->costs, "JSON file with block times to use instead of measured ones");
  command.option("--variant NAME", options->variant, "Variant to vary (default: the first pipeline)");
  command.assignments(options->assignments);
  command.json(options->json);
  chosen(command, context, [options] { return printCurve(*options); });
}

}  // namespace lanelab
