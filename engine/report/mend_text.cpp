#include "engine/report/mend_text.h"

#include <cmath>

#include "base/text.h"
#include "engine/advise/mends.h"

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
  return std::abs(percent) >= 9.95 ? std::to_string(std::llround(percent)) : formatNumber(percent, std::abs(percent) >= 0.95 ? 2 : 1);
}

std::string noteOf(const MendOf& mend, const VariantRecord& before, const VariantRecord& after) {
  const Ratio measured = compareTimes(secondsOf(before), secondsOf(after));
  const std::string repeats = std::to_string(before.repeats.size()) + "/" + std::to_string(after.repeats.size());
  const std::string sure = measured.ci95
                               ? "95 % CI " + percentText(measured.ci95->low) + " to " + percentText(measured.ci95->high) + " %, n = " + repeats
                               : "n = " + repeats + ", an interval needs 5";
  return after.name + (mend.change.empty() ? "" : " (" + mend.change + ")") + ": predicted " + fasterText(mend.predicted_ratio) + " than " +
         before.name + ", measured " + fasterText(measured.ratio) + " (" + sure + ").";
}

}  // namespace

std::vector<std::string> mendNotes(const RunRecord& record) {
  std::vector<std::string> notes;
  for (const VariantConfig& variant : record.experiment.variants) {
    if (!variant.mend) continue;
    const VariantRecord *before = record.find(variant.mend->of), *after = record.find(variant.name);
    if (before == nullptr || after == nullptr || before->repeats.empty() || after->repeats.empty()) continue;
    notes.push_back(noteOf(*variant.mend, *before, *after));
  }
  return notes;
}

}  // namespace lanelab
