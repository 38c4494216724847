// SPDX-License-Identifier: GPL-3.0-only
#include "app/cli/exports/export_plan.h"

#include <filesystem>
#include <iostream>
#include <memory>

#include "app/cli/checked_experiment.h"
#include "base/text.h"
#include "engine/frameworks/plan_targets.h"
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

Status writePlan(const PlanExport& plan, const ResolvedVariant& variant) {
  if (plan.what == kStagesTarget)
    return writeStageFiles(
        variant, plan.out, [](const std::string& line) { std::cerr << line << "\n"; }, plan.stop);
  const Result<WrittenFiles> files = findPlanTarget(plan.what)->files(variant);
  if (!files.ok()) return files.error();
  for (const Message& note : files->notes) std::cerr << note.message << "\n";
  return writeFiles(*files, plan.out, {{}, plan.stop});
}

}  // namespace

std::vector<std::string> planExports() {
  std::vector<std::string> words = {std::string(kStagesTarget)};
  for (const PlanTarget& target : planTargets()) words.emplace_back(target.word);
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
