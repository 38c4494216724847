// SPDX-License-Identifier: GPL-3.0-only
// Order, filters and cells of the list of runs, for window and command line alike. Pure; any thread.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/words.h"
#include "engine/library/run_entry.h"

namespace lanelab {

/// Columns of the table; figures are those of the shown variant. Speed-up is vs the run's own baseline variant.
enum class RunColumn {
  Star,
  Name,
  Model,
  Strategy,
  MicroBatchSize,
  SamplesPerSecond,
  StepTime,
  SpeedUp,
  Status,
  Date,
  Tags,
  Note,
  Id,
  Loss,
  StepForecastError,
  MemoryForecastError,
  Accuracy,
};
constexpr std::array<Word<RunColumn>, 17> wordTable(RunColumn) {
  return {{{RunColumn::Star, "star"},
           {RunColumn::Name, "name"},
           {RunColumn::Model, "model"},
           {RunColumn::Strategy, "strategy"},
           {RunColumn::MicroBatchSize, "micro-batch-size"},
           {RunColumn::SamplesPerSecond, "samples/s"},
           {RunColumn::StepTime, "step-time"},
           {RunColumn::SpeedUp, "speed-up"},
           {RunColumn::Status, "status"},
           {RunColumn::Date, "date"},
           {RunColumn::Tags, "tags"},
           {RunColumn::Note, "note"},
           {RunColumn::Id, "id"},
           {RunColumn::Loss, "loss"},
           {RunColumn::StepForecastError, "step-forecast-error"},
           {RunColumn::MemoryForecastError, "memory-forecast-error"},
           {RunColumn::Accuracy, "accuracy"}}};
}

/// Conditions that all have to hold; of one list, any. Empty lists and texts hold always.
struct RunFilter {
  std::string search;  ///< words that name, id, model, strategy, tags or note have to contain, whatever their case
  std::vector<std::string> statuses = {};    ///< words of RunStatus, or "damaged"
  std::vector<std::string> strategies = {};  ///< words; of any variant
  std::vector<std::string> models = {};
  std::vector<std::string> tags = {};
  bool starred = false;
  bool operator==(const RunFilter&) const = default;
};
bool matches(const RunEntry& run, const RunFilter& filter);

/// Reads "status=done,failed", "strategy=pipeline", "model=resnet18", "tag=night", "star" into the filter. BadInput
/// names what is known.
Status addCondition(RunFilter& filter, const std::string& condition);

/// What a run has in a column; texts sort without regard to case, missing values come last in both directions.
struct RunSort {
  RunColumn column = RunColumn::Date;
  bool descending = true;
  bool operator==(const RunSort&) const = default;
};
/// "samples/s" ascending, "-samples/s" descending; "images/s", its word in earlier versions, is the same column.
/// BadInput names the columns.
Result<RunSort> parseSort(const std::string& text);
/// A strict weak order; equal ones follow by date (newest first) and folder.
bool sortsBefore(const RunEntry& a, const RunEntry& b, RunSort sort);
void sortRuns(std::vector<RunEntry>& runs, RunSort sort);

/// Strategy and schedule of the shown variant, "pipeline (1f1b)"; empty for a run without variants.
std::string strategyText(const RunEntry& run);

/// As shown by the command line: "12.3", "1.72x", "*"; "-" for what is missing.
std::string cellText(const RunEntry& run, RunColumn column);
/// Column header with its unit, such as "Step time (ms)".
std::string columnTitle(RunColumn column);

/// All tags of the runs, each once, sorted.
std::vector<std::string> tagsOf(const std::vector<RunEntry>& runs);

/// The run that `word` names: a folder, an id, the begin of only one id, or a name that only one has. BadInput
/// otherwise.
Result<RunEntry> findRun(const std::vector<RunEntry>& runs, const std::string& word);

}  // namespace lanelab
