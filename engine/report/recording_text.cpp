// SPDX-License-Identifier: GPL-3.0-only
#include "engine/report/recording_text.h"

#include <map>

#include "base/text.h"

namespace lanelab {
namespace {

/// One decimal, and no "-0.0".
std::string percent(double share) {
  const std::string text = formatFixed(100 * share, 1);
  return text == "-0.0" ? "0.0" : text;
}

std::string fromTo(const Interval& interval) { return percent(interval.low) + " to " + percent(interval.high) + " %"; }

/// A reason may be an error's sentence.
std::string whyNot(std::string reason) {
  if (reason.ends_with('.')) reason.pop_back();
  return "not measured: " + reason +
         (reason == "the run is too short" ? "; \"record_cost\": true in the experiment measures it all the same" : "");
}

}  // namespace

std::string recordingCostText(const RecordingCost& cost) {
  if (cost.pairs == 0) return whyNot(cost.not_measured);
  const std::string interval = cost.ci95 ? "95 % CI " + fromTo(*cost.ci95) + ", " : "";
  const std::string step =
      percent(cost.cost_ratio) + " % of a step (" + interval + counted(cost.pairs, "pair") + ", measured)";
  if (!cost.cpu_ratio) return step;
  return step + ", " + percent(*cost.cpu_ratio) + " % of its processor time" +
         (cost.cpu_ci95 ? " (" + fromTo(*cost.cpu_ci95) + ")" : "");
}

std::vector<RunNote> recordingNotes(const RunRecord& record) {
  std::map<std::string, std::vector<std::string>> measured, not_measured;
  for (const VariantRecord& variant : record.variants) {
    if (!variant.recording) continue;
    if (variant.recording->pairs == 0)
      not_measured[variant.recording->not_measured].push_back(variant.name);
    else
      measured[variant.recording->mode].push_back(variant.name + " " + recordingCostText(*variant.recording));
  }
  std::vector<RunNote> notes;
  const auto add = [&](std::string sentence) {
    notes.push_back({RunNote::Kind::RecordingCost, "", std::move(sentence)});
  };
  for (const auto& [mode, costs] : measured) add("Recording cost (" + mode + "): " + joined(costs, "; ") + ".");
  for (const auto& [reason, names] : not_measured) {
    const std::string of = names.size() == record.variants.size() ? "" : " of " + joined(names, ", ");
    add("Recording cost" + of + ": " + whyNot(reason) + ".");
  }
  return notes;
}

}  // namespace lanelab
