// SPDX-License-Identifier: GPL-3.0-only
#include "engine/library/run_groups.h"

#include <algorithm>
#include <map>

#include "engine/library/run_query.h"

namespace lanelab {
namespace {

std::vector<std::string> valuesOf(const RunEntry& run, RunGrouping by,
                                  const std::function<std::string(const std::string&)>& day) {
  switch (by) {
    case RunGrouping::None: break;
    case RunGrouping::Model: return {run.work.arch};
    case RunGrouping::Experiment: return {run.experiment};
    case RunGrouping::Strategy: return {strategyText(run)};
    case RunGrouping::Tag: return run.labels.tags.empty() ? std::vector<std::string>{""} : run.labels.tags;
    case RunGrouping::Day: return {day(run.started)};
    case RunGrouping::Machine: return {run.machine};
  }
  return {};
}

template <class Better>
void takeBetter(std::optional<double>& best, const std::optional<double>& figure, Better better) {
  if (figure && (!best || better(*figure, *best))) best = figure;
}

void addRun(RunGroup& group, const RunEntry& run, std::size_t index) {
  group.runs.push_back(index);
  if (const VariantEntry* const shown = run.shownVariant()) {
    takeBetter(group.best_step_seconds, shown->step_seconds, std::less<>());
    takeBetter(group.best_samples_per_second, shown->samples_per_second, std::greater<>());
  }
  if (run.started.empty()) return;
  if (group.first.empty() || run.started < group.first) group.first = run.started;
  group.last = std::max(group.last, run.started);
}

}  // namespace

std::string utcDay(const std::string& iso) { return iso.substr(0, iso.find('T')); }

std::vector<RunGroup> groupRuns(const std::vector<RunEntry>& runs, const std::vector<std::size_t>& order,
                                RunGrouping by, const std::function<std::string(const std::string&)>& day) {
  std::vector<RunGroup> groups;
  std::map<std::string, std::size_t> places;
  for (const std::size_t index : order) {
    for (const std::string& value : valuesOf(runs[index], by, day)) {
      const auto [place, is_new] = places.try_emplace(value, groups.size());
      if (is_new) groups.emplace_back().value = value;
      addRun(groups[place->second], runs[index], index);
    }
  }
  std::stable_partition(groups.begin(), groups.end(), [](const RunGroup& group) { return !group.value.empty(); });
  return groups;
}

}  // namespace lanelab
