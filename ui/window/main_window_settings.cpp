// SPDX-License-Identifier: GPL-3.0-only
#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QPointer>
#include <memory>
#include <utility>

#include "ui/first_steps/recorded_runs.h"
#include "ui/look/plain_text.h"
#include "ui/notice/desktop_notice.h"
#include "ui/notice/end_notices.h"
#include "ui/queue/queue_dialog.h"
#include "ui/queue/run_queue.h"
#include "ui/session/session_keeper.h"
#include "ui/settings/settings_dialog.h"
#include "ui/settings/settings_store.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/watch/timeline_comparison.h"
#include "ui/watch/timeline_presenter.h"
#include "ui/window/action_set.h"
#include "ui/window/board_dialogs.h"
#include "ui/window/exports.h"
#include "ui/window/main_window.h"
#include "ui/window/run_starter.h"

namespace lanelab {

namespace {

QString endText(RunStatus status) {
  switch (status) {
    case RunStatus::Done: return MainWindow::tr("The run of %1 has ended");
    case RunStatus::Cancelled: return MainWindow::tr("The run of %1 was cancelled");
    default: return MainWindow::tr("The run of %1 has failed");
  }
}

}  // namespace

void MainWindow::makeSession() {
  m_session = new SessionKeeper(
      m_document, m_messages, [this] { return shownPlace(); }, this);
  connect(m_controller, &RunController::starting, m_session, &SessionKeeper::storeNow);
  connect(&m_run, &ShownRun::recordChanged, m_session, &SessionKeeper::storeLater);
  connect(m_file_opener, &FileOpener::traceOpened, m_session, &SessionKeeper::storeLater);
}

bool MainWindow::startSession(const QString& wanted) {
  if (m_setup.sessions.empty()) return false;
  const bool restored = m_session->start(m_setup.sessions, wanted, m_settings->values().reopen);
  if (restored) m_file_opener->reopen(m_session->shownBefore(), [this] { m_session->announce(); });
  return restored;
}

ShownPlace MainWindow::shownPlace() const {
  if (const ImportedFile* const file = importedFile(m_presenter->shown()))
    return {ShownPlace::Kind::Trace, file->path.toStdString()};
  if (!m_run.record() || m_run.folder().isEmpty()) return {};
  if (m_run.isViewed() && m_setup.recorded && m_setup.recorded->holds(m_run.folder()))  // of a lesson
    return m_own.record ? ShownPlace{ShownPlace::Kind::OwnRun, m_own.folder.toStdString()} : ShownPlace{};
  return {m_run.isViewed() ? ShownPlace::Kind::ViewedRun : ShownPlace::Kind::OwnRun, m_run.folder().toStdString()};
}

void MainWindow::makeNotices() {
  auto timer = std::make_shared<QElapsedTimer>();
  timer->start();
  m_notices = new EndNotices({[timer] { return timer->elapsed(); },
                              [this] { return m_settings->values().notify && !QApplication::activeWindow(); },
                              [this](const QString& title, const QString& text) { notify(title, text); }},
                             this);
  const QString run = QStringLiteral("run");
  connect(m_controller, &RunController::started, m_notices, [this, run] { m_notices->begin(run); });
  connect(m_controller, &RunController::finished, m_notices,
          [this, run](const std::shared_ptr<const RunRecord>& record) {
            m_notices->end(run, endText(record->status).arg(look::shownName(record->experiment.name)),
                           look::shownText(record->error));
          });
  connect(m_controller, &RunController::refused, m_notices,
          [this, run](const QString& sentence) { m_notices->end(run, tr("The run did not start"), sentence); });
  m_notices->follow(&m_file_opener->reading(), tr("Reading has ended"));
  m_notices->follow(&m_compared->reading(), tr("The other timeline was read"));
  m_notices->follow(&m_exports->writing(), tr("The export has ended"));
  m_notices->follow(&m_exports->painting(), tr("The figures were written"));
  connect(m_dialogs, &BoardDialogs::workMade, m_notices, &EndNotices::follow);
  connect(m_run_starter, &RunStarter::workMade, m_notices, &EndNotices::follow);
}

/// Without a service of notifications the title says it, and the desktop marks the window.
void MainWindow::notify(const QString& title, const QString& text) {
  sendToDesktop(title, text, [window = QPointer<MainWindow>(this)] {
    if (!window) return;
    window->m_has_news = true;
    window->showTitle();
    QApplication::alert(window);
  });
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() != QEvent::ActivationChange || !isActiveWindow()) return;
  m_settings->reread();  // the user may come from another window
  if (std::exchange(m_has_news, false)) showTitle();
}

void MainWindow::useSettings() {
  connect(m_settings, &SettingsStore::changed, this, [this, used = m_settings->values()]() mutable {
    const Settings& now = m_settings->values();
    if (std::exchange(used, now).theme == now.theme) return;
    look::apply(*qApp, now.theme);
    m_presenter->refresh();
    action("scheme" + QString::number(static_cast<int>(now.theme)))->setChecked(true);
  });
  const auto limit_undo = [this] { m_document->setUndoLimit(m_settings->values().undo_limit); };
  connect(m_settings, &SettingsStore::changed, this, limit_undo);
  limit_undo();
  const auto use_wheel = [this] { m_timeline->setWheel(m_settings->values().wheel); };
  connect(m_settings, &SettingsStore::changed, this, use_wheel);
  use_wheel();
  connect(m_queue, &RunQueue::changed, this, &MainWindow::updateActions);
}

void MainWindow::showSettings() {
  m_settings->reread();
  auto* dialog = findChild<SettingsDialog*>();
  if (!dialog) dialog = new SettingsDialog(m_settings, m_keys, this);
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

void MainWindow::showQueue() {
  auto* dialog = findChild<QueueDialog*>();
  if (!dialog) dialog = new QueueDialog(m_queue, this);
  dialog->show();
  dialog->raise();
}

}  // namespace lanelab
