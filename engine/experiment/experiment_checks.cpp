// SPDX-License-Identifier: GPL-3.0-only
#include "engine/experiment/experiment_checks.h"

#include <algorithm>
#include <cmath>

#include "base/json_text.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "base/utf8.h"
#include "engine/experiment/resolution.h"
#include "engine/experiment/row_order.h"
#include "engine/experiment/training_targets.h"
#include "engine/experiment/variant_placement.h"
#include "engine/experiment/variant_replicas.h"
#include "engine/experiment/variant_schedule.h"
#include "engine/placement/tied_stages.h"

namespace lanelab {
namespace {

constexpr double kMostBatchElements = 68719476736.0;  // 2^36 numbers are 256 GiB

void checkPath(const DataConfig& data, Problems& problems) {
  if (!data.path.empty()) return;
  const auto need = [&](DataSource source, const std::string& what) {
    if (data.source == source)
      problems.add("data.path", "A data source \"{}\" needs data.path: {}", toWord(source), what);
  };
  need(DataSource::File, "a safetensors file with `inputs` and `targets`.");
  need(DataSource::Text, "a UTF-8 text file.");
  need(DataSource::Cifar10, "the folder of its binary files, data_batch_1.bin and so on.");
  need(DataSource::Folder, "a folder that holds a folder of images for each class.");
}

/// Of one value by its row; `what` begins sentences.
template <class S>
struct ValueCheck {
  const FieldRules<S>& rules;
  std::string where;
  std::string what;
  Problems& problems;

  template <class T>
  void operator()(const T&) const {}
  template <class T>
  void operator()(const std::optional<T>& value) const {
    if (value) (*this)(*value);
  }
  void operator()(int value) const {
    if (value < rules.low || value > rules.high)
      problems.add(where, "{} must be from {} to {}, not {}.", what, std::llround(rules.low), std::llround(rules.high),
                   value);
  }
  void operator()(double value) const {
    const bool above = rules.above_low ? value > rules.low : value >= rules.low;
    if (!above || !(value <= rules.high) || !std::isfinite(value))
      problems.add(where, "{} must be {}, not {}.", what, limits(), exactNumber(value));
  }
  std::string limits() const {
    const std::string low = exactNumber(rules.low);
    if (rules.above_low) return "above " + low + " and finite";
    return std::isfinite(rules.high) ? "from " + low + " to " + exactNumber(rules.high) : low + " or more and finite";
  }
  void operator()(const std::string& value) const {
    if (rules.most_characters > 0) checkName(where, value, problems);
    if (!rules.words) return;
    const std::vector<std::string>& known = rules.words();
    if (std::find(known.begin(), known.end(), value) == known.end())
      problems.add(where, verbatim(unknownWord(what, value, known)));
  }
};

bool isScheduled(const VariantConfig& variant) {
  return variant.strategy == Strategy::Pipeline || variant.strategy == Strategy::Ddp;
}

/// `batch` is the part of one replica, if there are several.
void checkSplit(int batch, const VariantConfig& variant, const std::string& where, Problems& problems) {
  const std::string place = where + ".split_size";
  if (!variant.split_size) {
    if (variant.strategy == Strategy::Pipeline)
      problems.add(place, "A pipeline needs a split size: samples per micro-batch, from 1 to {} (the batch).", batch);
    return;
  }
  const int split = *variant.split_size;
  if (batch < 1) return;  // named as data.batch
  if (split < 1 || split > batch) {
    problems.add(place, "The split size must be from 1 to {} (the batch), not {}.", batch, split);
  } else if (variant.strategy == Strategy::ModelParallel && split != batch) {
    problems.add(place,
                 "Model parallel takes the whole batch at once. Leave split_size out, or use the strategy pipeline.");
  } else if (batch <= kLargestCount && MicroBatches{batch, split}.count() > kMostMicroBatches) {
    problems.add(place, "A split size of {} makes more than {} micro-batches. Make it larger.", split,
                 kMostMicroBatches);
  }
}

/// TensorFloat-32 is a mode of a GPU's matrix units.
void checkTf32(const Experiment& experiment, const VariantConfig& variant, const std::string& where,
               Problems& problems) {
  if (variant.precision.value_or(experiment.training.precision) != Precision::Tf32) return;
  for (const LaneId lane : variantLanes(experiment, variant)) {
    const Device device = experiment.lanes[lane.index()].device;
    if (device.isCuda()) continue;
    problems.add(variant.precision ? where + ".precision" : "training.precision",
                 "tf32 exists on GPUs only, and the variant \"{}\" uses {}. Use fp32 or bf16, or cuda lanes.",
                 variant.name, toString(device));
    return;
  }
}

/// What is not made by a batch norm and a ReLU is not made again.
void checkRecomputedActivations(const ResolvedVariant& resolved, const std::string& where, Problems& problems) {
  const VariantConfig& variant = resolved.config();
  const auto& recompute = resolved.modes().recompute;
  if (std::ranges::find(recompute, Recompute::Activations) == recompute.end()) return;
  const std::string place = variant.recompute ? where + ".recompute" : "training.recompute";
  if (std::ranges::find(resolved.experiment().training.rules_off, Rule::RemadeActivation) !=
      resolved.experiment().training.rules_off.end())
    return problems.add(place,
                        "Activations are computed again by the rule remade_activation, which training.rules_off "
                        "switches off. Take it out there, or use true, which computes whole stages again, or false.");
  if (resolved.model().remakesActivations()) return;
  problems.add(
      place,
      "Activations alone can be computed again where convolutions or poolings keep the ReLU of a batch norm, and the "
      "variant \"{}\" trains {}, which has none. Use true, which computes whole stages again, or false.",
      variant.name, resolved.experiment().model.title());
}

void checkRecompute(const VariantConfig& variant, std::size_t stages, const std::string& where, Problems& problems) {
  const auto* const chosen = variant.recompute ? std::get_if<std::vector<int>>(&*variant.recompute) : nullptr;
  if (chosen == nullptr) return;
  for (const int stage : *chosen) {
    if (stage >= 0 && static_cast<std::size_t>(stage) < stages) continue;
    problems.add(where + ".recompute",
                 "There is no stage {} to recompute: stages are counted from 0 and the variant \"{}\" has {}.", stage,
                 variant.name, stages);
    return;
  }
}

/// A pipeline's keys, of a variant that is none.
void refuseScheduleKeys(const VariantConfig& variant, const std::string& where, Problems& problems) {
  const auto onlyOfPipelines = [&](bool given, const std::string& key, const std::string& what) {
    if (given) problems.add(where + key, "Only the strategies pipeline and ddp have {}. Leave it out.", what);
  };
  onlyOfPipelines(variant.schedule != VariantConfig{}.schedule, ".schedule", "a schedule");
  onlyOfPipelines(variant.warm_up.has_value(), ".warm_up", "a warm-up depth");
  onlyOfPipelines(variant.activation_limit_mib.has_value(), ".activation_limit_mib", "a limit of activations");
  onlyOfPipelines(variant.stage_times.has_value(), ".stage_times", "times of its stages");
  onlyOfPipelines(variant.actions.has_value(), ".actions", "actions");
}

/// Which makes the schedule, so that the rest of the variant must be right.
void checkSchedule(const ResolvedVariant& variant, const std::string& where, Problems& problems) {
  const VariantConfig& one = variant.firstReplica();
  const int batch = variant.experiment().data.batch;
  if (batch < 1 || batch > kLargestCount || !one.split_size) return;
  const MicroBatches micro_batches{variant.samples(), *one.split_size};
  const StagedSamples staged{variant.model(),          variant.stages(),      variant.experiment().lanes.size(),
                             micro_batches.split_size, micro_batches.count(), windowKindOf(variant.stepBarrier())};
  if (const auto wrong = findScheduleProblem(one, staged)) problems.add(where + "." + wrong->key, wrong->message);
}

/// What the file says itself may be left out of the experiment, or repeated.
void checkModel(const Experiment& experiment, const OpenedNetwork& network, Problems& problems,
                std::optional<ModelSpec>& model) {
  const ModelConfig& config = experiment.model;
  const bool opened = config.file.has_value();
  Result<ModelSpec> described = describeTrained(network);
  if (!described.ok()) return problems.add(opened ? "model.file" : "data.shape", described.error());
  const Shape& shape = experiment.data.shape;
  if (opened && config.classes != 0 && config.classes != described->classes) {
    problems.add("model.classes", "{} has {} classes, not {}. Leave classes out.", config.title(), described->classes,
                 config.classes);
  } else if (opened && !shape.empty() && shape != described->input) {
    problems.add("data.shape", "{} was exported for samples of {}, not {}. Leave the shape out, or export it again.",
                 config.title(), formatShape(described->input), formatShape(shape));
  } else {
    model = std::move(*described);
  }
}

/// Micro-batches of other sizes than the network was exported for.
void checkSamples(const ModelSpec& model, const MicroBatches& micro_batches, const std::string& where,
                  Problems& problems) {
  for (const int k : {0, micro_batches.count() - 1}) {
    const int samples = micro_batches.size(MicroBatchId(k));
    if (samples >= model.least_samples && (model.most_samples == 0 || samples <= model.most_samples)) continue;
    const std::string takes = model.least_samples == model.most_samples ? std::to_string(model.least_samples)
                              : model.most_samples == 0
                                  ? "at least " + std::to_string(model.least_samples)
                                  : std::to_string(model.least_samples) + " to " + std::to_string(model.most_samples);
    problems.add(where,
                 "{} was exported for micro-batches of {} samples, and there is one of {}. Choose a batch and a split "
                 "size that fit, or export it with a dynamic batch.",
                 model.arch, takes, samples);
    return;
  }
}

/// Of a batch, for the replica that gets the fewest samples, if there are replicas.
MicroBatches smallestMicroBatches(const ResolvedVariant& variant, int batch) {
  const MicroBatches most = variant.microBatches();
  const int replicas = variant.replicas();
  if (variant.config().strategy == Strategy::DataParallel) return {chunkSizes(batch, replicas).back(), most.split_size};
  return most.ofBatch(stridedRows(batch, replicas - 1, replicas));
}

/// A batch norm that sees one value a channel has no variance: PyTorch refuses it, and its running variance would not
/// be a number.
void checkBatchNorm(const ModelSpec& model, const MicroBatches& micro_batches, const std::string& where,
                    Problems& problems) {
  const int count = micro_batches.count();
  if (std::min(micro_batches.size(MicroBatchId(0)), micro_batches.size(MicroBatchId(count - 1))) > 1) return;
  const bool even = micro_batches.parts > 0;  // of an epoch's last batch, or of a replica
  for (const BlockSpec& block : model.blocks) {
    for (const LayerSpec& layer : block.layers) {
      if (layer.type != "BatchNorm2d" || layer.output.size() < 3 || layer.output[1] * layer.output[2] > 1) continue;
      problems.add(where,
                   "{} is one sample, and {} sees an image of 1x1 there: batch norm needs more than one value. Use "
                   "larger images, or {}",
                   std::string(even        ? "A micro-batch of an epoch's last batch or of a replica"
                               : count > 1 ? "The last micro-batch"
                                           : "The batch"),
                   layer.name,
                   even        ? "another batch or a larger split size."
                   : count > 1 ? "a split size that leaves no rest of 1."
                               : "a larger batch.");
      return;
    }
  }
}

}  // namespace

std::string unknownWord(const std::string& what, const std::string& word, const std::vector<std::string>& known) {
  const std::string nearest = nearestName(word, known);
  return what + " \"" + word + "\" is not known in this version. " +
         (nearest.empty() || known.size() == 1 ? "Use " + joinOr(known) + "."
                                               : "Did you mean \"" + nearest + "\"? Known are " + joinOr(known) + ".");
}

bool checkName(const std::string& where, const std::string& name, Problems& problems) {
  const std::size_t characters = countCharacters(name);
  if (characters > kMostNameCharacters) {
    problems.add(where, "The name has {} characters; at most {} are allowed. Shorten it.", characters,
                 kMostNameCharacters);
    return false;
  }
  for (std::string_view rest = name; !rest.empty(); rest.remove_prefix(firstCharacter(rest).bytes)) {
    const Character first = firstCharacter(rest);
    if (first.valid && !isControl(first.code)) continue;
    problems.add(where, "The name \"{}\" holds a control character. Remove it.", onOneTerminalLine(name));
    return false;
  }
  return true;
}

template <Described S>
void checkFields(const S& object, const std::string& path, Problems& problems) {
  forEachField<S>([&](const auto& field) {
    if (field.rules.written && !field.rules.written(object)) return;
    ValueCheck<S>{field.rules, joinPath(path, field.key), std::string("The ") + field.name,
                  problems}(object.*field.member);
  });
}

template void checkFields(const Experiment&, const std::string&, Problems&);

void checkModelAndData(const Experiment& experiment, const OpenedNetwork& network, Problems& problems,
                       std::optional<ModelSpec>& model) {
  const std::size_t before = problems.found.size();
  const DataConfig& data = experiment.data;
  checkFields(experiment.model, "model", problems);
  checkPath(data, problems);
  const Shape& shape = data.shape;
  bool sides = !shape.empty();
  for (const std::int64_t side : shape) sides = sides && side >= 1 && side <= kLargestInputSide;
  if (problems.found.size() != before) {
    sides = false;
  } else if (!sides && !experiment.model.file) {
    problems.add("data.shape", "The shape needs numbers from 1 to {}, such as [3, 64, 64] for images; it is [{}].",
                 kLargestInputSide, formatShape(shape));
  } else {
    checkModel(experiment, network, problems, model);
  }
  checkFields(data, "data", problems);
  if (data.epochs && data.source == DataSource::Random && !data.rows)
    problems.add(
        "data.epochs",
        "Random data have no epochs. Use data.steps, say how many `rows` there are, or take another data source.");
  if (data.rows && data.source != DataSource::Random)
    problems.add("data.rows", "Only random data are made in a number that one may choose. Leave `rows` out.");
  if (const auto rows = knownRows(data)) checkEpochs(data, *rows, problems);
  double elements = data.batch;
  for (const std::int64_t side : shape) elements *= static_cast<double>(side);
  if (sides && data.batch >= 1 && elements > kMostBatchElements)
    problems.add("data.batch",
                 "One batch would hold more than 256 GiB of numbers. Make the batch or the samples smaller.");
}

void checkTraining(const TrainingConfig& training, Problems& problems) {
  checkFields(training, "training", problems);
  if (training.optimizer == OptimizerKind::Adam && training.momentum != 0)
    problems.add("training.momentum", "Adam takes no momentum; set it to 0 or use sgd.");
  if (training.nesterov && (training.optimizer != OptimizerKind::Sgd || !(training.momentum > 0)))
    problems.add("training.nesterov", "Nesterov needs sgd with a momentum above 0.");
  if (training.label_smoothing != 0 && training.loss != Loss::CrossEntropy)
    problems.add("training.label_smoothing", "Only cross_entropy smooths labels. Set it to 0, or use cross_entropy.");
}

void checkLanes(const std::vector<LaneConfig>& lanes, Problems& problems) {
  if (lanes.empty()) problems.add("lanes", "There is no lane. Add one, such as { \"device\": \"cpu:0\" }.");
  if (lanes.size() > kMostLanes)
    return problems.add("lanes", "There are {} lanes; at most {} are possible.", lanes.size(), kMostLanes);
  for (std::size_t i = 0; i < lanes.size(); ++i) checkFields(lanes[i], indexPath("lanes", i), problems);
}

void checkVariant(const ResolvedVariant& resolved, Problems& problems) {
  const Experiment& experiment = resolved.experiment();
  const VariantConfig& variant = resolved.config();
  const std::string& where = resolved.where();
  const std::size_t before = problems.found.size();
  if (!isScheduled(variant)) refuseScheduleKeys(variant, where, problems);
  if (!checkVariantLanes(experiment, variant, where, problems))
    return checkSplit(experiment.data.batch, variant, where, problems);
  if (resolved.replicated()) checkReplicas(experiment, variant, where, problems);
  const ReplicaSplit& split = resolved.split();
  checkSplit(split.samples, split.one, where, problems);
  checkTf32(experiment, variant, where, problems);
  if (!resolved.hasModel() || (resolved.replicated() && problems.found.size() != before)) return;
  const std::size_t unplaced = problems.found.size();
  checkPlacement(experiment, resolved.model(), split, where, problems);
  if (problems.found.size() != unplaced) return;
  if (isScheduled(variant) && problems.found.size() == before) checkSchedule(resolved, where, problems);
  checkRecompute(variant, resolved.stages().size(), where, problems);
  checkRecomputedActivations(resolved, where, problems);
  if (const auto rows = knownRows(experiment.data); rows && problems.found.size() == before)
    checkLastBatch(resolved, *rows, problems);
}

namespace {

/// Gradients of one parameter are added up between lanes of one process, and within one replica.
void checkTies(const ResolvedVariant& variant, Problems& problems) {
  const TiedStages tied = tiedStages(variant.model(), variant.stages());
  if (tied.empty()) return;
  const std::string& name = tied.begin()->first;
  const std::vector<StageId>& stages = tied.begin()->second;
  const std::vector<LaneConfig>& lanes = variant.experiment().lanes;
  const auto rankOf = [&](StageId stage) { return lanes[variant.stages()[stage.index()].lane.index()].rank; };
  const bool apart =
      std::ranges::any_of(stages, [&](StageId stage) { return rankOf(stage) != rankOf(stages.front()); });
  if (!apart && variant.replicas() == 1) return;
  problems.add(variant.where() + ".cuts",
               "Stages {} and {} both use the parameter {}, which is not possible {}. Cut so that one stage has all "
               "blocks that use it.",
               stages.front().value, stages[1].value, name,
               std::string(apart ? "in different processes" : "with replicas of several stages"));
}

}  // namespace

void checkTrainable(const ResolvedVariant& variant, Problems& problems) {
  const MicroBatches micro_batches = smallestMicroBatches(variant, variant.experiment().data.batch);
  const bool split = variant.config().split_size == micro_batches.split_size;
  const std::string where = split ? variant.where() + ".split_size" : "data.batch";
  const std::size_t before = problems.found.size();
  checkSamples(variant.model(), variant.microBatches(), where, problems);
  if (problems.found.size() == before) checkSamples(variant.model(), micro_batches, where, problems);
  checkTies(variant, problems);
  if (problems.found.size() == before) checkBatchNorm(variant.model(), micro_batches, where, problems);
  checkTargets(variant.experiment(), variant.model(), problems);
  if (const auto rows = knownRows(variant.experiment().data); rows && problems.found.size() == before)
    checkLastBatchTrainable(variant, *rows, problems);
}

void checkEpochs(const DataConfig& data, std::int64_t rows, Problems& problems) {
  if (!data.epochs || data.batch < 1) return;
  const std::int64_t steps = stepsAnEpoch(data, rows);
  if (steps * *data.epochs > kLargestCount)
    problems.add("data.epochs",
                 "{} epochs of {} steps are more than a million steps. Take fewer epochs or a larger batch.",
                 *data.epochs, steps);
}

void checkLastBatch(const ResolvedVariant& variant, std::int64_t rows, Problems& problems) {
  const DataConfig& data = variant.experiment().data;
  if (!data.epochs || data.batch < 1 || rows < 1) return;
  const int last = rowsOfStep(data, rows, stepsAnEpoch(data, rows) - 1).count;
  const int count = variant.microBatches().count(), replicas = variant.replicas();
  const int least = variant.config().strategy == Strategy::DataParallel ? last : last / replicas;
  if (least >= count) return;
  problems.add("data.batch",
               "An epoch of {} samples ends in a batch of {} by batches of {}, fewer than the {} micro-batches of "
               "\"{}\". Choose another batch or a larger split size.",
               rows, last, data.batch, count * replicas, variant.config().name);
}

void checkLastBatchTrainable(const ResolvedVariant& variant, std::int64_t rows, Problems& problems) {
  const DataConfig& data = variant.experiment().data;
  if (!data.epochs || data.batch < 1 || rows < 1) return;
  const int last = rowsOfStep(data, rows, stepsAnEpoch(data, rows) - 1).count;
  if (last == data.batch) return;
  const MicroBatches micro_batches = smallestMicroBatches(variant, last);
  const std::size_t before = problems.found.size();
  checkSamples(variant.model(), micro_batches, "data.batch", problems);
  if (problems.found.size() == before) checkBatchNorm(variant.model(), micro_batches, "data.batch", problems);
}

void checkVariantName(const std::vector<VariantConfig>& variants, std::size_t i, const std::string& where,
                      Problems& problems) {
  if (!checkName(where + ".name", variants[i].name, problems)) return;
  const auto fileNameOf = [](const VariantConfig& variant) {  // one that is too long is no name
    return variant.name.size() > std::size_t{kMostNameCharacters} * 4 ? std::string() : slug(variant.name);
  };
  const std::string name = fileNameOf(variants[i]);
  if (variants[i].name.empty() || name.find_first_not_of('-') == std::string::npos) {
    problems.add(where + ".name",
                 "A variant needs a name with at least one letter or digit: its files are named after it.");
    return;
  }
  for (std::size_t j = 0; j < i; ++j) {
    if (fileNameOf(variants[j]) != name) continue;
    problems.add(where + ".name", "\"{}\" and \"{}\" would name the same files. Give each variant its own name.",
                 variants[i].name, variants[j].name);
    return;
  }
}

}  // namespace lanelab
