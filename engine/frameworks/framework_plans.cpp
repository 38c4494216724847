// SPDX-License-Identifier: GPL-3.0-only
#include "engine/frameworks/framework_plans.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/json_text.h"
#include "base/text.h"
#include "engine/frameworks/python_text.h"
#include "engine/frameworks/rank_plan.h"
#include "engine/frameworks/stage_modules.h"

namespace lanelab {
namespace {

constexpr const char* kTorchtitanVersion = "torchtitan 0014ac2 (ParallelismConfig in torchtitan/config/configs.py)";
constexpr const char* kDeepspeedVersion = "DeepSpeed 12e65a6 (PipelineModule in deepspeed/runtime/pipe/module.py)";
constexpr const char* kMegatronVersion =
    "Megatron-LM b1030e9 (megatron/core/transformer/pipeline_parallel_layer_layout.py)";
constexpr const char* kAccelerateVersion = "accelerate 1.15.0 (dispatch_model)";

std::string header(const char* version, const ResolvedVariant& variant) {
  return std::string("# The variant ") + pythonComment(variant.config().name) + ", checked against " + version + ".\n";
}

int microBatchSize(const RankPlan& plan) { return plan.micro_batches.front().front(); }

/// Frameworks other than ours have micro-batches of one size.
Status equalMicroBatches(const RankPlan& plan, const std::string& framework) {
  for (const std::vector<int>& sizes : plan.micro_batches)
    for (const int size : sizes)
      if (size != microBatchSize(plan))
        return Error::badInput(
            "{} has micro-batches of one size, and this plan has some of {} and of {} samples. Choose a split size "
            "that divides the batch.",
            framework, microBatchSize(plan), size);
  return {};
}

Message orderNote(const std::string& framework, const std::string& order) {
  return sentence("{} does not take an order of its own: it runs {}, whatever the schedule of the variant is.",
                  framework, order);
}

/// What Megatron-LM and DeepSpeed run.
bool runsOneForwardOneBackward(const ResolvedVariant& variant) {
  const VariantConfig& config = variant.config();
  return config.strategy == Strategy::Pipeline && !config.warm_up &&
         (config.schedule == ScheduleKind::OneFOneB || config.schedule == ScheduleKind::InterleavedOneFOneB);
}

std::string listOfLists(const std::vector<std::vector<std::string>>& lists) {
  std::vector<std::string> rows;
  for (const std::vector<std::string>& list : lists) {
    std::vector<std::string> items;
    for (const std::string& item : list) items.push_back(pythonString(item));
    rows.push_back(pythonList(items));
  }
  return pythonList(rows);
}

/// Blocks of a network of an embedding, equal layers and a head, as letters of Megatron's layout.
std::optional<std::vector<char>> layoutLetters(const ModelSpec& model) {
  // The longest run of blocks that are alike is the layers.
  const auto alike = [](const BlockSpec& a, const BlockSpec& b) {
    return a.type == b.type && a.parameters == b.parameters && a.output == b.output;
  };
  std::size_t first = 0, end = 0;
  for (std::size_t i = 0; i < model.blocks.size();) {
    std::size_t next = i + 1;
    while (next < model.blocks.size() && alike(model.blocks[i], model.blocks[next])) ++next;
    if (next - i > end - first) {
      first = i;
      end = next;
    }
    i = next;
  }
  if (model.vocabulary == 0 || first == 0 || end == model.blocks.size()) return std::nullopt;
  std::vector<char> letters(model.blocks.size(), 't');
  std::fill(letters.begin(), letters.begin() + static_cast<std::ptrdiff_t>(first), 'E');
  std::fill(letters.begin() + static_cast<std::ptrdiff_t>(end), letters.end(), 'L');
  return letters;
}

/// "Et*3" of one stage: what embeds, or what heads, is one letter.
std::string layoutOf(const Stage& stage, const std::vector<char>& letters) {
  std::string text;
  const auto count = std::count(letters.begin() + stage.first.value, letters.begin() + stage.end.value, 't');
  const auto has = [&](char letter) {
    return std::find(letters.begin() + stage.first.value, letters.begin() + stage.end.value, letter) !=
           letters.begin() + stage.end.value;
  };
  if (has('E')) text += 'E';
  if (count > 0) text += count == 1 ? "t" : "t*" + std::to_string(count);
  if (has('L')) text += 'L';
  return text;
}

Result<RankPlan> planFor(const ResolvedVariant& variant, const std::string& framework) {
  if (variant.config().strategy == Strategy::DataParallel)
    return Error::badInput("{} has no counterpart of the strategy data-parallel. Export a variant of ddp.", framework);
  Result<RankPlan> plan = rankPlanOf(variant);
  if (!plan.ok()) return plan.error();
  const Status equal = equalMicroBatches(*plan, framework);
  return equal.ok() ? std::move(plan) : Result<RankPlan>(equal.error());
}

}  // namespace

Result<WrittenFiles> torchtitanPlan(const ResolvedVariant& variant) {
  const Result<RankPlan> plan = planFor(variant, "torchtitan");
  if (!plan.ok()) return plan.error();
  const bool v_of_torch = plan->named == "ZBVZeroBubble";
  if (!hasStagesInRounds(*plan) && !v_of_torch)
    return Error::badInput(
        "torchtitan gives each rank equally many stages in rounds, and this plan has stages on the ranks {}. Place "
        "them in rounds: stage s on lane s mod {}.",
        listText(std::vector<std::int64_t>(plan->stage_ranks.begin(), plan->stage_ranks.end())), plan->ranks);
  const auto modules = stageModules(*variant.network(), variant.model(), plan->stages);
  if (!modules.ok()) return modules.error();
  WrittenFiles files;
  const bool by_csv = plan->named.empty();
  const std::string used = by_csv ? "_PipelineScheduleRuntime" : plan->named;
  files.texts["parallelism.py"] =
      header(kTorchtitanVersion, variant) +
      "from torchtitan.config.configs import ParallelismConfig, TrainingConfig\n\n"
      "parallelism = ParallelismConfig(\n"
      "    data_parallel_replicate_degree=" +
      std::to_string(plan->replicas) +
      ",\n"
      "    pipeline_parallel_degree=" +
      std::to_string(plan->ranks) +
      ",\n"
      "    module_fqns_per_model_part=" +
      listOfLists(*modules) +
      ",\n"
      "    pipeline_parallel_schedule=" +
      pythonString(used) + ",\n" + (by_csv ? "    pipeline_parallel_schedule_csv=\"schedule.csv\",\n" : "") +
      "    pipeline_parallel_microbatch_size=" + std::to_string(microBatchSize(*plan)) +
      ",\n)\n"
      "training = TrainingConfig(local_batch_size=" +
      std::to_string(microBatchSize(*plan) * static_cast<int>(plan->micro_batches.front().size())) + ")\n";
  files.excerpt = "module_fqns_per_model_part=" + listOfLists(*modules) + ",\n";
  if (by_csv) files.texts["schedule.csv"] = toCsv(plan->schedule);
  files.notes.push_back(
      sentence("torchtitan splits the networks that it has: the modules of yours must have the names in "
               "module_fqns_per_model_part."));
  return files;
}

Result<WrittenFiles> deepspeedPlan(const ResolvedVariant& variant) {
  const Result<RankPlan> plan = planFor(variant, "DeepSpeed");
  if (!plan.ok()) return plan.error();
  if (!hasOneStageEach(*plan))
    return Error::badInput(
        "DeepSpeed's PipelineModule has one stage per rank, and this plan has {} stages on {} ranks. Cut the network "
        "into one stage per lane.",
        plan->stage_ranks.size(), plan->ranks);
  std::vector<int> parts = {0};
  std::vector<std::string> names;
  for (const Stage& stage : plan->stages) parts.push_back(stage.end.value);
  for (const BlockSpec& block : variant.model().blocks) names.push_back(pythonString(block.name));
  WrittenFiles files;
  files.texts["planned_pipeline.py"] =
      header(kDeepspeedVersion, variant) +
      "from deepspeed.pipe import PipelineModule\n\n"
      "LAYERS = " +
      pythonList(names) +
      "  # the layers of the module, in this order\n"
      "PARTS = " +
      pythonList(parts) +
      "  # stage s has the layers PARTS[s] to PARTS[s + 1] - 1\n\n\n"
      "class PlannedPipelineModule(PipelineModule):\n"
      "    \"\"\"PipelineModule(layers, num_stages=" +
      std::to_string(plan->ranks) +
      ") with the cuts of the plan in place of partition_method.\"\"\"\n\n"
      "    def _partition_layers(self, method=\"uniform\"):\n"
      "        if self._num_layers != len(LAYERS):\n"
      "            raise ValueError(f\"The plan has {len(LAYERS)} layers, not {self._num_layers}.\")\n"
      "        stage = self._topo.get_coord(self.global_rank).pipe\n"
      "        self.parts = PARTS\n"
      "        self._set_bounds(start=PARTS[stage], stop=PARTS[stage + 1])\n";
  files.excerpt = files.texts["planned_pipeline.py"];
  const int count = static_cast<int>(plan->micro_batches.front().size());
  files.texts["ds_config.json"] = jsonText(Json{{"train_batch_size", microBatchSize(*plan) * count * plan->replicas},
                                                {"train_micro_batch_size_per_gpu", microBatchSize(*plan)},
                                                {"gradient_accumulation_steps", count}},
                                           2) +
                                  "\n";
  if (!runsOneForwardOneBackward(variant)) files.notes.push_back(orderNote("DeepSpeed", "1F1B"));
  return files;
}

Result<WrittenFiles> megatronPlan(const ResolvedVariant& variant) {
  const Result<RankPlan> plan = planFor(variant, "Megatron-LM");
  if (!plan.ok()) return plan.error();
  const auto letters = layoutLetters(variant.model());
  if (!letters)
    return Error::badInput(
        "Megatron-LM lays out an embedding, equal layers and a head; {} is not such a network. Export the "
        "PyTorch script (--what pytorch) instead.",
        variant.experiment().model.title());
  if (!hasStagesInRounds(*plan))
    return Error::badInput("Megatron-LM gives each rank equally many stages in rounds. Place stage s on lane s mod {}.",
                           plan->ranks);
  std::vector<std::string> stages;
  for (const Stage& stage : plan->stages) {
    const std::string text = layoutOf(stage, *letters);
    const bool last = stage.id == plan->stages.back().id;
    if ((text.find('L') != std::string::npos) != last || (text.find('E') != std::string::npos) != (stage.id.value == 0))
      return Error::badInput(
          "Megatron-LM keeps the embedding in the first stage and the head in the last, and the cut at {} divides one. "
          "Move the cut.",
          variant.model().blocks[stage.first.index()].name);
    stages.push_back(text);
  }
  const auto layers = std::count(letters->begin(), letters->end(), 't');
  WrittenFiles files;
  files.excerpt = "--pipeline-model-parallel-layout \"" + joined(stages, "|") + "\"\n";
  files.texts["arguments.txt"] = header(kMegatronVersion, variant) + "--num-layers " + std::to_string(layers) +
                                 "\n--pipeline-model-parallel-size " + std::to_string(plan->ranks) + "\n" +
                                 files.excerpt + "--micro-batch-size " + std::to_string(microBatchSize(*plan)) +
                                 "\n--global-batch-size " + std::to_string(variant.experiment().data.batch) + "\n";
  if (!runsOneForwardOneBackward(variant))
    files.notes.push_back(orderNote("Megatron-LM", hasOneStageEach(*plan) ? "1F1B" : "interleaved 1F1B"));
  return files;
}

Result<WrittenFiles> acceleratePlan(const ResolvedVariant& variant) {
  const Result<RankPlan> plan = rankPlanOf(variant);
  if (!plan.ok()) return plan.error();
  if (plan->replicas > 1 || variant.config().strategy == Strategy::DataParallel)
    return Error::badInput(
        "A device map of accelerate holds one copy of the network, and the variant {} has replicas. Export a pipeline "
        "or "
        "model-parallel variant.",
        variant.config().name);
  const auto modules = stageModules(*variant.network(), variant.model(), plan->stages);
  if (!modules.ok()) return modules.error();
  Json map = Json::object();
  for (std::size_t stage = 0; stage < modules->size(); ++stage)
    for (const std::string& name : (*modules)[stage]) map[name] = plan->stage_ranks[stage];
  WrittenFiles files;
  files.excerpt = jsonText(map, 2) + "\n";
  files.texts["device_map.json"] = files.excerpt;
  files.notes.push_back(
      sentence("Checked against {}, which computes on one device at a time: micro-batches and their order are not in a "
               "device map.",
               kAccelerateVersion));
  return files;
}

}  // namespace lanelab
