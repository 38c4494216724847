// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/exports/export_plan.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string_view>

#include "app/cli/checked_experiment.h"
#include "base/text.h"
#include "engine/frameworks/framework_plans.h"
#include "engine/frameworks/pytorch_script.h"
#include "engine/frameworks/stage_files.h"
#include "engine/record/run_store.h"

namespace lanelab {
namespace {

Result<std::shared_ptr<const Resolution>> resolutionOf(const std::string& source) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(source, ignored)) return readChecked(source, {});
  if (!holdsRun(source))
    return Error::badInput("{} has no run.json. Choose the file of an experiment, or a run folder.", source);
  const Result<RunRecord> record = readRun(source);
  return record.ok() ? checked(record->experiment, source) : record.error();
}

/// The named one (as written or as in file names), or with "" the only one.
Result<const ResolvedVariant*> chosenVariant(const Resolution& resolution, const std::string& name) {
  std::vector<std::string> names;
  for (const ResolvedVariant& variant : resolution.variants()) {
    const std::string& own = variant.config().name;
    names.push_back(own);
    if (own == name || (!name.empty() && slug(own) == slug(name))) return &variant;
  }
  if (!name.empty()) return Error::badInput("--variant: there is no variant \"{}\". Choose {}.", name, joinOr(names));
  if (names.size() == 1) return &resolution.variants().front();
  return Error::badInput("The experiment has {} variants. Name one with --variant: {}.", names.size(), joinOr(names));
}

struct PlanKind {
  std::string_view word;
  Result<WrittenFiles> (*files)(const ResolvedVariant&);
};
constexpr std::array kPlanKinds = {PlanKind{"pytorch", pytorchScript}, PlanKind{"torchtitan", torchtitanPlan},
                                   PlanKind{"deepspeed", deepspeedPlan}, PlanKind{"megatron", megatronPlan},
                                   PlanKind{"accelerate", acceleratePlan}};
constexpr std::string_view kStages = "stages";

Status writePlan(const PlanExport& plan, const ResolvedVariant& variant) {
  if (plan.what == kStages)
    return writeStageFiles(
        variant, plan.out, [](const std::string& line) { std::cerr << line << "\n"; }, plan.stop);
  const auto* const kind = std::ranges::find(kPlanKinds, plan.what, &PlanKind::word);
  const Result<WrittenFiles> files = kind->files(variant);
  if (!files.ok()) return files.error();
  for (const std::string& note : files->notes) std::cerr << note << "\n";
  return writeFiles(*files, plan.out);
}

}  // namespace

std::vector<std::string> planExports() {
  std::vector<std::string> words = {std::string(kStages)};
  for (const PlanKind& kind : kPlanKinds) words.emplace_back(kind.word);
  return words;
}

Status exportPlan(const PlanExport& plan) {
  const auto resolution = resolutionOf(plan.source);
  if (!resolution.ok()) return resolution.error();
  const Result<const ResolvedVariant*> variant = chosenVariant(**resolution, plan.variant);
  if (!variant.ok()) return variant.error();
  return writePlan(plan, **variant);
}

}  // namespace lanelab
