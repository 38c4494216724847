// SPDX-License-Identifier: GPL-3.0-only
#include "ui/session/session_keeper.h"

#include <QDateTime>
#include <QFileInfo>
#include <utility>

#include "engine/experiment/experiment.h"
#include "ui/experiment/experiment_document.h"
#include "ui/look/message_strip.h"
#include "ui/look/plain_text.h"
#include "ui/session/differences_dialog.h"

namespace lanelab {

namespace {

/// "14:03", or with the date if that was another day.
QString whenText(std::int64_t seconds) {
  const QDateTime when = QDateTime::fromSecsSinceEpoch(seconds);
  return when.toString(when.date() == QDate::currentDate() ? QStringLiteral("HH:mm")
                                                           : QStringLiteral("yyyy-MM-dd HH:mm"));
}

bool isThere(const ShownPlace& shown) {
  const QString path = QString::fromStdString(shown.path);
  if (shown.kind == ShownPlace::Kind::Nothing) return false;
  return QFileInfo::exists(shown.kind == ShownPlace::Kind::Trace ? path : path + "/run.json");
}

}  // namespace

SessionKeeper::SessionKeeper(ExperimentDocument* document, MessageStrip* messages, std::function<ShownPlace()> shown,
                             QWidget* window)
    : QObject(window), m_document(document), m_messages(messages), m_shown(std::move(shown)), m_window(window) {
  m_timer.setSingleShot(true);
  m_timer.setInterval(kDelay);
  connect(&m_timer, &QTimer::timeout, this, &SessionKeeper::storeNow);
  m_saved = toJson(m_document->experiment());
  m_document->tell(this, &SessionKeeper::storeLater);
  connect(m_document->undoStack(), &QUndoStack::cleanChanged, this, &SessionKeeper::storeLater);
  connect(m_document, &ExperimentDocument::pathChanged, this, [this] {  // after it was opened or saved
    m_saved = toJson(m_document->experiment());
    storeLater();
  });
}

bool SessionKeeper::start(const std::string& folder, const QString& wanted, bool reopen) {
  SessionStart begun = startSession(folder, wanted.toStdString(), reopen);
  const bool restored = begun.state && restore(*begun.state);
  if (begun.state && !restored) {  // it may be of a later version: its file stays for that
    Result<SessionFile> other = SessionFile::create(folder);
    begun.file.reset();
    if (other.ok()) begun.file = std::move(*other);
  }
  if (restored && begun.waiting > 0)
    m_sentence +=
        ' ' + tr("Those of %n other window(s) are restored when LaneLab is started again.", nullptr, begun.waiting);
  m_file = std::move(begun.file);
  if (!begun.written.ok()) m_messages->warn(look::shownText(begun.written.error()));
  storeLater();
  return restored;
}

bool SessionKeeper::restore(const SessionState& state) {
  const Result<Experiment> saved = parseExperiment(state.saved, state.path);
  const Result<Experiment> edited = state.isUnsaved() ? parseExperiment(state.edited, state.path) : saved;
  if (!saved.ok() || !edited.ok()) {
    const Error& error = saved.ok() ? edited.error() : saved.error();
    if (state.isUnsaved()) m_messages->warn(tr("Unsaved edits cannot be restored: %1").arg(look::shownText(error)));
    return false;
  }
  m_sentence.clear();
  m_offers = state.isUnsaved() && !state.closed;
  if (m_offers)
    m_sentence = tr("Restored unsaved edits of %1 from %2.").arg(look::shownName(edited->name), whenText(state.time));
  restoreFile(state, *saved);
  if (state.isUnsaved()) m_document->replaceBy(tr("Restored Edits"), *edited);
  m_document->activateVariant(QString::fromStdString(state.variant));
  if (isThere(state.shown)) m_shown_before = state.shown;
  return true;
}

/// What the file holds now is what undo leads to; as it was when the edits were made if it is gone.
void SessionKeeper::restoreFile(const SessionState& state, const Experiment& saved) {
  const QString path = QString::fromStdString(state.path), name = look::shownName(QFileInfo(path).fileName());
  if (state.path.empty()) return m_document->reset(saved, {});
  const Result<Experiment> now = readExperiment(state.path);
  if (!now.ok()) {
    m_document->reset(saved, {});
    m_sentence += (m_sentence.isEmpty() ? QString() : QString(' ')) +
                  tr("%1 cannot be read any more, so this experiment is not saved.").arg(name);
    return;
  }
  m_document->reset(*now, path);
  if (m_document->experiment() == saved || !state.isUnsaved()) return;
  m_document->doubtFile();
  m_saved = state.saved;  // so that the next start sees it, too
  m_sentence += ' ' + tr("%1 was changed by another program since then; saving asks before it replaces it.").arg(name);
}

void SessionKeeper::announce() {
  if (m_sentence.isEmpty()) return;
  if (!m_offers) return m_messages->inform(std::exchange(m_sentence, {}));
  m_messages->offer(std::exchange(m_sentence, {}), {{tr("Show &Differences"), [this] { showDifferences(); }},
                                                    {tr("&Discard"), [this] { discard(); }}});
}

void SessionKeeper::showDifferences() {
  const Result<Experiment> saved = parseExperiment(m_saved, {});
  if (!saved.ok()) return;
  auto* dialog = new DifferencesDialog(*saved, m_document->experiment(), m_window);
  connect(dialog, &DifferencesDialog::discardRequested, this, &SessionKeeper::discard);
  dialog->show();
}

/// Redo brings them back.
void SessionKeeper::discard() { m_document->undoStack()->setIndex(0); }

SessionState SessionKeeper::state() const {
  SessionState now;
  now.path =
      m_document->path().isEmpty() ? std::string() : QFileInfo(m_document->path()).absoluteFilePath().toStdString();
  now.saved = m_saved;
  if (!m_document->undoStack()->isClean()) now.edited = toJson(m_document->experiment());
  now.variant = m_document->activeVariantName().toStdString();
  now.shown = m_shown();
  return now;
}

bool SessionKeeper::write(SessionState state) {
  if (!m_file) return false;
  state.time = m_written.time;
  if (state == m_written) return true;
  state.time = QDateTime::currentSecsSinceEpoch();
  const Status written = m_file->write(state);
  if (written.ok()) m_written = std::move(state);
  if (!written.ok() && !std::exchange(m_failed, true)) m_messages->warn(look::shownText(written.error()));
  return written.ok();
}

void SessionKeeper::storeLater() {
  if (m_file && !m_timer.isActive()) m_timer.start();
}

void SessionKeeper::storeNow() {
  m_timer.stop();
  write(state());
}

bool SessionKeeper::close(bool reopen) {
  m_timer.stop();
  SessionState last = state();
  last.closed = true;
  if (last.isUnsaved() && !write(last)) return false;
  if (!last.isUnsaved() && reopen) write(last);
  if (m_file && !last.isUnsaved() && !reopen) m_file->remove();
  m_file.reset();
  return true;
}

}  // namespace lanelab
