// SPDX-License-Identifier: GPL-3.0-only
#include "engine/run/runner.h"

#include <utility>

#include "base/stop_point.h"
#include "engine/experiment/edits/lane_edits.h"
#include "engine/memory/variant_memory.h"
#include "engine/model/memory_caveat.h"
#include "engine/run/run_in_progress.h"

namespace lanelab {
namespace {

/// Lanes may have other memory limits: nothing that was measured depends on them.
bool isSameWork(Experiment a, Experiment b) {
  a.lanes = withoutMemoryLimits(std::move(a.lanes));
  b.lanes = withoutMemoryLimits(std::move(b.lanes));
  return a == b;
}

/// The record to continue with. An Error if it is of another experiment.
Result<RunRecord> earlierRecord(const Experiment& experiment, const std::string& folder) {
  Result<RunRecord> earlier = readRun(folder);
  if (!earlier.ok() || isSameWork(earlier->experiment, experiment)) return earlier;
  return Error::badInput(
      "{} holds a run of another experiment ({}), or of one that was changed since. Resume with the unchanged "
      "experiment, or name another folder.",
      folder, earlier->experiment.name);
}

}  // namespace

Result<CheckedRun> checkRun(const Resolution& resolution, const Executor& executor, const std::string& folder,
                            const RunOptions& options, const std::stop_token& stop) {
  if (const Status planned = resolution.planned(); !planned.ok()) return planned.error();
  CheckedRun run{forecastMemory(resolution), {}, {}, {}, {}};
  const FitQuestion memory{resolution.experiment(), run.forecasts, executor.devices(), Together::AllVariants,
                           options.rank};
  if (const Status fits = fitsMemory(memory, options.memory); !fits.ok()) return fits.error();
  Result<SharedWeights> weights = withStop(stop, [&] { return executor.checkMachine(resolution, run.warnings); });
  if (!weights.ok()) return weights.error();
  run.weights = std::move(*weights);
  Result<TrainingLength> length = withStop(stop, [&] { return trainingLength(resolution, executor); });
  if (!length.ok()) return length.error();
  run.length = std::move(*length);
  for (std::string& sentence : memoryWarnings(memory)) run.warnings.push_back(std::move(sentence));
  if (std::string caveat = memoryCaveat(resolution.model()); !caveat.empty()) run.warnings.push_back(std::move(caveat));
  if (folder.empty()) return run;
  if (!options.resume || !holdsRun(folder)) {
    if (const Status free = RunFolder::checkFree(folder); options.writes && !free.ok()) return free.error();
    return run;
  }
  Result<RunRecord> earlier = earlierRecord(resolution.experiment(), folder);
  if (!earlier.ok()) return earlier.error();
  run.earlier = std::move(*earlier);
  return run;
}

Result<RunRecord> runExperiment(const Resolution& resolution, Executor& executor, const std::string& folder,
                                const RunOptions& options, RunObserver& observer, std::stop_token stop) {
  Result<CheckedRun> run = checkRun(resolution, executor, folder, options, stop);
  if (!run.ok()) return run.error();
  const bool resumed = run->earlier.has_value();
  if (resumed && run->earlier->status == RunStatus::Done) return std::move(*run->earlier);
  if (options.meet) {
    if (const Status met = options.meet(); !met.ok()) return met.error();
  }
  Result<RunFolder> run_folder = !options.writes ? RunFolder::ofAnotherProcess(folder)
                                 : resumed       ? RunFolder::reopen(folder)
                                                 : RunFolder::create(folder);
  if (!run_folder.ok()) return run_folder.error();
  if (resumed && options.writes) {
    // The lock is held now, and another process may have gone on with the run before.
    Result<RunRecord> found = earlierRecord(resolution.experiment(), folder);
    if (!found.ok() || found->status == RunStatus::Done) return found;
    run->earlier = std::move(*found);
  }
  return executeRun(
      {resolution, std::move(*run), executor, std::move(*run_folder), options, observer, std::move(stop)});
}

}  // namespace lanelab
