// SPDX-License-Identifier: GPL-3.0-only
#include "engine/frameworks/pytorch_script.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "engine/experiment/training_modes.h"
#include "engine/experiment/training_targets.h"
#include "engine/frameworks/python_text.h"
#include "engine/frameworks/rank_plan.h"
#include "engine/frameworks/script_texts.h"
#include "engine/frameworks/stage_code.h"
#include "engine/frameworks/weights_table.h"

namespace lanelab {
namespace {

constexpr std::array<std::pair<TargetKind, std::string_view>, 4> kTargetWords = {{{TargetKind::None, "none"},
                                                                                  {TargetKind::Class, "class"},
                                                                                  {TargetKind::Tokens, "tokens"},
                                                                                  {TargetKind::Values, "values"}}};

/// A line of plan.py: NAME = value, and a comment if there is one.
std::string constant(std::string_view name, const std::string& value, std::string_view comment = {}) {
  std::string line = std::string(name) + " = " + value;
  if (!comment.empty()) line += "  # " + std::string(comment);
  return line + "\n";
}

std::string optionalNumber(const std::optional<double>& value) { return value ? pythonNumber(*value) : "None"; }

std::string wordOf(TargetKind kind) {
  for (const auto& [known, word] : kTargetWords)
    if (known == kind) return std::string(word);
  return {};
}

std::string sampleTuple(const Shape& shape) {
  std::vector<std::string> sizes;
  for (const std::int64_t size : shape) sizes.push_back(std::to_string(size));
  return pythonTuple(sizes);
}

std::string tiedText(const std::vector<TiedParameter>& tied) {
  std::vector<std::string> entries;
  for (const TiedParameter& parameter : tied)
    entries.push_back(pythonString(parameter.name) + ": " + pythonList(parameter.stages));
  return "{" + joined(entries, ", ") + "}";
}

std::string microBatchesText(const RankPlan& plan) {
  std::vector<std::string> replicas;
  for (const std::vector<int>& sizes : plan.micro_batches) replicas.push_back(pythonList(sizes));
  return pythonList(replicas);
}

bool reducesByDdp(const ResolvedVariant& variant, const RankPlan& plan) {
  return variant.config().strategy == Strategy::Ddp && plan.stages.size() == 1 && plan.replicas > 1;
}

std::string trainingText(const TrainingConfig& training, const TrainingModes& modes) {
  return constant("LOSS", pythonString(toWord(training.loss)), "mse, cross_entropy, or output: the network gives it") +
         constant("LOSS_SHIFT", pythonBool(training.loss_shift), "of tokens: position t predicts the target at t + 1") +
         constant("LABEL_SMOOTHING", pythonNumber(training.label_smoothing)) +
         constant("OPTIMIZER", pythonString(toWord(training.optimizer))) + constant("LR", pythonNumber(training.lr)) +
         constant("MOMENTUM", pythonNumber(training.momentum)) +
         constant("WEIGHT_DECAY", pythonNumber(training.weight_decay)) +
         constant("NESTEROV", pythonBool(training.nesterov)) +
         constant("LR_SCHEDULE", pythonString(toWord(training.lr_schedule)), "constant, step, cosine") +
         constant("LR_WARMUP", std::to_string(training.lr_warmup)) +
         constant("LR_STEP_SIZE", std::to_string(training.lr_step_size)) +
         constant("LR_GAMMA", pythonNumber(training.lr_gamma)) + constant("LR_MIN", pythonNumber(training.lr_min)) +
         constant("CLIP_GRAD_NORM", optionalNumber(training.clip_grad_norm)) +
         constant("SEED", std::to_string(training.seed), "of the initial weights and of the data") +
         constant("TF32", pythonBool(modes.precision == Precision::Tf32));
}

std::string planText(const ResolvedVariant& variant, const RankPlan& plan) {
  const Experiment& experiment = variant.experiment();
  const ModelSpec& model = variant.model();
  const int threads = experiment.lanes[plan.stages.front().lane.index()].threads;
  return "\"\"\"The variant " + pythonComment(variant.config().name) + " of the experiment " +
         pythonComment(experiment.name) + ": constants alone, to be changed here.\"\"\"\n\n" +
         constant("STAGE_RANKS", pythonList(plan.stage_ranks), "the rank of each stage, within a replica") +
         constant("REPLICAS", std::to_string(plan.replicas), "of the whole pipeline, each with a part of the batch") +
         constant("DDP", pythonBool(reducesByDdp(variant, plan)), "gradients of replicas by DistributedDataParallel") +
         constant("SCHEDULE", pythonString(plan.named.empty() ? "schedule.csv" : plan.named),
                  "of torch.distributed.pipelining by name, or schedule.csv") +
         constant("BATCH", std::to_string(experiment.data.batch), "samples per step, of all replicas") +
         constant("MICRO_BATCHES", microBatchesText(plan), "samples of each, by replica") +
         constant("SAMPLE", sampleTuple(model.input), "shape of one") +
         constant("VOCABULARY", std::to_string(model.vocabulary), "above 0: samples are tokens below it") +
         constant("TARGETS", pythonString(wordOf(targetKind(experiment.training.loss, model))),
                  "class, tokens, values or none") +
         constant("STEPS", std::to_string(experiment.data.steps)) +
         constant("TIED", tiedText(tiedParameters(*variant.network(), plan.stages)),
                  "parameters that several stages have") +
         constant("THREADS", std::to_string(threads), "of each rank on a CPU") + "\n" +
         trainingText(experiment.training, variant.modes());
}

/// What PyTorch cannot express of a variant.
Status expressible(const ResolvedVariant& variant) {
  const std::string& name = variant.config().name;
  if (variant.config().strategy == Strategy::DataParallel)
    return Error::badInput(
        "The variant {} is data-parallel: one process has the weights of all lanes, as torch.nn.DataParallel. torchrun "
        "starts a process per lane; export a variant of the strategy ddp.",
        name);
  if (variant.modes().precision == Precision::Bf16)
    return Error::badInput(
        "The variant {} trains in bf16 with master weights in fp32, which torch.distributed.pipelining does not have. "
        "Set its precision to fp32 and use torch.autocast in the script.",
        name);
  if (variant.modes().batch_norm == BatchNormMode::Synchronised && variant.replicas() > 1)
    return Error::badInput(
        "The variant {} synchronises batch norms over replicas, which the script does not. Set batch_norm to "
        "micro-batch.",
        name);
  return {};
}

std::vector<Message> notesOf(const ResolvedVariant& variant) {
  std::vector<Message> notes;
  const TrainingModes& modes = variant.modes();
  if (modes.batch_norm == BatchNormMode::Deferred)
    notes.push_back(
        sentence("Running statistics of batch norms are updated per micro-batch in the script, not once per step."));
  if (std::ranges::any_of(modes.recompute, [](Recompute mode) { return mode != Recompute::None; }))
    notes.push_back(
        sentence("The script does not recompute activations: the numbers are the same, the memory is not."));
  if (variant.experiment().data.source != DataSource::Random)
    notes.push_back(sentence("The script trains on random data of the right shapes. Load your own in load_batch()."));
  if (variant.experiment().training.layout == Layout::ChannelsLast && variant.model().input.size() == 3)
    notes.push_back(sentence("Tensors are contiguous in the script, not channels_last."));
  return notes;
}

std::string replaced(std::string text, std::string_view what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

std::string readmeText(const ResolvedVariant& variant, const RankPlan& plan, const std::vector<Message>& notes) {
  const std::string ranks = std::to_string(plan.ranks * plan.replicas);
  std::string text = "# " + pythonComment(variant.config().name) + "\n\n" + "Written by LaneLab from the experiment " +
                     pythonComment(variant.experiment().name) +
                     ". PyTorch 2.11 or later is all that it needs.\n\n"
                     "    torchrun --nproc-per-node " +
                     ranks +
                     " train.py\n"
                     "    torchrun --nproc-per-node " +
                     ranks +
                     " train.py --check\n"
                     "    torchrun --nproc-per-node " +
                     ranks +
                     " train.py --profile traces\n\n"
                     "| file | what is in it |\n|---|---|\n"
                     "| train.py | data, loss, optimizer, pipeline: the same for all plans |\n"
                     "| plan.py | the plan: stages by rank, micro-batches, schedule, settings |\n"
                     "| network.py | a module per stage, with the parameters named as in the network |\n"
                     "| schedule.csv | the order of each rank, a row per rank |\n"
                     "| weights.py, weights.json | the initial weights |\n"
                     "| check.py | compares a step with a single device |\n";
  for (const Message& note : notes) text += "\n" + note.message + "\n";
  return text;
}

}  // namespace

Result<WrittenFiles> pytorchScript(const ResolvedVariant& variant) {
  if (const Status fits = expressible(variant); !fits.ok()) return fits.error();
  const Result<RankPlan> plan = rankPlanOf(variant);
  if (!plan.ok()) return plan.error();
  const Result<std::string> network = networkModule(*variant.network(), plan->stages);
  if (!network.ok()) return network.error();
  WeightsTable weights = weightsTable(*variant.network(), variant.experiment().model);
  WrittenFiles files;
  files.notes = notesOf(variant);
  files.copies = std::move(weights.copies);
  const std::string ranks = std::to_string(plan->ranks * plan->replicas);
  files.command = "torchrun --nproc-per-node " + ranks + " train.py";
  files.texts = {{"train.py", replaced(kTrainScript, "{ranks}", ranks)},
                 {"check.py", kCheckScript},
                 {"weights.py", kWeightsScript},
                 {"plan.py", planText(variant, *plan)},
                 {"network.py", *network},
                 {"schedule.csv", toCsv(plan->schedule)},
                 {"weights.json", weights.json},
                 {"README.md", readmeText(variant, *plan, files.notes)}};
  return files;
}

}  // namespace lanelab
