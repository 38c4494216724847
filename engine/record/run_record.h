// SPDX-License-Identifier: GPL-3.0-only
// What a run was and measured: the content of run.json, the truth of a run folder.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"
#include "base/window_kind.h"
#include "base/words.h"
#include "engine/experiment/experiment.h"
#include "engine/experiment/step_barrier.h"
#include "engine/experiment/training_modes.h"
#include "engine/lanes/epoch_result.h"
#include "engine/lanes/run_status.h"
#include "engine/memory/stage_memory.h"
#include "engine/record/recording_cost.h"
#include "engine/record/sample_unit.h"
#include "engine/record/schedule_bound.h"
#include "engine/record/statistics.h"
#include "engine/sim/forecast_range.h"
#include "profiler/analysis/idle_waterfall.h"
#include "profiler/trace/gpu_activity.h"

namespace lanelab {

struct RepeatRecord {
  double seconds = 0;
  std::vector<double> step_seconds;
  std::vector<double> losses;
  std::vector<EpochResult> epochs = {};  ///< with data.epochs
  std::vector<double> core_shares = {};  ///< of each lane (coreShares()); empty if nothing was recorded
};

/// Busy and idle of a lane in the windows (VariantRecord::windows) of the variant's recorded trace, that of its last
/// counted repeat.
struct LaneRecord {
  std::string name;
  std::string device;
  double window_seconds = 0;  ///< 0: nothing was recorded; written as null
  double busy_seconds = 0;
  double idle_seconds = 0;
  std::int64_t peak_bytes = 0;  ///< measured
  MemoryParts forecast = {};    ///< of that peak, made before the run; 0 for a lane without work
  int replica = -1;             ///< that the lane works for; -1 where the variant has none
  double cpu_seconds = 0;       ///< of busy_seconds, that the lane's own thread had a core; 0: not known, as of GPUs
};

/// What other programs used of the processor just before the run.
struct MachineLoad {
  double busy_cores = 0;
  int cores = 0;
  bool operator==(const MachineLoad&) const = default;
};

/// How the clock of a process whose lanes a trace shows compares with that of rank 0.
struct RankClock {
  int rank = 0;
  Nanoseconds offset = 0;    ///< that was added to its times at last; 0 where no difference was measured
  Nanoseconds residual = 0;  ///< as far as its times may be off
  bool operator==(const RankClock&) const = default;
};

/// Of each rank the newest offset and the largest residual.
void retainClocks(std::vector<RankClock>& kept, const std::vector<RankClock>& newer);

struct VariantRecord {
  std::string name;
  Strategy strategy = Strategy::Single;
  int stages = 1;
  int split_size = 0;
  int micro_batches = 1;
  TrainingModes modes = {};
  int replicas = 1;
  StepBarrier step_barrier = StepBarrier::Asked;     ///< also of older files, whose lanes met after each step
  WindowKind windows = WindowKind::Step;             ///< that the times of the lanes are of
  std::vector<std::vector<int>> replica_sizes = {};  ///< data-parallel: samples that each replica got, a list a step
  std::vector<RepeatRecord> repeats;                 ///< counted ones, in the order they ran
  std::optional<RepeatRecord> unfinished;  ///< a counted repeat that failed or was cancelled; in no statistics
  std::vector<LaneRecord> lanes;
  std::optional<ScheduleBound> bound;         ///< mean over the counted repeats; none without a recording
  std::optional<RecordingCost> recording;     ///< none with record off, record_cost false, or before its last repeat
  std::optional<GpuActivity> gpu;             ///< of the counted repeats together; none where no GPU was recorded
  std::vector<WaterfallStep> waterfall = {};  ///< of the trace in the folder; empty unless it is of a counted repeat
  std::vector<RankClock> rank_clocks = {};    ///< rank 0 left out; empty for a run of one process
  Summary summary;                            ///< of repeats' seconds
  double samples_per_second = 0;              ///< samples of a repeat over the mean; not a number if that is 0

  std::vector<double> seconds() const;      ///< of each repeat
  std::vector<double> stepMedians() const;  ///< of each counted repeat that has steps
};

/// What the simulator said of a variant before the run, also of one that then was not run.
struct StepPrediction {
  std::string variant;
  int split_size = 0;
  int micro_batches = 1;
  double step_seconds = 0;
  std::optional<ForecastRange> range = {};  ///< that should hold nine measured steps in ten; none in older files
};

struct ComparisonRow {
  std::string variant;
  Ratio ratio;
};

/// What speaks against the times of a run (run_trust.h).
struct TrustReason {
  enum class Kind {
    Ended,        ///< cancelled, failed or interrupted; number: counted repeats that are missing
    CoreTime,     ///< a lane had a core for less than kLeastOnCore of its compute time; number: that share
    SharedCores,  ///< lanes that compute at once share cores; number: threads of these lanes
    Load,         ///< other programs computed when it began; number: cores that they used
    Drift,        ///< later repeats take longer, or less; number: the change from the first to the last
    OtherRuns     ///< runs of several days or machines are compared; number: how many
  };
  Kind kind = Kind::Ended;
  double number = 0;
  Message text;  ///< a clause, "other programs used 1.40 of 2 cores at the start"
};

constexpr std::array<Word<TrustReason::Kind>, 6> wordTable(TrustReason::Kind) {
  return {{{TrustReason::Kind::Ended, "ended early"},
           {TrustReason::Kind::CoreTime, "core time"},
           {TrustReason::Kind::SharedCores, "shared cores"},
           {TrustReason::Kind::Load, "load"},
           {TrustReason::Kind::Drift, "drift"},
           {TrustReason::Kind::OtherRuns, "other runs"}}};
}

struct RunRecord {
  std::string id;  ///< name of its folder
  RunStatus status = RunStatus::Running;
  std::string error;    ///< the sentence, when failed
  std::string started;  ///< ISO 8601, UTC
  std::string finished;
  Experiment experiment;
  std::int64_t samples = 0;  ///< a repeat trains on; 0 (older files): batch times steps
  SampleUnit unit = {};      ///< what these samples are; of combined runs what is true of all
  std::vector<std::pair<std::string, std::string>> environment;
  std::optional<MachineLoad> load;  ///< none: not measured, as by earlier versions
  std::vector<std::string> warnings;
  std::vector<VariantRecord> variants;
  std::vector<StepPrediction> predictions;  ///< empty: nothing was predicted
  std::string baseline;  ///< name of the variant the others are compared with: the first, unless chosen
  std::vector<ComparisonRow> comparison;
  bool per_sample = false;  ///< comparison is of the time per sample (combined_runs.h); not in run.json
  std::vector<std::string> between_runs = {};    ///< what to know of a comparison of several runs; not in run.json
  std::vector<TrustReason> doubts_of_runs = {};  ///< of several runs: what speaks against the times of each, with its
                                                 ///< label, and what differs between them; not in run.json

  double samplesPerRepeat() const {
    return samples > 0 ? static_cast<double>(samples)
                       : static_cast<double>(experiment.data.batch) * experiment.data.steps;
  }
  const VariantRecord* find(const std::string& variant) const;
  const ComparisonRow* compared(const std::string& variant) const;
};

/// The share of right answers after the last epoch: the mean over the repeats that have one.
struct FinalAccuracy {
  int repeats = 0;
  double training = 0;
  std::optional<double> validation = {};  ///< if all of them have it
  /// On validation data if there are any.
  double value() const { return validation.value_or(training); }
};
/// Nothing without epochs, or if the loss knows no right answers.
std::optional<FinalAccuracy> finalAccuracy(const VariantRecord& variant);

/// Fills summaries, samples/s and comparison from the repeats. An unknown baseline: BadInput, names the variants.
Status refreshStatistics(RunRecord& record, const std::string& baseline = "");

std::string toJson(const RunRecord& record);
Result<RunRecord> parseRunRecord(const std::string& json, const std::string& place);

}  // namespace lanelab
