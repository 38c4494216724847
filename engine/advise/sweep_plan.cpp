// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/sweep_plan.h"

#include <algorithm>

#include "base/stop_point.h"
#include "base/text.h"
#include "engine/advise/step_predictor.h"
#include "engine/memory/variant_memory.h"
#include "engine/record/training_length.h"

namespace lanelab {
namespace {

std::vector<int> splitSizesOf(const Resolution& sweep) {
  std::vector<int> sizes;
  for (const ResolvedVariant& variant : sweep.variants()) sizes.push_back(variant.splitSize());
  return sizes;
}

/// Of the pipeline that is swept; 0 if there is none.
int presentSplitSize(const Resolution& resolution) {
  const auto& variants = resolution.variants();
  const auto pipeline = std::ranges::find_if(
      variants, [](const ResolvedVariant& variant) { return variant.config().strategy == Strategy::Pipeline; });
  return pipeline == variants.end() ? 0 : pipeline->splitSize();
}

/// Of an epoch; 0 without epochs.
Result<std::int64_t> rowsOf(const Experiment& experiment, const Executor& executor, std::stop_token stop) {
  if (!experiment.data.epochs) return std::int64_t{0};
  return withStop(std::move(stop), [&] { return executor.trainingRows(experiment); });
}

/// The usual ones without those that cannot be trained, such as a single sample where a batch norm sees an image of
/// 1x1 or an epoch of `rows` samples whose last batch is too small, and those above the memory limits of the lanes.
std::vector<int> trainableSplitSizes(const Resolution& resolution, std::int64_t rows,
                                     std::vector<std::string>& warnings) {
  const std::vector<int> usual = usualSplitSizes(resolution.experiment().data.batch, presentSplitSize(resolution));
  const Result<Experiment> sweep = sweepOf(resolution, usual);
  std::vector<int> sizes;
  std::vector<std::string> too_large;
  const bool limited = hasMemoryLimits(resolution.experiment());
  for (std::size_t i = 0; sweep.ok() && i < usual.size(); ++i) {
    const auto alone = resolution.with(sweep->variants[i]);
    if (!alone->trainable().ok() || !checkRows(*alone, rows).ok()) continue;
    if (!limited || lanesOverLimit(alone->experiment(), forecastMemory(alone->variants().front())).empty())
      sizes.push_back(usual[i]);
    else
      too_large.push_back(std::to_string(usual[i]));
  }
  if (!too_large.empty())
    warnings.push_back("The forecast of " +
                       std::string(too_large.size() == 1 ? "micro-batch size " : "each of the micro-batch sizes ") +
                       joinAnd(too_large) + " is above a lane's memory limit" + (sizes.empty() ? "." : ": left out."));
  return sizes.empty() ? usual : sizes;
}

std::vector<StepPrediction> predictAll(const Resolution& sweep, const StepPredictor& predictor) {
  std::vector<StepPrediction> predictions;
  for (const ResolvedVariant& variant : sweep.variants()) {
    const VariantPlan& plan = *variant.plan();
    const PredictedTime step = predictor.step(plan);
    predictions.push_back(
        {plan.name, plan.micro_batches.split_size, plan.micro_batches.count(), step.seconds, step.range});
  }
  return predictions;
}

Experiment withOnly(Experiment sweep, const std::vector<int>& split_sizes) {
  std::erase_if(sweep.variants, [&](const VariantConfig& variant) {
    return std::ranges::find(split_sizes, *variant.split_size) == split_sizes.end();
  });
  return sweep;
}

}  // namespace

Result<SweepPlan> planSweep(const Resolution& resolution, const SweepRequest& request, Executor& executor,
                            const ProfileStore& store, std::stop_token stop) {
  std::vector<std::string> warnings;
  const Result<std::int64_t> rows = rowsOf(resolution.experiment(), executor, stop);
  if (!rows.ok()) return rows.error();
  if (const Status epochs = checkRows(resolution, *rows); !epochs.ok()) return epochs.error();
  const Result<Experiment> experiment = sweepOf(
      resolution, request.split_sizes.empty() ? trainableSplitSizes(resolution, *rows, warnings) : request.split_sizes);
  if (!experiment.ok()) return experiment.error();
  const auto sweep = resolve(*experiment, resolution.known());
  if (const Status trainable = sweep->trainable(); !trainable.ok()) return trainable.error();
  if (const Status planned = sweep->planned(); !planned.ok()) return planned.error();
  std::vector<std::string> machine_warnings;  // a run says them again
  Result<SharedWeights> weights = withStop(stop, [&] { return executor.checkMachine(*sweep, machine_warnings); });
  if (!weights.ok()) return weights.error();
  if (const Status epochs = checkRows(*sweep, *rows); !epochs.ok()) return epochs.error();
  ProfileOptions wanted;
  wanted.samples = microBatchSizes(experiment->data.batch, splitSizesOf(*sweep));
  wanted.refresh = request.refresh;
  wanted.memory = request.memory;
  wanted.report = request.report;
  wanted.weights = std::move(*weights);
  Result<LaneProfiles> profiles =
      profilesOf(*sweep, sweep->variants().front().modes(), executor, store, wanted, std::move(stop));
  if (!profiles.ok()) return profiles.error();
  std::ranges::move(profiles->warnings, std::back_inserter(warnings));
  SweepPlan plan{sweep, predictAll(*sweep, StepPredictor(std::move(*profiles))), std::move(warnings)};
  if (request.best == 0) return plan;
  std::vector<int> chosen = bestPredicted(sweepPoints(plan.predictions), request.best);
  chosen.push_back(presentSplitSize(resolution));  // what a better size is compared with
  plan.resolution = resolve(withOnly(*experiment, chosen), resolution.known());
  return plan;
}

}  // namespace lanelab
