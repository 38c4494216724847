// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/run_starter.h"

#include <QMessageBox>
#include <QPushButton>
#include <QUndoStack>
#include <algorithm>
#include <utility>

#include "engine/advise/suggestions.h"
#include "engine/experiment/resolution.h"
#include "engine/memory/variant_memory.h"
#include "engine/record/run_trust.h"
#include "ui/experiment/check_dialog.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/action_state.h"
#include "ui/look/message_strip.h"
#include "ui/look/plain_label.h"
#include "ui/look/plain_text.h"
#include "ui/queue/run_queue.h"
#include "ui/run/run_controller.h"
#include "ui/run/shown_run.h"
#include "ui/settings/settings_store.h"
#include "ui/window/action_set.h"
#include "ui/window/board_dialogs.h"
#include "ui/window/experiment_saver.h"
#include "ui/window/file_opener.h"

namespace lanelab {

namespace {

/// Predictions of a split-size sweep that are worth a measurement: the best one is mostly among them.
constexpr std::size_t kAdvisedSplitSizes = 3;

/// True until its end.
class TrueWhile {
 public:
  explicit TrueWhile(bool& flag) : m_flag(flag) { m_flag = true; }
  ~TrueWhile() { m_flag = false; }
  TrueWhile(const TrueWhile&) = delete;
  TrueWhile& operator=(const TrueWhile&) = delete;

 private:
  bool& m_flag;
};

std::size_t sizesOf(QueuedRun::Kind kind) { return kind == QueuedRun::Kind::BestSizes ? kAdvisedSplitSizes : 0; }

}  // namespace

RunStarter::RunStarter(const WindowParts& parts, ExperimentSaver* saver, FileOpener* opener,
                       const BoardDialogs* dialogs, RunQueue* queue, Engine engine)
    : QObject(parts.window),
      m_parts(parts),
      m_saver(saver),
      m_file_opener(opener),
      m_dialogs(dialogs),
      m_queue(queue),
      m_check(std::move(engine.check)),
      m_measure_load(std::move(engine.measure_load)) {
  connect(m_parts.controller, &RunController::started, this, [this] { m_stopping = false; });
  connect(m_parts.controller, &RunController::finished, this, [this] { m_edit_of_run.reset(); });
  connect(m_parts.controller, &RunController::refused, this, [this] {  // the edit is taken back unless another followed
    QUndoStack& edits = *m_parts.document->undoStack();
    if (std::exchange(m_edit_of_run, std::nullopt) == edits.index()) edits.undo();
  });
  const auto go_on = [this] {  // behind all that the end of a run brings with it
    QMetaObject::invokeMethod(this, &RunStarter::startNext, Qt::QueuedConnection);
  };
  connect(m_parts.controller, &RunController::finished, this, go_on);
  connect(m_parts.controller, &RunController::refused, this, go_on);
  connect(m_queue, &RunQueue::changed, this, &RunStarter::followQueue);
}

void RunStarter::addStarting(QMenu* menu, ActionSet& actions) {
  actions.add(menu, "run", tr("&Run"), tr("Train all variants and measure them"), QKeySequence("Ctrl+Return"), "run",
              [this] { start(); });
  actions.add(menu, "runNewSeed", tr("Run with a New &Seed"), tr("Raise the seed by one and run again"),
              QKeySequence("Ctrl+Shift+Return"), {}, [this] { startNewSeed(); });
}

void RunStarter::addSweeps(QMenu* menu, ActionSet& actions) {
  actions.add(menu, "adviseSplitSize", tr("&Recommend Micro-Batch Size"),
              tr("Predict step time for the usual micro-batch sizes (split sizes) and measure the best three"),
              QKeySequence("Ctrl+Shift+A"), {}, [this] { startAdvice(); });
  actions.add(menu, "sweepSplitSizes", tr("&Measure All Micro-Batch Sizes"),
              tr("Predict and measure step time for all of the usual micro-batch sizes"), {}, {},
              [this] { startSweep(); });
}

void RunStarter::addCheck(QMenu* menu, ActionSet& actions) {
  if (!m_check) return;
  actions.add(menu, "check", tr("C&heck Against a Single Device..."),
              tr("Train each variant for a few steps and compare it with a single device, tensor by tensor"), {}, {},
              [this] { check(); });
}

void RunStarter::addStopping(QMenu* menu, ActionSet& actions) {
  auto* stop =
      actions.add(menu, "cancel", tr("&Cancel"), tr("Stop after the current action; completed measurements are stored"),
                  QKeySequence("Ctrl+."), "stop", [this] { cancel(); });
  stop->setShortcuts({QKeySequence("Ctrl+."), QKeySequence("Ctrl+Alt+Return")});
}

void RunStarter::addResume(QMenu* menu, ActionSet& actions) {
  actions.add(menu, "resume", tr("R&esume Unfinished Run"),
              tr("Continue the shown run from its last checkpoint; completed measurements are stored"), {}, {},
              [this] { resume(); });
}

void RunStarter::updateActions(const ActionSet& actions) const {
  const bool running = m_parts.controller->running();
  const auto record = m_parts.run->record();
  const QString during_run = tr("Not during a run.");
  QAction* const run = actions.find("run");
  run->setText(running ? tr("&Run Next") : tr("&Run"));
  look::setTip(*run, running ? tr("Queue this experiment: it runs when the run in progress has ended")
                             : tr("Train all variants and measure them"));
  actions.setEnabled({"check"}, !running, during_run);
  actions.setEnabled({"adviseSplitSize", "sweepSplitSizes"}, canSweep(), tr("The experiment has no pipeline variant."));
  actions.setEnabled({"cancel"}, m_waiting || (running && !m_stopping),
                     m_stopping ? tr("Stopping.") : tr("No run is in progress."));
  actions.setEnabled({"resume"},
                     !running && record && record->status != RunStatus::Done && !m_parts.run->folder().isEmpty(),
                     running ? during_run : tr("Show an unfinished run first."));
}

/// False while a run is in progress, and during what it would disturb, which is shown.
bool RunStarter::isFree() {
  if (m_parts.controller->running()) return false;
  const QString why_not = m_dialogs->whyBusy();
  if (!why_not.isEmpty()) m_parts.messages->warn(why_not);
  return why_not.isEmpty();
}

/// False also if the open experiment has a problem, which is shown.
bool RunStarter::canStart() {
  if (!isFree()) return false;
  m_parts.document->followModelFile();
  return isRunnable(m_parts.document->problems());
}

bool RunStarter::isRunnable(const std::vector<ExperimentProblem>& problems) {
  if (problems.empty()) return true;
  const ExperimentProblem& first = problems.front();
  m_parts.messages->reportError(
      tr("This cannot run yet. %1 (%2)").arg(look::shownText(first), QString::fromStdString(first.where)));
  return false;
}

void RunStarter::ifItFits(const Resolution& resolution, Together together, const std::function<void(bool)>& then) {
  const auto forecasts = forecastMemory(resolution);
  const Status fits =
      fitsMemory({resolution.experiment(), forecasts, m_parts.controller->executor().devices(), together});
  if (fits.ok()) return then(false);
  auto* box = look::plainBox("memoryBox", QMessageBox::Warning, tr("Not Enough Memory"),
                             tr("The experiment does not fit in memory."), QMessageBox::Cancel, m_parts.window);
  box->setInformativeText(look::shownText(fits.error()));
  const QPushButton* const anyway = box->addButton(tr("&Run Anyway"), QMessageBox::AcceptRole);
  box->setDefaultButton(QMessageBox::Cancel);
  connect(box, &QMessageBox::finished, this, [box, anyway, then] {
    if (box->clickedButton() == anyway) then(true);
  });
  box->open();
}

void RunStarter::ifIdle(const Experiment& experiment, const WithLoad& then) {
  stopWaiting();
  if (!m_measure_load) return then({});
  measureLoad([this, experiment, then](std::optional<MachineLoad> load) {
    if (!canStart()) return;
    if (!m_parts.settings->values().ask_busy || !load || loadText(*load, experiment).message.empty()) return then(load);
    askAboutLoad(*load, experiment, then);
  });
}

void RunStarter::measureLoad(const WithLoad& then) {
  m_measuring.ask([then, measure = m_measure_load](const auto&) -> Background::Then {
    return [then, load = measure()] { then(load); };
  });
}

void RunStarter::askAboutLoad(const MachineLoad& load, const Experiment& experiment, const WithLoad& then) {
  auto* box = look::plainBox("loadBox", QMessageBox::Warning, tr("The Machine Is Busy"),
                             tr("Just now %1.").arg(look::shownText(loadText(load, experiment))), QMessageBox::Cancel,
                             m_parts.window);
  box->setInformativeText(
      tr("The lanes of this experiment would have to share cores with them, so its times would not "
         "be those of an idle machine."));
  const QPushButton* const wait = box->addButton(tr("Run When &Idle"), QMessageBox::AcceptRole);
  const QPushButton* const anyway = box->addButton(tr("&Run Anyway"), QMessageBox::DestructiveRole);
  connect(box, &QMessageBox::finished, this, [this, box, wait, anyway, load, experiment, then] {
    if (box->clickedButton() == wait) waitUntilIdle(experiment, then);
    if (box->clickedButton() == anyway && canStart()) then(load);
  });
  box->open();
}

/// Looks again and again, off the window's thread; each look takes a moment.
void RunStarter::waitUntilIdle(const Experiment& experiment, const WithLoad& then) {
  if (!std::exchange(m_waiting, true)) Q_EMIT waitingChanged();
  measureLoad([this, experiment, then](std::optional<MachineLoad> load) {
    const auto run = [this, then, load] {
      stopWaiting();
      if (canStart()) then(load);
    };
    const Message text = load ? loadText(*load, experiment) : Message();
    if (text.message.empty()) return run();
    m_says_waiting = true;
    m_parts.messages->offer(tr("The run waits for an idle machine: just now %1.").arg(look::shownText(text)),
                            {{tr("Run Now"), run}});
    waitUntilIdle(experiment, then);
  });
}

void RunStarter::stopWaiting() {
  m_measuring.cancel();
  m_next = 0;
  if (!std::exchange(m_waiting, false)) return;
  if (std::exchange(m_says_waiting, false)) m_parts.messages->clear();
  Q_EMIT waitingChanged();
}

void RunStarter::ifReady(const std::shared_ptr<const Resolution>& resolution,
                         const std::function<void(bool force, std::optional<MachineLoad> load)>& then) {
  ifItFits(*resolution, Together::AllVariants, [this, resolution, then](bool force) {
    ifIdle(resolution->experiment(), [force, then](std::optional<MachineLoad> load) { then(force, load); });
  });
}

void RunStarter::start() {
  if (m_parts.controller->running()) return enqueue(runToQueue());
  if (!canStart()) return;
  ifReady(m_parts.document->resolution(), [this](bool force, std::optional<MachineLoad> load) {
    m_parts.controller->start(m_parts.document->resolution(), force, load);
  });
}

void RunStarter::startEdited(const QString& text, const std::function<void(Experiment&)>& change,
                             const QString& variant) {
  if (!canStart()) return;
  Experiment edited = m_parts.document->experiment();
  change(edited);
  const auto resolution = resolve(edited, m_parts.document->resolution()->known());
  if (!isRunnable(resolution->problems())) return;
  ifReady(resolution, [this, text, change, variant](bool force, std::optional<MachineLoad> load) {
    m_parts.document->edit(text, change);
    if (!variant.isEmpty()) m_parts.document->activateVariant(variant);
    m_edit_of_run = m_parts.document->undoStack()->index();
    m_parts.controller->start(m_parts.document->resolution(), force, load);
  });
}

/// Each raises the seed, also of runs that are queued by now.
void RunStarter::startNewSeed() {
  if (!m_parts.controller->running())
    return startEdited(tr("new seed"), [](Experiment& experiment) { experiment.training.seed += 1; });
  QueuedRun run = runToQueue();
  std::uint64_t& seed = run.experiment.training.seed;
  for (const QueuedRun& queued : m_queue->runs())
    if (queued.path == run.path) seed = std::max(seed, queued.experiment.training.seed);
  run.what = tr("seed %1").arg(++seed);
  enqueue(std::move(run));
}

bool RunStarter::canSweep() const {
  const auto& variants = m_parts.document->experiment().variants;
  return std::ranges::find(variants, Strategy::Pipeline, &VariantConfig::strategy) != variants.end();
}

void RunStarter::startAdvice() { startSweepOf(kAdvisedSplitSizes); }
void RunStarter::startSweep() { startSweepOf(0); }

void RunStarter::startSweepOf(std::size_t best) {
  if (m_parts.controller->running() && canSweep()) {
    QueuedRun run = runToQueue(best > 0 ? tr("recommended micro-batch size") : tr("all micro-batch sizes"));
    run.kind = best > 0 ? QueuedRun::Kind::BestSizes : QueuedRun::Kind::AllSizes;
    return enqueue(std::move(run));
  }
  if (!canStart() || !canSweep()) return;
  Q_EMIT sweepStarting();
  ifReady(m_parts.document->resolution(), [this, best](bool force, std::optional<MachineLoad> load) {
    m_parts.controller->startSweep(m_parts.document->resolution(), best, force, load);
  });
}

QueuedRun RunStarter::runToQueue(const QString& what) const {
  QueuedRun run;
  run.experiment = m_parts.document->experiment();
  run.path = m_parts.document->path();
  run.what = what;
  return run;
}

void RunStarter::enqueue(QueuedRun run) {
  const auto resolution = resolve(run.experiment, m_parts.document->resolution()->known());
  if (!isRunnable(resolution->problems())) return;
  ifItFits(*resolution, Together::AllVariants, [this, run](bool force) mutable {
    run.force = force;
    m_queue->add(std::move(run));
    if (!m_parts.controller->running()) startNext();  // it ended while the user was asked
  });
}

void RunStarter::startNext() {
  if (m_queue->isEmpty() || m_parts.controller->running() || m_waiting || !isFree()) return;
  const QueuedRun next = m_queue->runs().front();
  if (!m_measure_load) return openQueued(next, {});
  m_next = next.id;
  waitUntilIdle(next.experiment, [this, next](std::optional<MachineLoad> load) { openQueued(next, load); });
}

/// Another one may be the first by now.
void RunStarter::followQueue() {
  if (!m_waiting || m_next == 0 || (!m_queue->isEmpty() && m_queue->runs().front().id == m_next)) return;
  stopWaiting();
  startNext();
}

void RunStarter::openQueued(const QueuedRun& run, std::optional<MachineLoad> load) {
  withExperimentOf(run, [this, run, load] {
    m_parts.document->followModelFile();
    const bool runnable = isRunnable(m_parts.document->problems());
    m_queue->remove(run.id);
    runnable ? startQueued(run, load) : startNext();
  });
}

void RunStarter::startQueued(const QueuedRun& run, std::optional<MachineLoad> load) {
  const TrueWhile from_queue(m_from_queue);
  const auto& resolution = m_parts.document->resolution();
  if (run.kind == QueuedRun::Kind::Variants)
    m_parts.controller->start(resolution, run.force, load);
  else
    m_parts.controller->startSweep(resolution, sizesOf(run.kind), run.force, load);
}

void RunStarter::withExperimentOf(const QueuedRun& run, const std::function<void()>& then) {
  if (m_parts.document->path() != run.path)
    return m_saver->afterSaving([this, run, then] {
      m_file_opener->openExperiment(run.experiment, {});  // the file may hold another one by now
      then();
    });
  if (m_parts.document->experiment() != run.experiment) {
    const QString variant = m_parts.document->activeVariantName();
    m_parts.document->replaceBy(tr("Queued Run"), run.experiment);
    m_parts.document->activateVariant(variant);
    m_edit_of_run = m_parts.document->undoStack()->index();
  }
  then();
}

void RunStarter::withExperimentOfRun(const std::function<void()>& then) {
  const auto record = m_parts.run->record();
  if (record->experiment == m_parts.document->experiment()) return then();
  m_saver->afterSaving([this, record, then] {
    m_file_opener->openExperiment(record->experiment, {});
    then();
  });
}

/// The shown run continues where it stopped.
void RunStarter::resume() {
  if (!m_parts.run->record() || !isFree()) return;
  withExperimentOfRun([this, folder = m_parts.run->folder()] {
    m_parts.document->followModelFile();
    ifReady(m_parts.document->resolution(), [this, folder](bool force, std::optional<MachineLoad> load) {
      m_parts.controller->resume(m_parts.document->resolution(), folder, force, load);
    });
  });
}

void RunStarter::startSuggested(const Suggestion& suggestion) {
  if (!m_parts.run->record() || !isFree()) return;
  withExperimentOfRun([this, suggestion] {
    startEdited(
        tr("suggestion: %1").arg(look::buttonText(suggestion.variant.suggested_from->change)),
        [suggestion](Experiment& experiment) { experiment = withSuggestion(experiment, suggestion); },
        QString::fromStdString(suggestion.variant.name));
  });
}

void RunStarter::startOther(const Experiment& experiment) {
  if (!isFree()) return;
  m_saver->afterSaving([this, experiment] {
    m_file_opener->openExperiment(experiment, {});
    start();
  });
}

void RunStarter::cancel() {
  const int queued = m_next;
  stopWaiting();
  if (queued != 0) {
    m_queue->remove(queued);
    return startNext();
  }
  if (!m_parts.controller->running()) return;
  m_stopping = true;
  m_parts.controller->cancel();
  Q_EMIT stopping();
}

void RunStarter::check() {
  if (!canStart()) return;
  ifItFits(*m_parts.document->resolution(), Together::OneVariant, [this](bool) {
    auto* dialog = new CheckDialog(m_parts.document->resolution(), m_check, m_parts.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    Q_EMIT workMade(&dialog->training(), tr("The check has ended"));
    dialog->open();
  });
}

}  // namespace lanelab
