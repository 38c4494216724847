// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/variant_plan.h"

#include <algorithm>

#include "base/text.h"
#include "engine/experiment/experiment_checks.h"
#include "engine/experiment/variant_replicas.h"
#include "engine/experiment/variant_schedule.h"

namespace lanelab {
namespace {

bool checkVariantLanes(const Experiment& experiment, const VariantConfig& variant, const std::string& where,
                       Problems& problems) {
  if (experiment.lanes.empty()) return false;
  if (!variant.lanes) return true;
  const std::size_t before = problems.found.size();
  if (variant.lanes->empty())
    problems.add(where + ".lanes",
                 "The list of lanes is empty. Name at least one lane, or leave `lanes` out to use all.");
  for (std::size_t i = 0; i < variant.lanes->size(); ++i) {
    const int lane = (*variant.lanes)[i];
    const std::string place = where + ".lanes[" + std::to_string(i) + "]";
    if (lane < 0 || static_cast<std::size_t>(lane) >= experiment.lanes.size()) {
      problems.add(place, "There is no lane " + std::to_string(lane) + ": lanes are counted from 0 and there are " +
                              std::to_string(experiment.lanes.size()) + ".");
    } else if (std::find(variant.lanes->begin(), variant.lanes->begin() + static_cast<std::ptrdiff_t>(i), lane) !=
               variant.lanes->begin() + static_cast<std::ptrdiff_t>(i)) {
      problems.add(place, "Lane " + std::to_string(lane) + " is listed twice. Keep one.");
    }
  }
  return problems.found.size() == before;
}

/// `batch` is the part of one replica, where there are several.
void checkSplit(int batch, const VariantConfig& variant, const std::string& where, Problems& problems) {
  const std::string place = where + ".split_size";
  if (!variant.split_size) {
    if (variant.strategy == Strategy::Pipeline)
      problems.add(place, "A pipeline needs a split size: samples a micro-batch, from 1 to " + std::to_string(batch) +
                              " (the batch).");
    return;
  }
  const int split = *variant.split_size;
  if (batch < 1) return;  // named as data.batch
  if (split < 1 || split > batch) {
    problems.add(place, "The split size must be from 1 to " + std::to_string(batch) + " (the batch), not " +
                            std::to_string(split) + ".");
  } else if (variant.strategy == Strategy::ModelParallel && split != batch) {
    problems.add(place,
                 "Model parallel takes the whole batch at once. Leave split_size out, or use the strategy pipeline.");
  } else if (batch <= kMost && MicroBatches{batch, split}.count() > kMostMicroBatches) {
    problems.add(place, "A split size of " + std::to_string(split) + " makes more than " +
                            std::to_string(kMostMicroBatches) + " micro-batches. Make it larger.");
  }
}

/// TensorFloat-32 is a mode of a GPU's matrix units.
void checkTf32(const Experiment& experiment, const VariantConfig& variant, const std::string& where,
               Problems& problems) {
  if (variant.precision.value_or(experiment.training.precision) != Precision::Tf32) return;
  for (const LaneId lane : lanesOf(experiment, variant)) {
    const Device device = experiment.lanes[lane.index()].device;
    if (device.isCuda()) continue;
    problems.add(variant.precision ? where + ".precision" : "training.precision",
                 "tf32 exists on GPUs only, and the variant \"" + variant.name + "\" uses " + toString(device) +
                     ". Use fp32 or bf16, or cuda lanes.");
    return;
  }
}

void checkRecompute(const VariantConfig& variant, std::size_t stages, const std::string& where, Problems& problems) {
  for (std::size_t i = 0; variant.recompute && i < variant.recompute->size(); ++i) {
    const int stage = (*variant.recompute)[i];
    if (stage >= 0 && static_cast<std::size_t>(stage) < stages) continue;
    problems.add(where + ".recompute", "There is no stage " + std::to_string(stage) +
                                           " to recompute: stages are counted from 0 and the variant \"" +
                                           variant.name + "\" has " + std::to_string(stages) + ".");
    return;
  }
}

/// The placement that the variant's own block-by-block list says.
std::optional<Placement> placementFromList(const Experiment& experiment, const ModelSpec& model,
                                           const VariantConfig& variant, const std::string& where, Problems& problems) {
  const std::size_t before = problems.found.size();
  const std::vector<LaneId> allowed = lanesOf(experiment, variant);
  std::vector<std::string> names;
  for (const BlockSpec& block : model.blocks) names.push_back(block.name);
  for (const auto& [block, lane] : *variant.placement) {
    const std::string place = where + ".placement." + block;
    if (!model.find(block)) {
      const std::string nearest = nearestName(block, names);
      problems.add(place, "\"" + block + "\" is no block of " + model.arch +
                              (nearest.empty() ? ". Blocks go from " + names.front() + " to " + names.back() + "."
                                               : ". Did you mean \"" + nearest + "\"?"));
    } else if (std::find(allowed.begin(), allowed.end(), LaneId(lane)) == allowed.end()) {
      problems.add(place, "Block " + block + " is on lane " + std::to_string(lane) +
                              ", which is no lane of this variant; lanes are counted from 0 and the experiment has " +
                              std::to_string(experiment.lanes.size()) + ".");
    }
  }
  Placement placement;
  std::vector<std::string> missing;
  for (const std::string& name : names) {
    const auto it = variant.placement->find(name);
    if (it == variant.placement->end())
      missing.push_back(name);
    else
      placement.lane_of_block.emplace_back(it->second);
  }
  if (!missing.empty()) {
    problems.add(where + ".placement",
                 "Block " + missing.front() +
                     (missing.size() > 1 ? " and " + std::to_string(missing.size() - 1) + " more have" : " has") +
                     " no lane. Name a lane for every block.");
  }
  if (problems.found.size() != before) return std::nullopt;
  return placement;
}

std::optional<Placement> singlePlacement(const Experiment& experiment, const ModelSpec& model,
                                         const VariantConfig& variant, const std::string& where, Problems& problems) {
  if ((variant.cuts && !variant.cuts->empty()) || variant.placement) {
    problems.add(
        where + (variant.placement ? ".placement" : ".cuts"),
        "Single puts all blocks on its first lane. Leave cuts and placement out, or use the strategy pipeline.");
    return std::nullopt;
  }
  return Placement{std::vector<LaneId>(model.blocks.size(), lanesOf(experiment, variant).front())};
}

std::optional<Placement> placementOf(const Experiment& experiment, const ModelSpec& model, const VariantConfig& variant,
                                     const std::string& where, Problems& problems) {
  if (variant.strategy == Strategy::Single) return singlePlacement(experiment, model, variant, where, problems);
  if (variant.cuts && variant.placement) {
    problems.add(where + ".placement", "Both cuts and placement are given. Keep one of them.");
    return std::nullopt;
  }
  if (variant.placement) return placementFromList(experiment, model, variant, where, problems);
  if (!variant.cuts) {
    problems.add(where + ".cuts", "A " + toWord(variant.strategy) + " variant needs cuts, such as [\"" +
                                      model.blocks[model.blocks.size() / 2].name + "\"], or a placement.");
    return std::nullopt;
  }
  Result<Placement> placement =
      placementFromCuts(model, *variant.cuts, lanesForCuts(variant, lanesOf(experiment, variant)));
  if (placement.ok()) return std::move(*placement);
  problems.add(where + ".cuts", placement.error().message);
  return std::nullopt;
}

/// A batch norm that sees one value a channel has no variance: PyTorch refuses it, and its running variance would not
/// be a number.
void checkBatchNorm(const ModelSpec& model, const MicroBatches& micro_batches, const std::string& where,
                    Problems& problems) {
  const int count = micro_batches.count();
  if (micro_batches.size(MicroBatchId(count - 1)) > 1) return;
  for (const BlockSpec& block : model.blocks) {
    for (const LayerSpec& layer : block.layers) {
      if (layer.type != "BatchNorm2d" || layer.output[1] * layer.output[2] > 1) continue;
      problems.add(where,
                   std::string(count > 1 ? "The last micro-batch" : "The batch") + " is one sample, and " + layer.name +
                       " sees an image of 1x1 there: batch norm needs more than one value. Use larger images, or " +
                       (count > 1 ? "a split size that leaves no rest of 1." : "a larger batch."));
      return;
    }
  }
}

/// A pipeline's keys, of a variant that is none.
void refuseScheduleKeys(const VariantConfig& variant, const std::string& where, Problems& problems) {
  const auto onlyOfPipelines = [&](bool given, const std::string& key, const std::string& what) {
    if (given) problems.add(where + key, "Only the strategies pipeline and ddp have " + what + ". Leave it out.");
  };
  onlyOfPipelines(variant.schedule != VariantConfig{}.schedule, ".schedule", "a schedule");
  onlyOfPipelines(variant.warm_up.has_value(), ".warm_up", "a warm-up depth");
  onlyOfPipelines(variant.activation_limit_mib.has_value(), ".activation_limit_mib", "a limit of activations");
  onlyOfPipelines(variant.stage_times.has_value(), ".stage_times", "times of its stages");
  onlyOfPipelines(variant.actions.has_value(), ".actions", "actions");
}

/// Without a model (its own problems are told elsewhere) only what needs none is looked at. A replicated variant's
/// placement is its first replica's.
std::optional<Placement> checkVariant(const Experiment& experiment, const ModelSpec* model,
                                      const VariantConfig& variant, const std::string& where, Problems& problems) {
  const std::size_t before = problems.found.size();
  const bool scheduled = variant.strategy == Strategy::Pipeline || variant.strategy == Strategy::Ddp;
  if (!scheduled) refuseScheduleKeys(variant, where, problems);
  if (!checkVariantLanes(experiment, variant, where, problems)) {
    checkSplit(experiment.data.batch, variant, where, problems);
    return std::nullopt;
  }
  if (isReplicated(variant)) checkReplicas(experiment, variant, where, problems);
  const ReplicaSplit split = splitIntoReplicas(experiment, variant);
  const VariantConfig& one = split.one;
  checkSplit(split.samples, one, where, problems);
  checkTf32(experiment, variant, where, problems);
  if (model == nullptr || (isReplicated(variant) && problems.found.size() != before)) return std::nullopt;
  std::optional<Placement> placement = placementOf(experiment, *model, one, where, problems);
  const bool countable = experiment.data.batch >= 1 && experiment.data.batch <= kMost && one.split_size;
  if (placement && scheduled && countable && problems.found.size() == before) {
    const MicroBatches micro_batches{split.samples, *one.split_size};
    const std::vector<Stage> stages = stagesOf(*model, one, *placement);
    if (const auto wrong = findScheduleProblem(
            one, {*model, stages, experiment.lanes.size(), micro_batches.split_size, micro_batches.count()}))
      problems.add(where + "." + wrong->key, wrong->message);
  }
  if (placement) checkRecompute(variant, stagesOf(*model, variant, *placement).size(), where, problems);
  return placement;
}

void checkNames(const std::vector<VariantConfig>& variants, std::size_t i, const std::string& where,
                Problems& problems) {
  if (!checkName(where + ".name", variants[i].name, problems)) return;
  const std::string name = slug(variants[i].name);
  if (variants[i].name.empty() || name.find_first_not_of('-') == std::string::npos) {
    problems.add(where + ".name",
                 "A variant needs a name with at least one letter or digit: its files are named after it.");
    return;
  }
  for (std::size_t j = 0; j < i; ++j) {
    if (slug(variants[j].name) != name) continue;
    problems.add(where + ".name", "\"" + variants[i].name + "\" and \"" + variants[j].name +
                                      "\" would name the same files. Give each variant its own name.");
    return;
  }
}

std::string indexed(std::size_t i) { return "variants[" + std::to_string(i) + "]"; }

std::string placeOf(const Experiment& experiment, const VariantConfig& variant) {
  for (std::size_t i = 0; i < experiment.variants.size(); ++i) {
    if (experiment.variants[i] == variant) return indexed(i);
  }
  return "variant \"" + variant.name + "\"";
}

Error errorOf(const ExperimentProblem& problem) { return Error::badInput(problem.where + ": " + problem.message); }

Problems problemsOfPlans(const Experiment& experiment) {
  Problems problems;
  std::optional<ModelSpec> model;
  checkName("name", experiment.name, problems);
  checkModelAndData(experiment, problems, model);
  checkTraining(experiment.training, problems);
  checkLanes(experiment.lanes, problems);
  if (experiment.variants.empty())
    problems.add("variants",
                 "There is nothing to run. Add a variant, such as { \"name\": \"Single\", \"strategy\": \"single\" }.");
  if (experiment.variants.size() > kMostVariants) {
    problems.add("variants", "There are " + std::to_string(experiment.variants.size()) + " variants; at most " +
                                 std::to_string(kMostVariants) + " are possible.");
    return problems;
  }
  for (std::size_t i = 0; i < experiment.variants.size(); ++i) {
    checkNames(experiment.variants, i, indexed(i), problems);
    checkVariant(experiment, model ? &*model : nullptr, experiment.variants[i], indexed(i), problems);
  }
  problems.range("repeats", "The number of repeats", experiment.repeats, 1, kMost);
  problems.range("warmup", "The number of warm-up repeats", experiment.warmup, 0, kMost);
  return problems;
}

/// Those of the replica that gets the fewest samples, where there are replicas.
MicroBatches smallestMicroBatches(const Experiment& experiment, const VariantConfig& variant) {
  const ReplicaSplit split = splitIntoReplicas(experiment, variant);
  const MicroBatches most = microBatchesOf(split.samples, experiment, split.one);
  if (variant.strategy == Strategy::DataParallel)
    return {chunkSizes(experiment.data.batch, static_cast<int>(split.lanes.size())).back(), most.split_size};
  const auto replicas = static_cast<int>(split.lanes.size());
  return most.ofBatch(stridedRows(experiment.data.batch, replicas - 1, replicas));
}

}  // namespace

std::vector<ExperimentProblem> findProblems(const Experiment& experiment) {
  Problems problems = problemsOfPlans(experiment);
  const Result<ModelSpec> model = modelOf(experiment);
  for (std::size_t i = 0; problems.found.empty() && i < experiment.variants.size(); ++i) {
    const VariantConfig& variant = experiment.variants[i];
    const MicroBatches micro_batches = smallestMicroBatches(experiment, variant);
    checkBatchNorm(*model, micro_batches,
                   variant.split_size == micro_batches.split_size ? indexed(i) + ".split_size" : "data.batch",
                   problems);
  }
  return problems.found;
}

Result<ModelSpec> modelOf(const Experiment& experiment) {
  Problems problems;
  std::optional<ModelSpec> model;
  checkModelAndData(experiment, problems, model);
  if (!problems.found.empty()) return errorOf(problems.found.front());
  return std::move(*model);
}

namespace {

/// With one micro-batch there is one order: each stage after the one before, and back.
VariantConfig oneAfterAnother(VariantConfig variant) {
  variant.schedule = ScheduleKind::Gpipe;
  variant.warm_up.reset();
  variant.activation_limit_mib.reset();
  variant.stage_times.reset();
  variant.actions.reset();
  return variant;
}

void layOutReplicas(VariantPlan& plan, const std::vector<std::vector<LaneId>>& lanes) {
  const std::vector<LaneId> first = lanesOfStages(plan.stages).front();
  for (const std::vector<LaneId>& replica : lanes) {
    std::vector<LaneId>& own = plan.replica_lanes.emplace_back();
    for (const LaneId lane : first)
      own.push_back(
          replica[static_cast<std::size_t>(std::find(lanes[0].begin(), lanes[0].end(), lane) - lanes[0].begin())]);
  }
  plan.schedule = replicate(plan.schedule, lanes);
  plan.schedule.first_updates = plan.strategy == Strategy::DataParallel;
}

}  // namespace

Result<VariantPlan> planVariant(const Experiment& experiment, const ModelSpec& model, const VariantConfig& variant) {
  const std::string where = placeOf(experiment, variant);
  Problems problems;
  std::optional<Placement> placement = checkVariant(experiment, &model, variant, where, problems);
  if (!problems.found.empty()) return errorOf(problems.found.front());
  if (!placement) return Error::badInput("lanes: There is no lane. Add one, such as { \"device\": \"cpu:0\" }.");

  VariantPlan plan{variant.name,
                   variant.strategy,
                   variant.strategy == Strategy::Pipeline || variant.strategy == Strategy::Ddp ? variant.schedule
                                                                                               : ScheduleKind::Gpipe,
                   std::move(*placement),
                   {},
                   {},
                   {}};
  if (variant.actions) plan.schedule_kind = ScheduleKind::Custom;
  const ReplicaSplit split = splitIntoReplicas(experiment, variant);
  const VariantConfig& one = split.one;
  plan.stages = stagesOf(model, one, plan.placement);
  plan.micro_batches = microBatchesOf(split.samples, experiment, one);
  plan.modes = modesOf(experiment.training, variant, plan.stages.size());
  const bool whole = plan.modes.batch_norm == BatchNormMode::Synchronised;
  if (whole) plan.schedule_kind = ScheduleKind::Gpipe;
  Result<Schedule> schedule = scheduleOf(
      whole ? oneAfterAnother(one) : one,
      {model, plan.stages, experiment.lanes.size(), plan.micro_batches.split_size, plan.micro_batches.count()});
  if (!schedule.ok()) return Error::badInput(where + ".schedule: " + schedule.error().message);
  plan.schedule = std::move(*schedule);
  if (isReplicated(variant)) layOutReplicas(plan, split.lanes);
  return plan;
}

Result<std::vector<VariantPlan>> planVariants(const Experiment& experiment) {
  const Problems problems = problemsOfPlans(experiment);
  if (!problems.found.empty()) return errorOf(problems.found.front());
  const Result<ModelSpec> model = modelOf(experiment);
  if (!model.ok()) return model.error();
  std::vector<VariantPlan> plans;
  for (const VariantConfig& variant : experiment.variants) {
    Result<VariantPlan> plan = planVariant(experiment, *model, variant);
    if (!plan.ok()) return plan.error();
    plans.push_back(std::move(*plan));
  }
  return plans;
}

}  // namespace lanelab
