// SPDX-License-Identifier: GPL-3.0-only
#include "engine/run/run_in_progress.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <new>
#include <numeric>
#include <optional>
#include <utility>

#include "base/quantile.h"
#include "base/stop_point.h"
#include "base/text.h"
#include "engine/lanes/lane_infos.h"
#include "engine/record/begun_record.h"
#include "engine/run/load_recorder.h"
#include "engine/run/recording_trial.h"
#include "engine/run/run_order.h"
#include "profiler/analysis/idle_causes.h"
#include "profiler/analysis/idle_waterfall.h"
#include "profiler/trace/core_time.h"

namespace lanelab {
namespace {

constexpr double kWorthReporting = 1;  // seconds

int checkpointSteps(const Experiment& experiment, const RunOptions& options, int steps_per_epoch) {
  return experiment.data.epochs ? options.checkpoint_every.value_or(1) * steps_per_epoch
                                : options.checkpoint_every.value_or(0);
}

/// A run between its first and its last write. Every method that fails leaves what was measured in the record.
class RunInProgress {
 public:
  /// All variants have plans.
  explicit RunInProgress(PreparedRun run)
      : m_run(std::move(run)),
        m_experiment(m_run.resolution.experiment()),
        m_length(m_run.checked.length),
        m_options(m_run.options),
        m_checkpoint_every(
            checkpointSteps(m_experiment, m_options, static_cast<int>(m_length.samples_per_step.size()))),
        m_traces(m_experiment.variants.size()),
        m_bounds(m_experiment.variants.size()),
        m_record(beginRecord(m_run.resolution, m_length, m_run.checked.forecasts, m_run.executor)) {
    m_record.samples = m_length.samples;
    m_record.predictions = m_options.predictions;
    m_record.load = m_options.load;
    m_record.environment.insert(m_record.environment.end(), m_options.environment.begin(), m_options.environment.end());
    m_record.environment.emplace_back(
        "packages", packagesText(joined(joined(basePackages(), m_run.executor.packages()), m_options.packages)));
    m_record.id = std::filesystem::path(m_run.folder.path()).filename().string();
    if (m_run.checked.earlier) resumeFrom(std::move(*m_run.checked.earlier));
  }

  Result<RunRecord> run() {
    for (const std::string& sentence : m_run.checked.warnings) warn(sentence);
    for (const std::string& sentence : m_options.warnings)
      if (std::ranges::find(m_record.warnings, sentence) == m_record.warnings.end())
        m_record.warnings.push_back(sentence);
    if (const Status written = write(); !written.ok()) {
      if (!m_resumed) m_run.folder.discard();
      return written.error();
    }
    if (const Status prepared = guarded([&] { return withStop(m_run.stop, [&] { return prepare(); }); });
        !prepared.ok()) {
      notifyOtherRanks(prepared);
      if (prepared.error().kind == Error::Kind::BadInput && !m_resumed) {
        m_run.folder.discard();
        return prepared.error();
      }
      return end(asCancelled(prepared));
    }
    const Status outcome = asCancelled(runUnits());
    notifyOtherRanks(outcome);
    return end(outcome);
  }

 private:
  /// Keeps what an earlier process has measured.
  void resumeFrom(RunRecord earlier) {
    m_resumed = true;
    for (VariantRecord& variant : earlier.variants) variant.unfinished.reset();
    earlier.status = RunStatus::Running;
    earlier.finished.clear();
    earlier.error.clear();
    m_record = std::move(earlier);
    std::size_t repeats = 0;
    for (const VariantRecord& variant : m_record.variants) repeats += variant.repeats.size();
    warn("Resumed at " + utcNow() + " with " + std::to_string(repeats) + " of " +
         std::to_string(m_record.variants.size() * static_cast<std::size_t>(m_experiment.repeats)) +
         " repeats done: times before and after are of different processes.");
  }

  const VariantPlan& planOf(std::size_t variant) const { return *m_run.resolution.variants()[variant].plan(); }

  /// Before the sessions end: lanes of other processes may wait for theirs.
  void notifyOtherRanks(const Status& outcome) const {
    if (!outcome.ok() && m_options.failed) m_options.failed(outcome.error().message);
  }

  /// An executor answers with Errors; whatever escapes it all the same becomes one here, before it can reach a user
  /// as a crash.
  template <class Work>
  Status guarded(Work work) {
    try {
      return work();
    } catch (const std::bad_alloc&) {
      return Error::failed("Out of memory. Choose a smaller batch, input or model, or close other programs.");
    } catch (const std::exception& error) {
      return Error::failed("The run failed: {}", error.what());
    }
  }

  /// A lane that loses its peers because the run was asked to stop has not failed.
  Status asCancelled(const Status& outcome) const {
    return outcome.ok() || !m_run.stop.stop_requested() ? outcome : Status(Error::cancelled());
  }

  void warn(const std::string& sentence) {
    m_record.warnings.push_back(sentence);
    m_run.observer.warned(sentence);
  }

  /// Each repeat may say the same.
  void warnOnce(const std::string& sentence) {
    if (std::ranges::find(m_record.warnings, sentence) == m_record.warnings.end()) warn(sentence);
  }

  /// Such a run continues, since its times are good.
  void warnOfLosses(std::size_t variant, const std::vector<double>& losses) {
    const auto first = std::ranges::find_if(losses, [](double loss) { return !std::isfinite(loss); });
    if (first == losses.end()) return;
    warnOnce(planOf(variant).name + ": the loss is not a finite number from step " +
             std::to_string(first - losses.begin() + 1) +
             " on, so nothing is learned. Lower training.lr, or check the data.");
  }

  Status write() {
    const Status refreshed = refreshStatistics(m_record);
    return refreshed.ok() ? m_run.folder.write(m_record) : refreshed;
  }

  Status prepare() {
    SessionMaker sessionOf;
    for (const ResolvedVariant& variant : m_run.resolution.variants()) {
      if (m_run.stop.stop_requested()) return Error::cancelled();
      m_run.observer.preparing("Preparing " + variant.config().name + ": " + variant.model().arch + " in " +
                               counted(static_cast<std::int64_t>(variant.stages().size()), "stage"));
      if (!sessionOf) {
        Result<SessionMaker> loaded =
            m_run.executor.load(m_run.resolution, m_length.steps, std::exchange(m_run.checked.weights, nullptr));
        if (!loaded.ok()) return loaded.error();
        sessionOf = std::move(*loaded);
      }
      Result<std::unique_ptr<Session>> session = sessionOf(variant);
      if (!session.ok()) return session.error();
      m_sessions.push_back(std::move(*session));
    }
    return {};
  }

  Status runUnits() {
    const std::vector<RunUnit> units = orderedUnits(m_experiment);
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (m_run.stop.stop_requested()) return Error::cancelled();
      if (isDone(units[i])) continue;
      const Status done =
          guarded([&] { return runUnit(units[i], static_cast<int>(i), static_cast<int>(units.size())); });
      if (!done.ok()) return done;
    }
    return {};
  }

  /// In an earlier process; a variant that is done needs no warm-up either.
  bool isDone(const RunUnit& unit) const {
    const auto repeats = static_cast<int>(m_record.variants[unit.variant].repeats.size());
    return unit.warmup ? repeats >= m_experiment.repeats : unit.repeat < repeats;
  }

  CheckpointPlan checkpointPlan(const RunUnit& unit) const {
    if (unit.warmup || (m_checkpoint_every == 0 && !m_resumed)) return {};
    return {m_run.folder.checkpointPath(planOf(unit.variant).name), m_checkpoint_every, unit.repeat, m_resumed};
  }

  Status runUnit(const RunUnit& unit, int index, int units) {
    const auto trace = m_experiment.record == RecordMode::Off
                           ? nullptr
                           : std::make_shared<TraceBuilder>(planOf(unit.variant).name, laneInfos(m_experiment.lanes));
    if (trace) trace->setExtent(unit.warmup ? Extent::WarmUp : Extent::Unfinished);
    const int variant = static_cast<int>(unit.variant);
    m_run.observer.repeatStarted(
        {variant, planOf(unit.variant).name, unit.repeat, unit.warmup, index, units, m_length.steps, trace});
    const auto on_step = [&](int step, double seconds, double loss) {
      m_run.observer.stepDone(
          {variant, step, seconds, loss,
           m_length.samples_per_step[static_cast<std::size_t>(step) % m_length.samples_per_step.size()]});
    };
    const auto on_epoch = [&](int epoch, const EpochResult& result) {
      m_run.observer.epochDone(variant, epoch, result);
    };
    std::shared_ptr<void> kept_live = storeLiveTrace(unit, trace);
    std::optional<LoadRecorder> load;
    if (trace) load.emplace(trace);
    const RepeatOutcome outcome =
        m_sessions[unit.variant]->runRepeat({trace.get(), on_step, on_epoch, checkpointPlan(unit), m_run.stop});
    load.reset();
    kept_live.reset();  // before the whole is written, which takes its place
    const RepeatRecord repeat{std::accumulate(outcome.step_seconds.begin(), outcome.step_seconds.end(), 0.0),
                              outcome.step_seconds, outcome.losses, outcome.epochs};
    storePeaks(unit.variant, outcome.peak_bytes);
    if (!outcome.notice.empty()) warnOnce(outcome.notice);
    warnOfLosses(unit.variant, outcome.losses);
    if (!outcome.failure.ok()) {
      storeUnfinished(unit, repeat, trace, outcome.failure.error().kind == Error::Kind::Failed);
      return outcome.failure;
    }
    m_run.observer.repeatDone(repeat.seconds);
    if (unit.warmup) return {};
    if (outcome.gpu) storeGpuActivity(unit.variant, *outcome.gpu);
    if (trace) {
      const Status together = storeMergedTrace(unit.variant, whole(*trace));
      if (!together.ok()) {
        storeUnfinished(unit, repeat, trace, false);
        return together;
      }
    }
    const Status kept = storeRepeat(unit, repeat);
    return kept.ok() && unit.repeat + 1 == m_experiment.repeats ? storeRecordingCost(unit.variant) : kept;
  }

  static std::shared_ptr<const Trace> whole(const TraceBuilder& builder) {
    auto trace = std::make_shared<Trace>(*builder.snapshot());
    trace->extent = Extent::Whole;
    return trace;
  }

  /// The trace of a complete repeat, with the lanes of other processes.
  Status storeMergedTrace(std::size_t variant, std::shared_ptr<const Trace> own) {
    if (!m_options.join_traces) {
      storeTrace(variant, std::move(own), false);
      return {};
    }
    const Result<RecordedTogether> together = m_options.join_traces(std::move(own));
    if (!together.ok()) return together.error();
    retainClocks(m_record.variants[variant].rank_clocks, together->clocks);
    storeTrace(variant, together->trace, true);
    return {};
  }

  /// After all else of the variant was measured and saved, since its training continues.
  Status storeRecordingCost(std::size_t index) {
    if (m_experiment.record == RecordMode::Off || m_experiment.record_cost == false) return {};
    VariantRecord& variant = m_record.variants[index];
    std::vector<double> steps;
    for (const RepeatRecord& repeat : variant.repeats)
      steps.insert(steps.end(), repeat.step_seconds.begin(), repeat.step_seconds.end());
    const double step = medianOf(steps);
    const int pairs = affordablePairs(step, std::accumulate(steps.begin(), steps.end(), 0.0),
                                      m_experiment.record_cost.value_or(false));
    if (step * trialSteps(pairs) > kWorthReporting)
      m_run.observer.preparing("Measuring what recording " + variant.name + " costs");
    variant.recording = measureRecording(*m_sessions[index], m_experiment, pairs, m_run.stop);
    return write();
  }

  void storePeaks(std::size_t variant, const std::vector<std::int64_t>& peaks) {
    std::vector<LaneRecord>& lanes = m_record.variants[variant].lanes;
    for (std::size_t lane = 0; lane < std::min(lanes.size(), peaks.size()); ++lane)
      lanes[lane].peak_bytes = std::max(lanes[lane].peak_bytes, peaks[lane]);
  }

  void storeGpuActivity(std::size_t variant, const GpuActivity& activity) {
    std::optional<GpuActivity>& kept = m_record.variants[variant].gpu;
    if (!kept) kept.emplace();
    *kept += activity;
  }

  /// A failed repeat's trace goes before a complete one's, as it shows the action that failed. The lanes' times are of
  /// complete repeats only.
  void storeUnfinished(const RunUnit& unit, const RepeatRecord& repeat, const std::shared_ptr<TraceBuilder>& trace,
                       bool failed) {
    if (!unit.warmup && !repeat.step_seconds.empty()) m_record.variants[unit.variant].unfinished = repeat;
    if (!trace || trace->spanCount() == 0) return;
    if (failed || m_record.variants[unit.variant].repeats.empty()) m_traces[unit.variant] = trace->snapshot();
  }

  Status storeRepeat(const RunUnit& unit, const RepeatRecord& repeat) {
    VariantRecord& variant = m_record.variants[unit.variant];
    variant.repeats.push_back(repeat);
    if (m_traces[unit.variant]) {
      variant.repeats.back().core_shares = coreShares(*m_traces[unit.variant]);
      storeBound(unit.variant);
    }
    const bool last = unit.repeat + 1 == m_experiment.repeats;
    // The first one too, so that a run that is killed later has a trace of every variant.
    if (unit.repeat == 0 || last) writeTrace(unit.variant);
    if (last && m_options.save_weights) {
      const Status saved = withStop(
          m_run.stop, [&] { return m_sessions[unit.variant]->saveWeights(m_run.folder.weightsPath(variant.name)); });
      if (!saved.ok()) return saved;
    }
    if (const Status written = write(); !written.ok()) return written;
    std::error_code none;
    if (m_run.folder.writes()) std::filesystem::remove(m_run.folder.checkpointPath(variant.name), none);
    return {};
  }

  /// Of the repeat whose trace was just kept, with those before it.
  void storeBound(std::size_t variant) {
    const auto bound = scheduleBound(*m_traces[variant], planOf(variant));
    if (!bound) return;
    m_bounds[variant].push_back(*bound);
    m_record.variants[variant].bound = meanBound(m_bounds[variant]);
  }

  /// Without lanes of other processes those keep what they have.
  void storeTrace(std::size_t variant, std::shared_ptr<const Trace> trace, bool all_lanes) {
    m_traces[variant] = std::move(trace);
    std::vector<LaneRecord>& lanes = m_record.variants[variant].lanes;
    const IdleCauses causes = explainActions(*m_traces[variant]);
    m_record.variants[variant].windows = causes.window_kind;
    for (const LaneCauses& idle : causes.lanes) {
      const auto lane = static_cast<std::size_t>(idle.lane);
      if (lane >= lanes.size() || (!all_lanes && m_experiment.lanes[lane].rank != 0)) continue;
      lanes[lane].window_seconds = static_cast<double>(idle.window) * kNanosecond;
      lanes[lane].busy_seconds = static_cast<double>(idle.busy) * kNanosecond;
      lanes[lane].idle_seconds = static_cast<double>(idle.idle) * kNanosecond;
    }
    const std::vector<CoreTime> core_times = coreTimes(*m_traces[variant]);
    for (std::size_t lane = 0; lane < std::min(lanes.size(), core_times.size()); ++lane)
      lanes[lane].cpu_seconds = static_cast<double>(core_times[lane].cpu) * kNanosecond;
  }

  /// Until a variant has a whole trace in the folder, a kill would leave none.
  std::shared_ptr<void> storeLiveTrace(const RunUnit& unit, const std::shared_ptr<TraceBuilder>& trace) const {
    const std::string& name = planOf(unit.variant).name;
    std::error_code none;
    if (unit.warmup || !trace || !m_options.store_live_trace || !m_run.folder.writes() ||
        std::filesystem::exists(m_run.folder.tracePath(name), none))
      return nullptr;
    return m_options.store_live_trace(trace, m_run.folder.liveTracePath(name));
  }

  /// Into the folder, with what is shown of this trace elsewhere.
  void writeTrace(std::size_t variant) {
    if (m_traces[variant] && m_traces[variant]->extent == Extent::Whole)
      m_record.variants[variant].waterfall = idleWaterfall(*m_traces[variant], explainActions(*m_traces[variant]));
    else
      m_record.variants[variant].waterfall.clear();
    if (!m_options.write_trace || !m_traces[variant] || !m_run.folder.writes()) return;
    const Status written = m_options.write_trace(*m_traces[variant], m_run.folder.tracePath(planOf(variant).name));
    if (!written.ok())
      return warn("The trace of " + planOf(variant).name + " was not written: " + written.error().message);
    std::error_code none;
    std::filesystem::remove(m_run.folder.liveTracePath(planOf(variant).name), none);
  }

  Result<RunRecord> end(const Status& outcome) {
    m_record.status = outcome.ok()                                     ? RunStatus::Done
                      : outcome.error().kind == Error::Kind::Cancelled ? RunStatus::Cancelled
                                                                       : RunStatus::Failed;
    if (!outcome.ok()) m_record.error = outcome.error().message;
    m_record.finished = utcNow();
    if (!outcome.ok()) {
      for (std::size_t variant = 0; variant < m_traces.size(); ++variant) writeTrace(variant);
    }
    const Status written = write();
    if (!written.ok() && m_record.status == RunStatus::Done) {
      m_record.status = RunStatus::Failed;
      m_record.error = written.error().message;
    }
    return std::move(m_record);
  }

  PreparedRun m_run;
  const Experiment& m_experiment;  ///< of the resolution
  const TrainingLength& m_length;
  const RunOptions& m_options;
  const int m_checkpoint_every;  ///< steps; 0: none
  bool m_resumed = false;
  std::vector<std::shared_ptr<const Trace>> m_traces;  ///< of each variant's newest complete repeat, or of one that
                                                       ///< failed, or a part of one while there is none
  std::vector<std::vector<ScheduleBound>> m_bounds;    ///< of each variant's counted repeats
  std::vector<std::unique_ptr<Session>> m_sessions;
  RunRecord m_record;
};

}  // namespace

Result<RunRecord> executeRun(PreparedRun run) { return RunInProgress(std::move(run)).run(); }

}  // namespace lanelab
