// SPDX-License-Identifier: GPL-3.0-only
// curve: predicted step time against predicted peak memory of a pipeline, by schedule and recompute.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "app/cli/cli.h"
#include "app/cli/planning_costs.h"
#include "base/json_text.h"
#include "engine/advise/memory_curve.h"
#include "engine/sim/measured_costs.h"
#include "engine/torch/train/torch_executor.h"

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

Result<PredictVariant> curvePrediction(const CurveArguments& options, const Resolution& resolution,
                                       const ResolvedVariant& variant) {
  if (!options.costs.empty()) {
    const Result<CostModel> costs = readCostsOf(resolution.model(), options.costs);
    if (!costs.ok()) return costs.error();
    return PredictVariant([fixed = *costs](const ResolvedVariant& tried) -> Result<double> {
      const VariantPlan& plan = *tried.plan();
      const StepCosts own{recomputing(fixed, plan.stages, plan.modes.recompute), std::nullopt};
      return simulate(plan, own).step_seconds;
    });
  }
  const auto executor = makeTorchExecutor();
  Result<LaneProfiles> stored = profilesFor(resolution.experiment(), variant.modes(), options.file, *executor);
  if (!stored.ok()) return stored.error();
  return PredictVariant([profiles = std::move(*stored)](const ResolvedVariant& tried) -> Result<double> {
    const VariantPlan& plan = *tried.plan();
    return simulate(plan, stepCostsOf(profiles.ofLanes(), plan)).step_seconds;
  });
}

std::string curveJson(const ResolvedVariant& variant, const std::vector<CurvePoint>& points) {
  Json object = {{"variant", variant.config().name},
                 {"window", toWord(windowKindOf(variant.stepBarrier()))},
                 {"points", Json::array()}};
  for (const CurvePoint& point : points) {
    object["points"].push_back({{"schedule", toWord(point.variant.schedule)},
                                {"recompute", point.recompute},
                                {"step_ms", millisecondsOf(point.step_seconds)},
                                {"peak_bytes", point.peak_bytes},
                                {"largest_lane", point.largest_lane.value},
                                {"front", point.on_front}});
  }
  return jsonText(object, 2) + "\n";
}

Status printCurve(const CurveArguments& options) {
  const Result<Experiment> experiment = readExperiment(options.file, options.assignments);
  if (!experiment.ok()) return experiment.error();
  const auto resolution = resolve(*experiment);
  const Result<const ResolvedVariant*> variant = curvedVariant(options, *resolution);
  if (!variant.ok()) return variant.error();
  if (!(*variant)->plan().ok()) return Error::badInput("{}: {}", options.file, (*variant)->plan().error());
  const Result<PredictVariant> predict = curvePrediction(options, *resolution, **variant);
  if (!predict.ok()) return predict.error();
  const Result<std::vector<CurvePoint>> points = memoryCurve(*resolution, **variant, *predict);
  if (!points.ok()) return Error::badInput("{}: {}", options.file, points.error());
  if (options.json) {
    std::cout << curveJson(**variant, *points);
  } else {
    std::cout << curveTable(*points) << "\nPredicted " << toWord(windowKindOf((*variant)->stepBarrier())) << " of "
              << (*variant)->config().name << ". * on the front: nothing else is both as fast and as small.\n";
  }
  return {};
}

}  // namespace

void addCurve(const Command& app, CliContext& context) {
  const Command command =
      app.subcommand("curve", "Predict step time against peak memory by schedule and recompute without training");
  command.help({.examples = {"curve resources/experiments/schedules.json",
                             "curve experiment.json --variant Pipeline --costs costs.json --json"},
                .notes = "Every schedule that fits the lanes of the variant is tried, without recompute and with all "
                         "stages recomputed. Peaks are forecasts for the lane that takes most. Without --costs the "
                         "times are those that the command profile has stored."});
  const auto options = std::make_shared<CurveArguments>();
  command.option("FILE", options->file, "Experiment").required();
  command.option("--costs", options->costs, "JSON file with block times to use instead of measured ones")
      .typeName("FILE");
  command.option("--variant", options->variant, "Variant to vary (default: the first pipeline)").typeName("NAME");
  command.assignments(options->assignments);
  command.json(options->json);
  chosen(command, context, [options] { return printCurve(*options); });
}

}  // namespace lanelab
