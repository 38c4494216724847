// SPDX-License-Identifier: GPL-3.0-only
// Runs an experiment: warm-ups first, then the counted repeats of all variants interleaved in seeded random order,
// writing as it goes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/experiment/resolution.h"
#include "engine/lanes/executor.h"
#include "engine/lanes/run_observer.h"
#include "engine/memory/memory_fit.h"
#include "engine/record/run_record.h"
#include "engine/record/run_store.h"
#include "engine/record/training_length.h"

namespace lanelab {

/// What all processes recorded of a repeat.
struct RecordedTogether {
  std::shared_ptr<const Trace> trace;  ///< of all lanes in rank 0, of their own in the others
  std::vector<RankClock> clocks;       ///< likewise none in the others
};

struct RunOptions {
  bool save_weights = false;
  MemoryRule memory = {};  ///< a run that is forced has a warning instead of the Error
  /// Continues with the run that the folder holds, from its last checkpoint; where it holds none, begins one. What was
  /// measured stays as it is.
  bool resume = false;
  /// A checkpoint every so many steps of a counted repeat, or epochs where the experiment counts these; 0: none.
  /// Default: every epoch, no steps.
  std::optional<int> checkpoint_every;
  /// Writes a trace file (profiler/io lives above engine/run).
  std::function<Status(const Trace&, const std::string& path)> write_trace;
  /// Keeps the trace of a variant's first repeat in a file while it grows, until the result goes; the file is removed
  /// when write_trace wrote the whole.
  std::function<std::shared_ptr<void>(std::shared_ptr<const TraceBuilder>, const std::string& path)> store_live_trace;
  /// In a run of several processes: joins what each recorded of a counted repeat, given its own part; all call it at
  /// once. Empty: only own lanes have a timeline.
  std::function<Result<RecordedTogether>(std::shared_ptr<const Trace> own)> join_traces;
  /// What came up before, and was shown then; goes into the record.
  std::vector<std::string> warnings;
  std::optional<MachineLoad> load;  ///< measured just before the run; goes into the record
  /// What was predicted before the run; goes into the record.
  std::vector<StepPrediction> predictions;
  int rank = 0;  ///< of this process, in a run of several
  /// In a run of several processes: whether this one writes the folder, as only one does.
  bool writes = true;
  /// In a run of several processes: waits for the others, after all have looked at what the folder holds and before
  /// anything is written.
  std::function<Status()> meet;
  /// In a run of several processes: tells the others at once that this one failed, since they may wait for its lanes,
  /// and these for theirs.
  std::function<void(const std::string& why)> failed;
  /// Further facts for the record's environment (command line, Qt's version).
  std::vector<std::pair<std::string, std::string>> environment;
  Packages packages = {};  ///< libraries of the program besides those of the engine, for the same
};

/// What runExperiment() knows before it writes anything.
struct CheckedRun {
  std::vector<std::vector<LaneForecast>> forecasts;  ///< of the variants
  TrainingLength length;
  std::optional<RunRecord> earlier;   ///< of the run to continue, which may be done already
  std::vector<std::string> warnings;  ///< about the machine, then about memory
  SharedWeights weights;              ///< that the check of the machine read
};

/// Refuses what runExperiment() refuses before it begins, in the same order and words, and writes nothing. An empty
/// `folder` is one that is still to be named.
Result<CheckedRun> checkRun(const Resolution& resolution, const Executor& executor, const std::string& folder,
                            const RunOptions& options, const std::stop_token& stop);

/// Blocks until the run ended, and says how in the record's status; what was measured is in the folder in every case.
/// The Error is only for what stopped it before anything was measured (bad experiment, not enough memory, missing
/// device, folder that cannot be written).
Result<RunRecord> runExperiment(const Resolution& resolution, Executor& executor, const std::string& folder,
                                const RunOptions& options, RunObserver& observer, std::stop_token stop);

}  // namespace lanelab
