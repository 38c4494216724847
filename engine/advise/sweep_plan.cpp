// SPDX-License-Identifier: GPL-3.0-only
#include "engine/advise/sweep_plan.h"

#include <algorithm>

namespace lanelab {
namespace {

std::vector<int> splitSizesOf(const Experiment& sweep) {
  std::vector<int> sizes;
  for (const VariantConfig& variant : sweep.variants) sizes.push_back(*variant.split_size);
  return sizes;
}

/// The usual ones without those that cannot be trained, such as a single sample where a batch norm sees an image of
/// 1x1.
std::vector<int> trainableSplitSizes(const Experiment& experiment) {
  const std::vector<int> usual = usualSplitSizes(experiment.data.batch);
  std::vector<int> sizes;
  for (const int size : usual) {
    const Result<Experiment> alone = sweepOf(experiment, {size});
    if (alone.ok() && findProblems(*alone).empty()) sizes.push_back(size);
  }
  return sizes.empty() ? usual : sizes;
}

std::vector<StepPrediction> predictAll(const std::vector<VariantPlan>& plans, const LaneProfiles& profiles,
                                       const SweepRequest& request) {
  std::vector<StepPrediction> predictions;
  for (const VariantPlan& plan : plans) {
    const double seconds =
        request.predict(profiles.ofLanes(), plan.schedule, plan.stages, plan.micro_batches, plan.modes.recompute);
    predictions.push_back({plan.name, plan.micro_batches.split_size, plan.micro_batches.count(), seconds});
  }
  return predictions;
}

void keepOnly(Experiment& sweep, const std::vector<int>& split_sizes) {
  std::erase_if(sweep.variants, [&](const VariantConfig& variant) {
    return std::find(split_sizes.begin(), split_sizes.end(), *variant.split_size) == split_sizes.end();
  });
}

}  // namespace

Result<SweepPlan> planSweep(const Experiment& experiment, const SweepRequest& request, Executor& executor,
                            const ProfileStore& store, std::stop_token stop) {
  Result<Experiment> sweep =
      sweepOf(experiment, request.split_sizes.empty() ? trainableSplitSizes(experiment) : request.split_sizes);
  if (!sweep.ok()) return sweep.error();
  if (const auto problems = findProblems(*sweep); !problems.empty())
    return Error::badInput(problems.front().where + ": " + problems.front().message);
  const Result<std::vector<VariantPlan>> plans = planVariants(*sweep);
  if (!plans.ok()) return plans.error();
  std::vector<std::string> machine_warnings;  // a run says them again
  if (const Status fits = executor.checkMachine(*sweep, machine_warnings); !fits.ok()) return fits.error();
  ProfileOptions wanted;
  wanted.samples = microBatchSizes(sweep->data.batch, splitSizesOf(*sweep));
  wanted.refresh = request.refresh;
  wanted.tell = request.tell;
  Result<LaneProfiles> profiles =
      profilesOf(trainedAs(*sweep, sweep->variants.front()), executor, store, wanted, std::move(stop));
  if (!profiles.ok()) return profiles.error();
  SweepPlan plan{std::move(*sweep), predictAll(*plans, *profiles, request), std::move(profiles->warnings)};
  if (request.best > 0) keepOnly(plan.experiment, bestPredicted(sweepPoints(plan.predictions), request.best));
  return plan;
}

}  // namespace lanelab
