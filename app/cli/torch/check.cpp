// SPDX-License-Identifier: GPL-3.0-only
// check: proves that the variants of an experiment train as a single device does, tensor by tensor.
#include <algorithm>
#include <iostream>
#include <memory>

#include "app/cli/checked_experiment.h"
#include "app/cli/cli.h"
#include "app/cli/progress_lines.h"
#include "app/cli/torch/memory_refusal.h"
#include "base/json_text.h"
#include "base/stop_point.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "base/text_table.h"
#include "engine/dist/run_processes.h"
#include "engine/memory/variant_memory.h"
#include "engine/record/training_length.h"
#include "engine/torch/train/eager_reference.h"
#include "engine/torch/train/equality_check.h"
#include "engine/torch/train/torch_executor.h"

namespace lanelab {
namespace {

struct CheckArguments {
  std::string file;
  std::vector<std::string> assignments;
  int steps = 0;  ///< 0: the experiment's, at most kCheckedSteps
  bool force = false;
  bool json = false;
};

using Eager = std::optional<EagerComparison>;

void printTable(const EqualityReport& report, const Eager& eager) {
  const std::vector<TextRow> rows = equalityRows(report);
  std::cout << textTable(rows, rows.front().size());
  std::cout << "\nAfter " << counted(report.steps, "step")
            << ", measured. The difference is |a - b| / |b| of the tensor that differs most.\n";
  for (const std::string& note : report.notes) std::cout << note << "\n";
  if (eager) std::cout << onOneTerminalLine(eagerText(*eager)) << "\n";
}

Json eagerJson(const EagerComparison& eager) {
  if (!eager.left_out.empty()) return {{"torch", eager.torch_version}, {"left_out", eager.left_out}};
  return {{"torch", eager.torch_version},
          {"gradients", eager.gradients},
          {"relative_difference", eager.worst_difference},
          {"differs", eager.differs},
          {"equal", eager.differs.empty()}};
}

Json groupJson(const GroupEquality& group) {
  return {{"what", group.what},
          {"tensors", group.tensors},
          {"bitwise", group.bitwise},
          {"worst", group.worst},
          {"relative_difference", group.worst_difference},
          {"rounding", group.rounding},
          {"not_finite", group.not_finite}};
}

void printJson(const EqualityReport& report, const Eager& eager) {
  Json json{{"steps", report.steps}, {"equal", report.equal()}, {"variants", Json::array()}, {"notes", report.notes}};
  for (const VariantEquality& variant : report.variants) {
    Json groups = Json::array();
    for (const GroupEquality& group : variant.groups) groups.push_back(groupJson(group));
    json["variants"].push_back({{"name", variant.name},
                                {"strategy", toWord(variant.strategy)},
                                {"schedule", toWord(variant.schedule)},
                                {"stages", variant.stages},
                                {"split_size", variant.split_size},
                                {"micro_batches", variant.micro_batches},
                                {"replicas", variant.replicas},
                                {"reference", referenceText(variant)},
                                {"tolerance", variant.bitwise_wanted ? 0 : variant.tolerance},
                                {"equal", variant.equal},
                                {"verdict", toWord(verdictOf(variant))},
                                {"not_finite", variant.not_finite},
                                {"groups", std::move(groups)}});
  }
  if (eager) json["eager"] = eagerJson(*eager);
  std::cout << jsonText(json, 2) << "\n";
}

Status check(const CheckArguments& options, const CliContext& context) {
  const auto resolution = readChecked(options.file, options.assignments);
  if (!resolution.ok()) return resolution.error();
  const auto forecasts = forecastMemory(**resolution);
  const std::unique_ptr<Executor> executor = makeTorchExecutor();
  const FitQuestion memory{(*resolution)->experiment(), forecasts, executor->devices(), Together::OneVariant};
  if (const Status fits = fitsMemory(memory, memoryRule(options.force)); !fits.ok()) return fits;
  const auto length = withStop(context.stop, [&] { return trainingLength(**resolution, *executor); });
  if (!length.ok()) return length.error();
  const int given = (*resolution)->experiment().data.steps;
  const int steps = options.steps > 0 ? options.steps : std::min(kCheckedSteps, given);
  const Result<EqualityReport> report = [&] {
    ProgressLines lines(ProgressLines::Length::Long);
    return checkEquality(**resolution, steps, {lines.report(), context.stop}, peersOfLanes());
  }();
  if (!report.ok()) return report.error();
  const Result<Eager> eager = compareWithEager(**resolution);
  if (!eager.ok()) return eager.error();
  options.json ? printJson(*report, *eager) : printTable(*report, *eager);
  if (const Status equal = equalityStatus(*report); !equal.ok() || !*eager) return equal;
  return eagerStatus(**eager);
}

}  // namespace

void addCheck(const Command& app, CliContext& context) {
  const Command command = app.subcommand("check", "Compare the training of each variant with a single device");
  command.help(
      {.examples = {"check resources/experiments/demo.json",
                    "check resources/experiments/replicas.json --steps 1 --json"},
       .notes =
           "Losses, gradients, parameters and buffers of each variant are compared tensor by tensor with a plain loop "
           "on one thread over the same micro-batches in order. On CPU lanes of one thread all bits must be equal. "
           "Three variants round differently, so a relative difference per tensor of 0.001 (0.05 in bf16 and tf32) is "
           "allowed and printed as \"rounding, at most 0.001\": with a GPU or several threads per lane; with a "
           "parameter in several stages, whose gradients are summed stage by stage; with more than two ddp replicas, "
           "since Gloo chooses the order in which gradients are summed. A tensor that is rounding alone, such as a "
           "gradient that is 0 in exact numbers, is compared with what rounding moves: the reference is trained again "
           "from weights that differ in their last bit. Replicas are compared with copies of the network that process "
           "their rows in order. The reference uses the precision and the batch norm mode of the variant. Numbers that "
           "are not finite are equal to nothing. A file that new-model wrote has the loss and the gradients of one "
           "step "
           "of eager PyTorch, with which the imported network is compared, too, on one thread.",
       .failure = "numbers differ or are not finite"});
  const auto options = std::make_shared<CheckArguments>();
  command.option("FILE", options->file, "Experiment, such as resources/experiments/demo.json").required();
  command.option("--steps", options->steps, "Steps before the comparison (default: those of the experiment, at most 3)")
      .between(1, 1000000);
  command.assignments(options->assignments);
  addForce(command, options->force);
  command.json(options->json);
  chosen(command, context, [options, &context] { return check(*options, context); });
}

}  // namespace lanelab
