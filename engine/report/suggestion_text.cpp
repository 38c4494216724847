// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/suggestion_text.h"

#include <cmath>

#include "base/text.h"
#include "engine/advise/suggestions.h"

namespace lanelab {
namespace {

std::vector<double> secondsOf(const VariantRecord& variant) {
  std::vector<double> seconds;
  for (const RepeatRecord& repeat : variant.repeats) seconds.push_back(repeat.seconds);
  return seconds;
}

/// Percent faster; below 0 slower.
std::string percentText(double ratio) {
  const double percent = 100 * (ratio - 1);
  return std::abs(percent) >= 9.95 ? std::to_string(std::llround(percent))
                                   : formatNumber(percent, std::abs(percent) >= 0.95 ? 2 : 1);
}

std::string outcomeSentence(const SuggestedFrom& suggestion, const VariantRecord& before, const VariantRecord& after) {
  const Ratio measured = compareTimes(secondsOf(before), secondsOf(after));
  const std::string repeats = std::to_string(before.repeats.size()) + "/" + std::to_string(after.repeats.size());
  const std::string sure = measured.ci95 ? "95 % CI " + percentText(measured.ci95->low) + " to " +
                                               percentText(measured.ci95->high) + " %, n = " + repeats
                                         : "n = " + repeats + ", an interval needs 5";
  return after.name + (suggestion.change.empty() ? "" : " (" + suggestion.change + ")") + ": predicted " +
         fasterText(suggestion.predicted_ratio) + " than " + before.name + ", measured " + fasterText(measured.ratio) +
         " (" + sure + ").";
}

}  // namespace

std::vector<RunNote> suggestionNotes(const RunRecord& record) {
  std::vector<RunNote> notes;
  for (const VariantConfig& variant : record.experiment.variants) {
    if (!variant.suggested_from) continue;
    const VariantRecord *before = record.find(variant.suggested_from->of), *after = record.find(variant.name);
    if (before == nullptr || after == nullptr || before->repeats.empty() || after->repeats.empty()) continue;
    notes.push_back(
        {RunNote::Kind::Suggestion, variant.name, outcomeSentence(*variant.suggested_from, *before, *after)});
  }
  return notes;
}

}  // namespace lanelab
