// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/combined_runs.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "engine/record/comparability.h"

namespace lanelab {
namespace {

void noteStatus(const LabelledRun& run, std::vector<std::string>& warnings) {
  const RunStatus status = run.record.status;
  if (status != RunStatus::Done)
    warnings.push_back(run.label + " is " + std::string(toString(status)) + "; what it measured is compared.");
}

/// The full name of the baseline that the user named.
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

/// What a run's variants were measured with.
struct Measure {
  double images_per_second = 0;
  double images_per_repeat = 1;
};

/// A sentence for the difference of a run's work from the first one's.
std::string differenceWarning(const std::string& first, const std::string& other, const Comparability& difference,
                              const SampleUnit& unit) {
  return first + " and " + other + " differ in " + differenceText(difference) + ", so the time per " + unit.word() +
         " is compared, not the time per repeat.";
}

Error unlikeRuns(const std::string& first, const std::string& other, const Comparability& difference) {
  return Error::badInput("{} and {} did different work: {}. Compare runs of one model and the same data.", first, other,
                         differenceText(difference));
}

/// Ratios of seconds per sample in place of seconds per repeat. Names, baseline and summaries remain.
void comparePerSample(RunRecord& combined, const std::map<std::string, Measure>& measures) {
  const auto secondsPerSample = [&](const VariantRecord& variant) {
    std::vector<double> seconds = variant.seconds();
    for (double& value : seconds) value /= measures.at(variant.name).images_per_repeat;
    return seconds;
  };
  const std::vector<double> baseline = secondsPerSample(*combined.find(combined.baseline));
  for (ComparisonRow& row : combined.comparison) {
    if (row.variant != combined.baseline)
      row.ratio = compareTimes(baseline, secondsPerSample(*combined.find(row.variant)));
  }
  combined.per_sample = true;
}

/// Gives the variants the names "label/variant" and appends them.
void appendRun(LabelledRun& run, RunRecord& combined, std::map<std::string, Measure>& measures) {
  for (VariantRecord& variant : run.record.variants) {
    variant.name = run.label + "/" + variant.name;
    measures[variant.name] = {variant.images_per_second, run.record.imagesPerRepeat()};
    combined.variants.push_back(std::move(variant));
  }
}

}  // namespace

bool areUnlike(const std::vector<LabelledRun>& runs) {
  return std::ranges::any_of(runs, [&](const LabelledRun& run) {
    const RunWork first = workOf(runs.front().record.experiment);
    return comparability(first, workOf(run.record.experiment)).kind == Comparability::Kind::No;
  });
}

Result<RunRecord> combineRuns(std::vector<LabelledRun> runs, const std::string& baseline,
                              std::vector<std::string>& warnings, UnlikeRuns unlike) {
  if (runs.empty()) return Error::badInput("There is no run to compare. Name at least one run folder.");
  for (const LabelledRun& run : runs) noteStatus(run, warnings);
  RunRecord combined = runs.front().record;
  std::map<std::string, Measure> measures;
  bool per_sample = false;
  if (runs.size() > 1) {
    combined.variants.clear();
    combined.baseline.clear();
    const RunWork work = workOf(combined.experiment);
    for (LabelledRun& run : runs) {
      const Comparability difference = comparability(work, workOf(run.record.experiment));
      combined.unit = SampleUnit::common(combined.unit, run.record.unit);
      if (difference.kind == Comparability::Kind::No && unlike == UnlikeRuns::Refuse)
        return unlikeRuns(runs.front().label, run.label, difference);
      if (difference.kind != Comparability::Kind::Same)
        warnings.push_back(differenceWarning(runs.front().label, run.label, difference, combined.unit));
      per_sample = per_sample || difference.kind != Comparability::Kind::Same;
      appendRun(run, combined, measures);
    }
  }
  const Result<std::string> name = fullName(combined, baseline);
  if (!name.ok()) return name.error();
  if (const Status refreshed = refreshStatistics(combined, *name); !refreshed.ok()) return refreshed.error();
  if (per_sample && !combined.variants.empty()) comparePerSample(combined, measures);
  for (VariantRecord& variant : combined.variants) {
    const auto own = measures.find(variant.name);  // counted with its own run's batch and steps
    if (own != measures.end()) variant.images_per_second = own->second.images_per_second;
  }
  return combined;
}

}  // namespace lanelab
