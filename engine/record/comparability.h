// SPDX-License-Identifier: GPL-3.0-only
// Whether the figures of two runs may be compared: runs of one model on the same data may, per sample if their
// batches or lengths differ. Window and command line share this rule. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "engine/experiment/experiment.h"

namespace lanelab {

/// What an experiment computes, without how: two runs of equal work differ only in what a comparison is about.
struct RunWork {
  std::string arch;
  int classes = 0;
  std::string source;  ///< word of the data source
  std::string path;    ///< of the data; empty for none
  std::string shape;   ///< of one sample: "3x64x64"
  int batch = 0;
  int steps = 0;  ///< of a repeat; 0 if epochs are counted
  std::optional<int> epochs = {};
  std::optional<int> rows = {};
  bool operator==(const RunWork&) const = default;
};
RunWork workOf(const Experiment& experiment);

/// A setting with two values, as files and the command line write them. Empty: not set.
struct SettingDifference {
  std::string key;  ///< "data.batch", "variants.Pipeline.split_size"
  std::string a;
  std::string b;
  bool operator==(const SettingDifference&) const = default;
};

struct Comparability {
  enum class Kind {
    Same,       ///< times compare as they are
    PerSample,  ///< batch or length of a repeat differs: only samples/s compare
    No,         ///< another model or other data
  };
  Kind kind = Kind::Same;
  std::vector<SettingDifference> differences;  ///< of the work, those that decide first
};
Comparability comparability(const RunWork& a, const RunWork& b);

/// Why two runs are not compared, or only per sample: "model resnet18 and resnet50, batch 16 and 32". Empty for equal
/// work.
Message differenceText(const Comparability& comparability);

/// All settings of two experiments that differ, in the order of the file; variants of one name are compared with each
/// other, and one that only one experiment has is a difference of its own ("variants.Pipeline").
std::vector<SettingDifference> settingsThatDiffer(const Experiment& a, const Experiment& b);

}  // namespace lanelab
