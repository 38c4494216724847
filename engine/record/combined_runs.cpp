// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/combined_runs.h"

#include <map>

#include "base/text.h"

namespace lanelab {
namespace {

bool sameWork(const Experiment& a, const Experiment& b) {
  return a.model.arch == b.model.arch && a.model.classes == b.model.classes && a.data.shape == b.data.shape &&
         a.data.batch == b.data.batch && a.data.steps == b.data.steps && a.data.epochs == b.data.epochs;
}

void noteStatus(const LabelledRun& run, std::vector<std::string>& warnings) {
  const RunStatus status = run.record.status;
  if (status != RunStatus::Done)
    warnings.push_back(run.label + " is " + std::string(toString(status)) + "; what it measured is compared.");
}

/// The full name of what the person called the baseline.
Result<std::string> fullName(const RunRecord& combined, const std::string& baseline) {
  if (baseline.empty() || combined.find(baseline) != nullptr) return baseline;
  std::vector<std::string> matches;
  std::vector<std::string> all;
  for (const VariantRecord& variant : combined.variants) {
    all.push_back(variant.name);
    if (variant.name.ends_with("/" + baseline)) matches.push_back(variant.name);
  }
  if (matches.size() == 1) return matches.front();
  if (matches.empty())
    return Error::badInput("There is no variant \"{}\" to compare with. Choose {}.", baseline, joinOr(all));
  return Error::badInput("\"{}\" is in several runs. Choose {}.", baseline, joinOr(matches));
}

}  // namespace

Result<RunRecord> combineRuns(std::vector<LabelledRun> runs, const std::string& baseline,
                              std::vector<std::string>& warnings) {
  if (runs.empty()) return Error::badInput("There is no run to compare. Name at least one run folder.");
  for (const LabelledRun& run : runs) noteStatus(run, warnings);
  RunRecord combined = runs.front().record;
  std::map<std::string, double> images_per_second;
  if (runs.size() > 1) {
    combined.variants.clear();
    combined.baseline.clear();
    for (LabelledRun& run : runs) {
      if (!sameWork(run.record.experiment, combined.experiment)) {
        warnings.push_back(run.label + " does other work a repeat than " + runs.front().label +
                           " (model, image size, batch or steps): compare images/s, not the ratio of times.");
      }
      for (VariantRecord& variant : run.record.variants) {
        variant.name = run.label + "/" + variant.name;
        images_per_second[variant.name] = variant.images_per_second;
        combined.variants.push_back(std::move(variant));
      }
    }
  }
  const Result<std::string> name = fullName(combined, baseline);
  if (!name.ok()) return name.error();
  if (const Status refreshed = refreshStatistics(combined, *name); !refreshed.ok()) return refreshed.error();
  for (VariantRecord& variant : combined.variants) {
    const auto own = images_per_second.find(variant.name);  // counted with its own run's batch and steps
    if (own != images_per_second.end()) variant.images_per_second = own->second;
  }
  return combined;
}

}  // namespace lanelab
