// SPDX-License-Identifier: GPL-3.0-only
// Two runs beside each other: the settings that differ, whether their figures compare, and the figures of each variant.
// Window and command line show the same. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/library/run_entry.h"
#include "engine/record/comparability.h"
#include "engine/record/run_record.h"

namespace lanelab {

/// A variant that one or both runs have; figures are seconds of a mean step, samples/s and the last loss.
struct VariantDifference {
  std::string name;
  std::optional<VariantEntry> a;
  std::optional<VariantEntry> b;
  std::optional<double> speed_up = {};  ///< of B vs A, by the time per sample; none if they cannot be compared
  std::string speed_up_text = {};       ///< with its interval, which holds within each run only
  std::vector<double> losses_a = {};    ///< of the last counted repeat, step by step
  std::vector<double> losses_b = {};
  bool operator==(const VariantDifference&) const = default;
};

struct RunDifference {
  std::string name_a, name_b;
  std::string trust_a, trust_b;  ///< whether the times of each can be trusted (record/run_trust.h)
  Comparability comparability;
  SampleUnit unit;                             ///< of both runs
  std::vector<SettingDifference> settings;     ///< of the experiments
  std::vector<SettingDifference> environment;  ///< facts of machine and program
  std::vector<VariantDifference> variants;     ///< in the order of A, then those that only B has
};

/// A run with its name, as the list has it.
struct NamedRun {
  std::string name;
  RunRecord record;
};
RunDifference differenceOf(const NamedRun& a, const NamedRun& b);

/// Short names for a chart or a caption, each different: the run's name; among runs of one name with the time from the
/// id ("demo 21:47"), or the id.
std::vector<std::string> shortNames(const std::vector<RunEntry>& runs);

}  // namespace lanelab
