// SPDX-License-Identifier: GPL-3.0-only
// One thing that a reader of a run's figures should know besides.
#pragma once

#include <string>

namespace lanelab {

struct RunNote {
  /// In the order in which notes are listed.
  enum class Kind {
    Warning,     ///< of the run itself
    Accuracy,    ///< after the last epoch
    Suggestion,  ///< what came of it: predicted beside measured
    Modes,       ///< of a variant that does not train in plain fp32
    Statistics,  ///< outliers, wide spreads, too few repeats, several comparisons at once
    RecordingCost,
    Replicas,  ///< how many samples each got
    GpuActivity,
    RankClocks,
    Bound,  ///< what a split backward cost and saved
  };
  Kind kind;
  std::string variant;  ///< that it is about; empty: the run, or several of its variants
  std::string sentence;
  bool operator==(const RunNote&) const = default;
};

}  // namespace lanelab
