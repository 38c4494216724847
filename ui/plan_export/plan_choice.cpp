// SPDX-License-Identifier: GPL-3.0-only
#include "ui/plan_export/plan_choice.h"

#include <QCoreApplication>

#include "engine/frameworks/plan_targets.h"
#include "engine/frameworks/stage_files.h"

namespace lanelab {
namespace {

struct PlanTexts {
  Q_DECLARE_TR_FUNCTIONS(PlanChoice)
};

Result<const ResolvedVariant*> chosenVariant(const PlanChoice& choice) {
  if (const Status trainable = choice.resolution->trainable(); !trainable.ok()) return trainable.error();
  const ResolvedVariant* const variant = choice.resolution->find(choice.variant);
  if (variant == nullptr) return Error::badInput("There is no variant {}. Choose another one.", choice.variant);
  return variant;
}

/// Refused for the same reasons as the script that Python exports them from.
Result<WrittenFiles> namedStages(const ResolvedVariant& variant) {
  const Result<WrittenFiles> script = findPlanTarget("pytorch")->files(variant);
  if (!script.ok()) return script.error();
  WrittenFiles files;
  files.texts["stages.json"] = {};
  for (std::size_t stage = 0; stage < variant.stages().size(); ++stage)
    for (const char* const extension : {".pt2", ".safetensors"})
      files.texts["stage" + std::to_string(stage) + extension] = {};
  return files;
}

}  // namespace

QString targetTitle(std::string_view target) {
  if (target == kStagesTarget) return PlanTexts::tr("A .pt2 and a .safetensors file per stage");
  if (target == "torchtitan") return QStringLiteral("torchtitan");
  if (target == "deepspeed") return QStringLiteral("DeepSpeed");
  if (target == "megatron") return QStringLiteral("Megatron-LM");
  if (target == "accelerate") return QStringLiteral("accelerate");
  return PlanTexts::tr("PyTorch script for torchrun");
}

QString firstFileOf(std::string_view target) {
  if (target == kStagesTarget) return QStringLiteral("stages.json");
  if (target == "torchtitan") return QStringLiteral("parallelism.py");
  if (target == "deepspeed") return QStringLiteral("planned_pipeline.py");
  if (target == "megatron") return QStringLiteral("arguments.txt");
  if (target == "accelerate") return QStringLiteral("device_map.json");
  return QStringLiteral("README.md");
}

Result<WrittenFiles> plannedFiles(const PlanChoice& choice) {
  const Result<const ResolvedVariant*> variant = chosenVariant(choice);
  if (!variant.ok()) return variant.error();
  if (choice.target == kStagesTarget) return namedStages(**variant);
  return findPlanTarget(choice.target)->files(**variant);
}

Status writePlan(const PlanChoice& choice, const std::string& folder, const WorkControl& control) {
  const Result<const ResolvedVariant*> variant = chosenVariant(choice);
  if (!variant.ok()) return variant.error();
  if (choice.target == kStagesTarget) {
    const auto show = [&control](const std::string& line) {
      if (control.report) control.report({line, 0, 0});
    };
    return writeStageFiles(**variant, folder, show, control.stop);
  }
  const Result<WrittenFiles> files = findPlanTarget(choice.target)->files(**variant);
  return files.ok() ? writeFiles(*files, folder, control) : Status(files.error());
}

}  // namespace lanelab
