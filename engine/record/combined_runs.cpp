// SPDX-License-Identifier: GPL-3.0-only
#include "engine/record/combined_runs.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "engine/record/comparability.h"
#include "engine/record/environment.h"
#include "engine/record/run_trust.h"
#include "engine/record/speed_words.h"

namespace lanelab {
namespace {

void noteStatus(const LabelledRun& run, std::vector<std::string>& warnings) {
  const RunStatus status = run.record.status;
  if (status == RunStatus::Done) return;
  const bool any =
      std::ranges::any_of(run.record.variants, [](const VariantRecord& variant) { return !variant.repeats.empty(); });
  warnings.push_back(run.label + " is " + toWord(status) +
                     (any ? "; what it measured is compared." : ", and completed no counted repeat."));
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
  double samples_per_second = 0;
  double samples_per_repeat = 1;
};

/// A sentence for the difference of a run's work from the first one's.
std::string differenceWarning(const std::string& first, const std::string& other, const Comparability& difference,
                              const SampleUnit& unit) {
  return first + " and " + other + " differ in " + differenceText(difference).message + ", so the time per " +
         unit.word() + " is compared, not the time per repeat.";
}

Error unlikeRuns(const std::string& first, const std::string& other, const Comparability& difference) {
  return Error::badInput("{} and {} did different work: {}. Compare runs of one model and the same data.", first, other,
                         differenceText(difference));
}

/// Ratios of seconds per sample in place of seconds per repeat. Names, baseline and summaries remain.
void comparePerSample(RunRecord& combined, const std::map<std::string, Measure>& measures) {
  const auto secondsPerSample = [&](const VariantRecord& variant) {
    std::vector<double> seconds = variant.seconds();
    for (double& value : seconds) value /= measures.at(variant.name).samples_per_repeat;
    return seconds;
  };
  const std::vector<double> baseline = secondsPerSample(*combined.find(combined.baseline));
  for (ComparisonRow& row : combined.comparison) {
    if (row.variant != combined.baseline)
      row.ratio = compareTimes(baseline, secondsPerSample(*combined.find(row.variant)));
  }
  combined.per_sample = true;
}

/// Those of these facts, and the day, that are not the same in all runs: "host (vm and lab2)".
std::string differentFacts(const std::vector<LabelledRun>& runs, const std::vector<std::string>& keys) {
  std::vector<std::string> texts;
  const auto add = [&](const std::string& key, const auto& valueOf) {
    std::vector<std::string> values;
    for (const LabelledRun& run : runs) {
      std::string value = valueOf(run.record);
      if (value.empty()) value = "unknown";
      if (std::ranges::find(values, value) == values.end()) values.push_back(value);
    }
    if (values.size() > 1) texts.push_back(key + " (" + joinAnd(values) + ")");
  };
  constexpr std::size_t kDay = 10;  // of 2026-11-27T07:16:27Z
  add("day", [](const RunRecord& record) { return record.started.substr(0, kDay); });
  for (const std::string& key : keys)
    add(key, [&](const RunRecord& record) { return factOf(record.environment, key); });
  return joined(texts, ", ");
}

/// What the runs' records tell of machine and program.
std::vector<std::string> factsOf(const std::vector<LabelledRun>& runs) {
  std::vector<std::string> keys;
  for (const LabelledRun& run : runs)
    for (const auto& [key, value] : run.record.environment)
      if (key != "command" && std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  return keys;
}

/// Of each run with its label, then that there are several.
std::vector<TrustReason> doubtsOf(const std::vector<LabelledRun>& runs) {
  std::vector<TrustReason> doubts;
  for (const LabelledRun& run : runs)
    for (TrustReason& reason : runTrust(run.record).reasons)
      doubts.push_back({reason.kind, reason.number, sentence("{}: {}", run.label, reason.text)});
  const std::string differ = differentFacts(runs, {"host", "cpu", "cores"});
  doubts.push_back(
      {TrustReason::Kind::OtherRuns, static_cast<double>(runs.size()),
       differ.empty() ? sentence("repeats of different runs were not interleaved")
                      : sentence("repeats of different runs were not interleaved, and the runs differ in {}", differ)});
  return doubts;
}

std::string ownName(const std::string& variant, const LabelledRun& run) { return variant.substr(run.label.size() + 1); }

const VariantRecord* variantIn(const RunRecord& combined, const LabelledRun& run, const std::string& name) {
  return combined.find(run.label + "/" + name);
}

/// Against the same variant of its own run, which cancels out what differs between the runs: a sentence for each
/// variant that has a namesake in the first run.
void addSpeedUps(RunRecord& combined, const std::vector<LabelledRun>& runs) {
  const LabelledRun& first = runs.front();
  const std::string common = first.record.baseline;
  const VariantRecord* const base = variantIn(combined, first, common);
  for (std::size_t i = 1; base != nullptr && i < runs.size(); ++i) {
    const VariantRecord* const other_base = variantIn(combined, runs[i], common);
    if (other_base == nullptr) continue;
    for (const VariantRecord& variant : combined.variants) {
      if (!variant.name.starts_with(runs[i].label + "/") || ownName(variant.name, runs[i]) == common) continue;
      const VariantRecord* const namesake = variantIn(combined, first, ownName(variant.name, runs[i]));
      if (namesake == nullptr) continue;
      const Ratio ratio =
          compareSpeedUps(other_base->seconds(), variant.seconds(), base->seconds(), namesake->seconds());
      if (ratio.ci95)
        combined.between_runs.push_back("Relative to " + common + " of its own run, " + variant.name + " vs " +
                                        namesake->name + ": " + speedClause(ratio).message + ".");
    }
  }
}

/// No word of which is faster between runs; what differs, and what would compare them.
void judgeBetweenRuns(RunRecord& combined, const std::vector<LabelledRun>& runs) {
  const auto runOf = [&](const std::string& variant) {
    return std::ranges::find_if(runs, [&](const LabelledRun& run) { return variant.starts_with(run.label + "/"); });
  };
  for (ComparisonRow& row : combined.comparison)
    if (runOf(row.variant) != runOf(combined.baseline)) row.ratio = betweenRuns(row.ratio);
  combined.between_runs.push_back(
      "Intervals hold within one run only: repeats are interleaved there, not between runs, and the same experiment "
      "run "
      "twice may differ by more. Put both variants in one run, or a common baseline variant in both runs.");
  if (const std::string facts = differentFacts(runs, factsOf(runs)); !facts.empty())
    combined.between_runs.push_back("The runs differ in " + facts + ".");
  addSpeedUps(combined, runs);
}

/// Gives the variants the names "label/variant" and appends them.
void appendRun(LabelledRun& run, RunRecord& combined, std::map<std::string, Measure>& measures) {
  for (VariantRecord& variant : run.record.variants) {
    variant.name = run.label + "/" + variant.name;
    measures[variant.name] = {variant.samples_per_second, run.record.samplesPerRepeat()};
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
    combined.doubts_of_runs = doubtsOf(runs);
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
  if (runs.size() > 1) judgeBetweenRuns(combined, runs);
  for (VariantRecord& variant : combined.variants) {
    const auto own = measures.find(variant.name);  // counted with its own run's batch and steps
    if (own != measures.end()) variant.samples_per_second = own->second.samples_per_second;
  }
  return combined;
}

}  // namespace lanelab
