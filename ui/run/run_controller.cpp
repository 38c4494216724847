// SPDX-License-Identifier: GPL-3.0-only
#include "ui/run/run_controller.h"

#include <malloc.h>
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTimer>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "engine/advise/sweep_plan.h"
#include "engine/library/copied_command.h"
#include "engine/library/library_packages.h"
#include "engine/run/time_left.h"
#include "profiler/io/chrome/chrome_writer.h"
#include "profiler/io/import/import_packages.h"
#include "profiler/io/perfetto/trace_appender.h"
#include "ui/look/message_strip.h"
#include "ui/look/plain_text.h"

namespace lanelab {

namespace {

constexpr int kPollMilliseconds = 33;
constexpr qint64 kLongestSilence = 1000;  ///< ms; the time left runs down while nothing else changes
constexpr std::size_t kRecentSteps = 5;
constexpr int kIdleAfterRun = 1000;  ///< ms, for the window to show the run

struct ControllerTexts {
  Q_DECLARE_TR_FUNCTIONS(RunController)
};

/// What a repeat records, and which one it is.
struct LiveTrace {
  std::shared_ptr<const TraceBuilder> builder;
  QString unit;
};

/// Everything the engine's threads leave behind for the next poll.
struct Shared {
  RunProgress progress;
  bool progress_changed = false;
  LiveTrace trace;
  LiveTrace ended_trace;  ///< of the repeat before, until it was shown once in full
  std::vector<std::string> warnings;
  std::optional<Result<RunRecord>> result;
};

/// Images a second over the newest steps of one variant.
class Throughput {
 public:
  double add(const StepDone& step) {
    if (step.variant != m_variant) m_recent.clear();
    m_variant = step.variant;
    m_recent.push_back({step.samples, step.seconds});
    if (m_recent.size() > kRecentSteps) m_recent.pop_front();
    double images = 0;
    double seconds = 0;
    for (const auto& [count, time] : m_recent) {
      images += count;
      seconds += time;
    }
    return seconds > 0 ? images / seconds : 0;
  }

 private:
  int m_variant = -1;
  std::deque<std::pair<int, double>> m_recent;
};

QString unitOf(const RepeatStart& start, const Experiment& experiment) {
  if (start.warmup && experiment.warmup < 2) return ControllerTexts::tr("warm-up");
  if (start.warmup) return ControllerTexts::tr("warm-up %1 of %2").arg(start.repeat + 1).arg(experiment.warmup);
  return ControllerTexts::tr("repeat %1 of %2").arg(start.repeat + 1).arg(experiment.repeats);
}

QString phaseOf(const RepeatStart& start, const Experiment& experiment) {
  const QString variant = QString::fromStdString(start.variant_name);
  if (start.warmup && experiment.warmup < 2) return ControllerTexts::tr("warm-up of %1").arg(variant);
  return ControllerTexts::tr("%1, %2").arg(unitOf(start, experiment), variant);
}

}  // namespace

Progress RunProgress::work() const {
  if (measuring.total > 0 || units == 0) return measuring;
  const std::int64_t of_a_unit = std::max(steps, 1);
  return {{}, unit * of_a_unit + step, units * of_a_unit};
}

class RunController::Impl : public RunObserver {
 public:
  Impl(RunController* owner, std::shared_ptr<Executor> the_executor, QString root)
      : executor(std::move(the_executor)), runs_root(std::move(root)), m_owner(owner) {
    m_timer.setInterval(kPollMilliseconds);
    QObject::connect(&m_timer, &QTimer::timeout, owner, [this] { poll(); });
  }

  ~Impl() override {
    m_worker.request_stop();
    if (m_worker.joinable()) m_worker.join();
  }

  struct How {
    bool resume = false;
    bool force = false;
    std::optional<MachineLoad> load = {};
    std::vector<std::string> warnings = {};  ///< that were shown before
  };

  bool running() const { return m_worker.joinable(); }
  void cancel() { m_worker.request_stop(); }

  /// False when one is running already.
  bool start(std::shared_ptr<const Resolution> resolution, const QString& folder, const How& how) {
    return begin(std::move(resolution), folder, [this, how](std::stop_token stop) { return runThis({}, stop, how); });
  }

  bool startSweep(std::shared_ptr<const Resolution> resolution, std::size_t best, const How& how) {
    const QString folder = newFolder(resolution->experiment().name + " sweep");
    return begin(std::move(resolution), folder,
                 [this, best, how](std::stop_token stop) { return sweep(best, how, stop); });
  }

  QString newFolder(const std::string& name) const {
    return QString::fromStdString(defaultRunPath(runs_root.toStdString(), name));
  }

  void preparing(const std::string& what) override { measuring({what}); }

  void measuring(const Progress& now) {
    const std::lock_guard guard(m_lock);
    m_shared.progress.phase = QString::fromStdString(now.phase);
    m_shared.progress.preparing = true;
    m_shared.progress.measuring = now;
    m_shared.progress_changed = true;
  }

  void repeatStarted(const RepeatStart& begun) override {
    const std::lock_guard guard(m_lock);
    auto& progress = m_shared.progress;
    progress.measuring = {};
    progress.preparing = false;
    progress.phase = phaseOf(begun, m_resolution->experiment());
    progress.variant = QString::fromStdString(begun.variant_name);
    progress.unit_of_speed = SampleUnit::of(m_resolution->model());
    progress.unit = begun.unit;
    progress.units = begun.units;
    progress.step = 0;
    progress.steps = begun.steps;
    m_shared.ended_trace = std::exchange(m_shared.trace, {begun.trace, unitOf(begun, m_resolution->experiment())});
    m_shared.progress_changed = true;
    m_time_left.unitStarted(begun.variant, begun.warmup, begun.steps, std::chrono::steady_clock::now());
  }

  void stepDone(const StepDone& step) override {
    const std::lock_guard guard(m_lock);
    auto& progress = m_shared.progress;
    progress.step = step.step + 1;
    progress.samples_per_second = m_throughput.add(step);
    auto& losses = lossesOf(step.variant);
    if (step.step == 0) losses = {losses.variant, {}, {}};
    losses.values.push_back(step.loss);
    m_time_left.stepDone(step.seconds, std::chrono::steady_clock::now());
    m_shared.progress_changed = true;
  }

  void epochDone(int variant, int /*epoch*/, const EpochResult& result) override {
    const std::lock_guard guard(m_lock);
    lossesOf(variant).epochs.push_back(result);
    m_shared.progress_changed = true;
  }

  void repeatDone(double /*seconds*/) override {
    const std::lock_guard guard(m_lock);
    m_shared.progress.unit += 1;
    m_shared.progress.step = m_shared.progress.steps = 0;  // until the next one begins, no step is in progress
    m_shared.progress_changed = true;
    m_time_left.unitDone(std::chrono::steady_clock::now());
  }

  void warned(const std::string& sentence) override {
    const std::lock_guard guard(m_lock);
    m_shared.warnings.push_back(sentence);
  }

  std::shared_ptr<Executor> executor;
  QString runs_root;

 private:
  RunProgress::Losses& lossesOf(int variant) {
    const auto index = static_cast<std::size_t>(variant);
    const std::vector<VariantConfig>& variants = m_resolution->experiment().variants;
    const QString name = index < variants.size() ? QString::fromStdString(variants[index].name) : QString();
    for (auto& losses : m_shared.progress.losses)
      if (losses.variant == name) return losses;
    m_shared.progress.losses.push_back({name, {}, {}});
    return m_shared.progress.losses.back();
  }

  using Work = std::function<Result<RunRecord>(std::stop_token stop)>;

  bool begin(std::shared_ptr<const Resolution> resolution, const QString& folder, Work to_do) {
    if (running()) return false;
    Q_EMIT m_owner->starting();
    m_shared = {};
    m_throughput = {};
    m_measuring_pace = {};
    expect(std::move(resolution));
    m_shown_builder.reset();
    m_shown_live = false;
    m_folder = folder;
    m_worker = std::jthread([this, to_do = std::move(to_do)](std::stop_token stop) { work(to_do, stop); });
    m_timer.start();
    Q_EMIT m_owner->started(m_folder);
    return true;
  }

  /// What is going to run.
  void expect(std::shared_ptr<const Resolution> resolution) {
    const std::lock_guard guard(m_lock);
    m_resolution = std::move(resolution);
    const Experiment& experiment = m_resolution->experiment();
    m_time_left = TimeLeft({static_cast<int>(experiment.variants.size()), experiment.warmup, experiment.repeats});
  }

  Result<RunRecord> sweep(std::size_t best, How how, std::stop_token stop) {
    SweepRequest request;
    request.memory.force = how.force;
    request.best = best;
    request.report = [this](const Progress& progress) { measuring(progress); };
    const Result<SweepPlan> plan = planSweep(*m_resolution, request, *executor, ProfileStore::ofThisUser(), stop);
    if (!plan.ok()) return plan.error();
    for (const std::string& warning : plan->warnings) warned(warning);
    expect(plan->resolution);
    how.warnings = plan->warnings;
    return runThis(plan->predictions, stop, std::move(how));
  }

  void work(const Work& to_do, std::stop_token stop) {
    auto result = guarded(to_do, stop);
    const std::lock_guard guard(m_lock);
    m_shared.result.emplace(std::move(result));
  }

  /// The engine turns exceptions into Errors; what escapes all the same (no memory for a thread) must not end the
  /// program.
  Result<RunRecord> guarded(const Work& to_do, std::stop_token stop) {
    try {
      return to_do(stop);
    } catch (const std::exception& e) {
      return look::failed(ControllerTexts::tr("The run ended unexpectedly: %1. What was measured is in its folder.")
                              .arg(QString::fromUtf8(e.what())));
    }
  }

  Result<RunRecord> runThis(std::vector<StepPrediction> predictions, std::stop_token stop, How how) {
    RunOptions options = windowRunOptions(repeatCommand(m_folder.toStdString()));
    options.store_live_trace = storeLiveTraceFile;
    options.predictions = std::move(predictions);
    options.resume = how.resume;
    options.memory.force = how.force;
    options.warnings = std::move(how.warnings);
    options.load = how.load;
    return runExperiment(*m_resolution, *executor, m_folder.toStdString(), options, *this, stop);
  }

  void poll() {
    std::optional<RunProgress> progress;
    std::vector<std::string> warnings;
    LiveTrace ended;
    LiveTrace trace;
    bool over = false;
    {
      const std::lock_guard guard(m_lock);
      m_shared.progress.seconds_left = secondsLeft(std::chrono::steady_clock::now());
      const bool late = m_since_progress.isValid() && m_since_progress.elapsed() > kLongestSilence;
      if (std::exchange(m_shared.progress_changed, false) || late) progress = m_shared.progress;
      warnings.swap(m_shared.warnings);
      ended = std::exchange(m_shared.ended_trace, {});
      trace = m_shared.trace;
      over = m_shared.result.has_value();
    }
    for (const auto& sentence : warnings) Q_EMIT m_owner->warned(QString::fromStdString(sentence));
    if (progress) {
      m_since_progress.start();
      Q_EMIT m_owner->progressed(*progress);
    }
    if (ended.builder && ended.builder == m_shown_builder) showTrace(ended, true);
    if (trace.builder) showTrace(trace, over);
    if (over) finish();
  }

  double secondsLeft(TimeLeft::Time now) {
    const Progress& measuring = m_shared.progress.measuring;
    return measuring.total > 0 ? m_measuring_pace.secondsLeft(measuring, now) : m_time_left.seconds(now);
  }

  /// A snapshot sorts and copies; long ones are taken less often, so that polling never takes more than a fifth of the
  /// window's time.
  void showTrace(const LiveTrace& live, bool now) {
    const std::shared_ptr<const TraceBuilder>& builder = live.builder;
    if (!now && m_since_snapshot.isValid() && builder == m_shown_builder &&
        m_since_snapshot.elapsed() < m_snapshot_pause)
      return;
    const auto spans = builder->spanCount();
    if (builder == m_shown_builder && spans == m_shown_spans && !m_shown_live && !builder->isLive()) return;
    QElapsedTimer cost;
    cost.start();
    auto snapshot = builder->liveSnapshot();
    if (snapshot->spanCount() == 0) return;
    m_shown_builder = builder;
    m_shown_spans = spans;
    m_shown_live = !snapshot->live.empty();
    Q_EMIT m_owner->traceGrew(std::move(snapshot), live.unit);
    m_snapshot_pause = std::min<qint64>(4 * cost.elapsed(), 150);
    m_since_snapshot.start();
  }

  void finish() {
    m_timer.stop();
    m_worker.join();
    m_worker = {};
    m_shown_builder.reset();
    m_shared.trace = {};
    // Free pages between blocks that are in use: malloc itself returns only those at the end of an arena (5 MB after
    // each run of the demo). Only once the window is idle: steps would fault the pages in again.
    QTimer::singleShot(kIdleAfterRun, m_owner, [this] {
      if (!running()) ::malloc_trim(0);
    });
    Result<RunRecord> result = std::move(*m_shared.result);
    m_shared.result.reset();
    if (!result.ok()) {
      Q_EMIT m_owner->refused(look::shownText(result.error()));
      return;
    }
    Q_EMIT m_owner->finished(std::make_shared<const RunRecord>(std::move(result).value()), m_folder);
  }

  RunController* m_owner;
  QTimer m_timer;
  std::shared_ptr<const Resolution> m_resolution;  ///< of what runs
  QString m_folder;

  std::mutex m_lock;  ///< guards m_shared, m_throughput and both estimates of time while a run goes
  Shared m_shared;
  Throughput m_throughput;
  TimeLeft m_time_left;
  Pace m_measuring_pace;

  std::shared_ptr<const TraceBuilder> m_shown_builder;
  std::size_t m_shown_spans = 0;
  bool m_shown_live = false;  ///< actions were in progress
  QElapsedTimer m_since_progress;
  QElapsedTimer m_since_snapshot;
  qint64 m_snapshot_pause = 0;

  std::jthread m_worker;  ///< last: it ends before what it uses
};

RunController::RunController(std::shared_ptr<Executor> executor, QString runs_root, QObject* parent)
    : QObject(parent), m_impl(std::make_unique<Impl>(this, std::move(executor), std::move(runs_root))) {}

RunController::~RunController() = default;

bool RunController::running() const { return m_impl->running(); }
const QString& RunController::runsRoot() const { return m_impl->runs_root; }
Executor& RunController::executor() { return *m_impl->executor; }

bool RunController::start(std::shared_ptr<const Resolution> resolution, bool force, std::optional<MachineLoad> load) {
  const QString folder = m_impl->newFolder(resolution->experiment().name);
  return m_impl->start(std::move(resolution), folder, {.force = force, .load = load});
}

bool RunController::startSweep(std::shared_ptr<const Resolution> resolution, std::size_t best, bool force,
                               std::optional<MachineLoad> load) {
  return m_impl->startSweep(std::move(resolution), best, {.force = force, .load = load});
}

bool RunController::resume(std::shared_ptr<const Resolution> resolution, const QString& folder, bool force,
                           std::optional<MachineLoad> load) {
  return m_impl->start(std::move(resolution), folder, {.resume = true, .force = force, .load = load});
}

void RunController::cancel() { m_impl->cancel(); }

RunOptions windowRunOptions(const std::string& command) {
  RunOptions options;
  options.write_trace = [](const Trace& trace, const std::string& path) { return writeChromeTrace(trace, path); };
  options.environment = {{"qt", qVersion()}, {"command", command}};
  options.packages = joined(joined(importPackages(), libraryPackages()), {{"Qt", qVersion()}});
  return options;
}

bool refusedWhileRunning(const RunController& controller, MessageStrip& messages) {
  if (!controller.running()) return false;
  messages.warn(ControllerTexts::tr("A run is in progress. Cancel it (Ctrl+.) or wait until it ends."));
  return true;
}

}  // namespace lanelab
