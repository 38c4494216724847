// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/run_difference.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "engine/record/environment.h"
#include "engine/record/run_trust.h"
#include "engine/record/speed_words.h"

namespace lanelab {
namespace {

/// The last counted repeat's.
std::vector<double> lossesOf(const RunRecord& record, const std::string& variant) {
  const VariantRecord* found = record.find(variant);
  return found == nullptr || found->repeats.empty() ? std::vector<double>() : found->repeats.back().losses;
}

std::optional<VariantEntry> variantOfEntry(const RunEntry& run, const std::string& name) {
  const auto found = std::ranges::find(run.variants, name, &VariantEntry::name);
  return found == run.variants.end() ? std::nullopt : std::optional(*found);
}

std::vector<SettingDifference> factsThatDiffer(const RunRecord& a, const RunRecord& b) {
  std::vector<SettingDifference> differences;
  std::set<std::string> seen = {"command"};
  for (const RunRecord* record : {&a, &b}) {
    for (const auto& [key, value] : record->environment) {
      if (!seen.insert(key).second) continue;
      const std::string in_a = factOf(a.environment, key), in_b = factOf(b.environment, key);
      if (in_a != in_b) differences.push_back({key, in_a, in_b});
    }
  }
  return differences;
}

/// "2147" of "demo-20261122-214712", or with its seconds; empty for an id of another form.
std::string timeInId(const std::string& id, bool seconds) {
  constexpr std::size_t kLength = 15;  // 20261122-214712
  for (std::size_t begin = 0; begin + kLength <= id.size(); ++begin) {
    const std::string part = id.substr(begin, kLength);
    const auto isDigit = [](unsigned char c) { return std::isdigit(c) != 0; };
    if (part[8] != '-' || std::ranges::count_if(part, isDigit) != kLength - 1) continue;
    const std::string time = part.substr(9, 2) + ":" + part.substr(11, 2);
    return seconds ? time + ":" + part.substr(13, 2) : time;
  }
  return {};
}

/// Between variants that are both there.
void setSpeedUp(VariantDifference& row) {
  const Ratio ratio = betweenRuns(compareLogTimes(row.a->per_sample, row.b->per_sample));
  if (!std::isfinite(ratio.ratio)) return;
  row.speed_up = ratio.ratio;
  row.speed_up_text = speedUpText(ratio).message;
}

bool areDifferent(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end()).size() == names.size();
}

}  // namespace

RunDifference differenceOf(const NamedRun& a, const NamedRun& b) {
  RunDifference difference;
  difference.name_a = a.name;
  difference.name_b = b.name;
  difference.trust_a = runTrust(a.record).sentence.message;
  difference.trust_b = runTrust(b.record).sentence.message;
  difference.unit = SampleUnit::common(a.record.unit, b.record.unit);
  difference.comparability = comparability(workOf(a.record.experiment), workOf(b.record.experiment));
  difference.settings = settingsThatDiffer(a.record.experiment, b.record.experiment);
  difference.environment = factsThatDiffer(a.record, b.record);
  const RunEntry entry_a = entryOf("a", a.record, {}), entry_b = entryOf("b", b.record, {});
  std::vector<std::string> names;
  for (const RunEntry* entry : {&entry_a, &entry_b})
    for (const VariantEntry& variant : entry->variants)
      if (std::ranges::find(names, variant.name) == names.end()) names.push_back(variant.name);
  for (const std::string& name : names) {
    VariantDifference row{name, variantOfEntry(entry_a, name), variantOfEntry(entry_b, name)};
    row.losses_a = lossesOf(a.record, name);
    row.losses_b = lossesOf(b.record, name);
    const bool comparable = difference.comparability.kind != Comparability::Kind::No && row.a && row.b;
    if (comparable) setSpeedUp(row);
    difference.variants.push_back(std::move(row));
  }
  return difference;
}

std::vector<std::string> shortNames(const std::vector<RunEntry>& runs) {
  std::multiset<std::string> taken;
  for (const RunEntry& run : runs) taken.insert(run.name());
  for (const bool seconds : {false, true}) {
    std::vector<std::string> names;
    for (const RunEntry& run : runs) {
      const std::string time = timeInId(run.id, seconds);
      const bool alone = taken.count(run.name()) == 1;
      names.push_back(alone ? run.name() : time.empty() ? run.id : run.name() + " " + time);
    }
    if (areDifferent(names)) return names;
  }
  std::vector<std::string> names;
  for (const RunEntry& run : runs) names.push_back(taken.count(run.name()) == 1 ? run.name() : run.id);
  return areDifferent(names) ? names : [&] {
    for (std::size_t i = 0; i < runs.size(); ++i) names[i] = runs[i].folder;
    return names;
  }();
}

}  // namespace lanelab
