// SPDX-License-Identifier: GPL-3.0-only
// What the list of runs shows of a run: a small value made from run.json and labels.json, so that thousands fit in
// memory. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/lanes/run_status.h"
#include "engine/library/run_labels.h"
#include "engine/record/comparability.h"
#include "engine/record/run_record.h"
#include "engine/record/sample_unit.h"

namespace lanelab {

/// Measured figures are means over the counted repeats; none where nothing was measured.
struct VariantEntry {
  std::string name;
  std::string strategy;      ///< word of the strategy
  std::string schedule;      ///< word of the schedule; empty where the strategy has none
  int micro_batch_size = 0;  ///< samples
  int micro_batches = 1;
  int repeats = 0;
  std::optional<double> samples_per_second = {};
  std::optional<double> step_seconds = {};
  LogTimes per_sample = {};                          ///< of the repeats' seconds per sample
  std::optional<double> speed_up = {};               ///< vs the run's own baseline variant: above 1 is faster
  std::string speed_up_text = {};                    ///< with its interval, or that nothing is clear
  std::optional<double> last_loss = {};              ///< of the last counted repeat
  std::optional<double> accuracy = {};               ///< FinalAccuracy::value()
  std::optional<double> step_forecast_error = {};    ///< predicted over measured step time, minus 1
  std::optional<double> memory_forecast_error = {};  ///< forecast over measured peak, minus 1, of the lane farthest off
  bool operator==(const VariantEntry&) const = default;
};

struct RunEntry {
  std::string folder;  ///< absolute; identifies the run
  std::string id;      ///< name of the folder
  RunLabels labels;
  std::string experiment;  ///< its name
  RunWork work;
  SampleUnit unit;  ///< what figures per second count
  RunStatus status = RunStatus::Done;
  bool damaged = false;  ///< run.json cannot be read; only folder, id, labels, error and started are set
  std::string error;     ///< of the damage, or of a run that failed; a sentence
  std::string started;   ///< ISO 8601, UTC; of a damaged run when its file was written
  std::string finished;
  std::string machine;   ///< its host name; empty: not known
  std::string baseline;  ///< name of the run's own baseline variant
  std::vector<VariantEntry> variants;
  int shown = -1;  ///< index of the variant that a row shows, whatever is measured of it: the first pipeline that is
                   ///< not the baseline, else the first variant that is not, else the first; -1 for none
  bool operator==(const RunEntry&) const = default;

  /// The user's name for it, else the experiment's; of an experiment that nobody named what was run: "resnet18, 1F1B,
  /// 16" has the model, the schedule or strategy, and the micro-batch size unless that is the batch.
  std::string name() const;
  const VariantEntry* shownVariant() const { return shown < 0 ? nullptr : &variants[static_cast<std::size_t>(shown)]; }
};

/// "1F1B", or the word of a schedule that is not known here; of a variant without a schedule its strategy's word.
std::string scheduleOrStrategy(const VariantEntry& variant);

/// Calls `field` with the words and figures of a variant, under their names in files.
void variantFields(auto& field, auto& variant) {
  field("name", variant.name);
  field("strategy", variant.strategy);
  field("schedule", variant.schedule);
  field("micro_batch_size", variant.micro_batch_size);
  field("micro_batches", variant.micro_batches);
  field("repeats", variant.repeats);
  field("images_per_second", variant.samples_per_second);
  field("step_seconds", variant.step_seconds);
  field("speed_up", variant.speed_up);
  field("speed_up_text", variant.speed_up_text);
  field("last_loss", variant.last_loss);
  field("accuracy", variant.accuracy);
  field("step_forecast_error", variant.step_forecast_error);
  field("memory_forecast_error", variant.memory_forecast_error);
}

RunEntry entryOf(const std::string& folder, const RunRecord& record, const RunLabels& labels);
/// Reads run.json and labels.json of a run folder. What cannot be read makes a damaged entry.
RunEntry readEntry(const std::string& folder);

/// Speed-up of a run's shown variant vs that of a baseline run, by the time per sample; of different runs there is no
/// word of which is faster (betweenRuns). Nothing where one of them measured nothing or their work cannot be compared.
std::optional<Ratio> speedUpVs(const RunEntry& run, const RunEntry& baseline);

}  // namespace lanelab
