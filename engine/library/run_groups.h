// SPDX-License-Identifier: GPL-3.0-only
// The list of runs in groups that share a value, for window and command line alike. Pure; any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/words.h"
#include "engine/library/run_entry.h"

namespace lanelab {

/// Strategy is that of the shown variant, with its schedule; a run with several tags is in a group of each.
enum class RunGrouping { None, Model, Experiment, Strategy, Tag, Day, Machine };
constexpr std::array<Word<RunGrouping>, 7> wordTable(RunGrouping) {
  return {{{RunGrouping::None, "none"},
           {RunGrouping::Model, "model"},
           {RunGrouping::Experiment, "experiment"},
           {RunGrouping::Strategy, "strategy"},
           {RunGrouping::Tag, "tag"},
           {RunGrouping::Day, "day"},
           {RunGrouping::Machine, "machine"}}};
}

/// What the runs of a group share, and the best of their shown variants; nothing of what none of them measured.
struct RunGroup {
  std::string value;              ///< "resnet18", "2026-11-23"; empty: of runs that have none
  std::vector<std::size_t> runs;  ///< indices of the runs, in the order given
  std::optional<double> best_step_seconds = {};
  std::optional<double> best_samples_per_second = {};
  std::string first;  ///< start of the oldest, ISO 8601, UTC
  std::string last;   ///< of the newest
  bool operator==(const RunGroup&) const = default;
};

/// "2026-11-23" of a time in ISO 8601, UTC.
std::string utcDay(const std::string& iso);

/// The runs that `order` names, by what they share: groups in the order of their first runs, that of runs without a
/// value last. `day` says on which day a run started. Without a grouping there are no groups.
std::vector<RunGroup> groupRuns(const std::vector<RunEntry>& runs, const std::vector<std::size_t>& order,
                                RunGrouping by, const std::function<std::string(const std::string& iso)>& day = utcDay);

}  // namespace lanelab
