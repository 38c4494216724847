// SPDX-License-Identifier: GPL-3.0-only
// What a run was and measured: the content of run.json, the truth of a run folder.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/experiment/experiment.h"
#include "engine/experiment/training_modes.h"
#include "engine/lanes/epoch_result.h"
#include "engine/lanes/run_status.h"
#include "engine/memory/stage_memory.h"
#include "engine/record/rank_clock.h"
#include "engine/record/recording_cost.h"
#include "engine/record/schedule_bound.h"
#include "engine/record/statistics.h"
#include "profiler/trace/gpu_activity.h"

namespace lanelab {

struct RepeatRecord {
  double seconds = 0;
  std::vector<double> step_seconds;
  std::vector<double> losses;
  std::vector<EpochResult> epochs = {};  ///< with data.epochs
};

/// Busy and idle of a lane in the step windows of the variant's recorded trace (its last counted repeat).
struct LaneRecord {
  std::string name;
  std::string device;
  double window_seconds = 0;  ///< 0: nothing was recorded; written as null
  double busy_seconds = 0;
  double idle_seconds = 0;
  std::int64_t peak_bytes = 0;  ///< measured
  MemoryParts forecast =
      {};            ///< of that peak, made before the run; all 0 for a lane without work and in records without one
  int replica = -1;  ///< that the lane works for; -1 where the variant has none
  double cpu_seconds =
      0;  ///< of busy_seconds, that the lane's own thread had a core; 0: not known, as of GPUs; written as null
};

struct VariantRecord {
  std::string name;
  Strategy strategy = Strategy::Single;
  int stages = 1;
  int split_size = 0;
  int micro_batches = 1;
  TrainingModes modes = {};
  int replicas = 1;
  std::vector<std::vector<int>> replica_sizes = {};  ///< data-parallel: samples that each replica got, a list a step
  std::vector<RepeatRecord> repeats;                 ///< counted ones, in the order they ran
  std::optional<RepeatRecord>
      unfinished;  ///< the steps of a counted repeat that failed or was cancelled; in no statistics
  std::vector<LaneRecord> lanes;
  std::optional<ScheduleBound> bound;      ///< mean over the counted repeats; none without a recording
  std::optional<RecordingCost> recording;  ///< none with record off, record_cost false, or before its last repeat
  std::optional<GpuActivity> gpu;          ///< of the counted repeats together; none where no GPU was recorded
  std::vector<RankClock> rank_clocks =
      {};           ///< of the processes whose lanes its trace shows, rank 0 left out; empty for a run of one
  Summary summary;  ///< of repeats' seconds
  double images_per_second = 0;  ///< images of a repeat over the mean
};

/// What the simulator said of a variant before the run, also of one that then was not run.
struct StepPrediction {
  std::string variant;
  int split_size = 0;
  int micro_batches = 1;
  double step_seconds = 0;
};

struct ComparisonRow {
  std::string variant;
  Ratio ratio;
};

struct RunRecord {
  std::string id;  ///< name of its folder
  RunStatus status = RunStatus::Running;
  std::string error;    ///< the sentence, when failed
  std::string started;  ///< ISO 8601, UTC
  std::string finished;
  Experiment experiment;
  std::int64_t images = 0;  ///< a repeat trains on; 0 (older files): batch times steps
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<std::string> warnings;
  std::vector<VariantRecord> variants;
  std::vector<StepPrediction> predictions;  ///< empty: nothing was predicted
  std::string baseline;  ///< name of the variant the others are compared with: the first, unless chosen
  std::vector<ComparisonRow> comparison;

  double imagesPerRepeat() const {
    return images > 0 ? static_cast<double>(images)
                      : static_cast<double>(experiment.data.batch) * experiment.data.steps;
  }
  const VariantRecord* find(const std::string& variant) const;
};

/// Fills summaries, images/s and comparison from the repeats. An unknown baseline: BadInput, names the variants.
Status refreshStatistics(RunRecord& record, const std::string& baseline = "");

std::string toJson(const RunRecord& record);
Result<RunRecord> parseRunRecord(const std::string& json, const std::string& place);

/// The comparison as a text table for a terminal (fixed width, numbers right-aligned, units in headers).
std::string comparisonTable(const RunRecord& record);
/// Error of the forecast against the measured peak: "+1.2 %". Only with both.
std::string forecastError(const LaneRecord& lane);
/// Forecast of every lane's peak memory, by parts, beside the measured peak where there is one; empty for a record
/// without forecasts.
std::string memoryTable(const RunRecord& record);
/// RFC 4180:
/// variant,strategy,stages,split_size,micro_batches,n,mean_s,std_s,median_s,ci95_low_s,ci95_high_s,images_per_second,ratio,ratio_ci95_low,ratio_ci95_high,verdict
std::string comparisonCsv(const RunRecord& record);
/// One sentence: what was compared with what, with interval and n ("Pipeline is 1.72x as fast as Single (95 % CI 1.69
/// to 1.75, n = 10/10, measured).").
std::string headline(const RunRecord& record);
/// What a reader of the figures must know besides: what came of suggestions, variants that do not train in plain fp32,
/// outliers, wide spreads, several comparisons at once, too few repeats. A sentence each.
std::vector<std::string> statisticsNotes(const RunRecord& record);

}  // namespace lanelab
