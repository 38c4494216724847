// SPDX-License-Identifier: GPL-3.0-only
// All notes of a run as one list: the command line, the report and the window print the kinds that they have a place
// for.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "base/message.h"
#include "engine/record/run_record.h"

namespace lanelab {

/// One thing that a reader of a run's figures should know besides.
struct RunNote {
  /// In the order in which notes are listed.
  enum class Kind {
    Trust,       ///< whether its times can be trusted (run_trust.h)
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
  Message sentence;
  bool operator==(const RunNote& other) const {
    return kind == other.kind && variant == other.variant && sentence.message == other.sentence.message;
  }
};

/// By kind, and within a kind in the order of the variants.
std::vector<RunNote> runNotes(const RunRecord& record);

/// Those of these kinds, one kind after the other.
std::vector<Message> noteMessages(const std::vector<RunNote>& notes, std::initializer_list<RunNote::Kind> kinds);
/// The same in English.
std::vector<std::string> noteSentences(const std::vector<RunNote>& notes, std::initializer_list<RunNote::Kind> kinds);

/// "0.4 % of a step (95 % CI -0.2 to 0.9 %, 8 pairs, measured)", or "not measured: ", why, and what would measure it.
Message recordingCostText(const RecordingCost& cost);

/// "Pipeline is 2.43x slower than Single of the same run (95 % CI 2.14 to 2.75x; ...), so one lane ..." if one lane
/// alone does the work of this variant of several lanes clearly faster; else empty.
Message slowerThanSingleText(const RunRecord& record, const std::string& variant);

/// "5 epochs" or "3 steps": how long a repeat is.
std::string lengthWords(const DataConfig& data);

}  // namespace lanelab
