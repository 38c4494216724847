// SPDX-License-Identifier: GPL-3.0-only
// Follows a window and stores aside where its user is: soon after an edit, at once when asked. At the start it brings
// back where the user was, with edits that were never saved.
//
// Thread: the window's. No timer runs while nothing changes. What cannot be written is shown in the strip, once.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <optional>

#include "ui/session/session_file.h"

namespace lanelab {

class ExperimentDocument;
class MessageStrip;
struct Experiment;

class SessionKeeper : public QObject {
  Q_OBJECT

 public:
  static constexpr int kDelay = 2000;  ///< ms from a change to its file

  /// `shown` says what is beside the experiment. All outlive this; `window` is the parent of dialogs.
  SessionKeeper(ExperimentDocument* document, MessageStrip* messages, std::function<ShownPlace()> shown,
                QWidget* window);

  /// Restores the experiment of a window that ended, and follows this one from now on. `wanted` is the file that the
  /// user starts with, or empty. False: there was nothing to restore, the document is as before.
  bool start(const std::string& folder, const QString& wanted, bool reopen);
  /// What the restored window showed; nothing if its files are gone.
  const ShownPlace& shownBefore() const { return m_shown_before; }
  /// Shows what was restored, with what can be done about it; to be called once what is shown was read.
  void announce();

  /// Soon; many changes are one file.
  void storeLater();
  void storeNow();
  /// The window is about to close: stores where it was if that is to be reopened, and unsaved edits in any case. False:
  /// there are some, and they cannot be stored.
  bool close(bool reopen);

 private:
  SessionState state() const;
  bool write(SessionState state);
  bool restore(const SessionState& state);
  void restoreFile(const SessionState& state, const Experiment& saved);
  void showDifferences();
  void discard();

  ExperimentDocument* m_document;
  MessageStrip* m_messages;
  std::function<ShownPlace()> m_shown;
  QWidget* m_window;
  QTimer m_timer;
  std::optional<SessionFile> m_file;  ///< none before start(), after close(), and if it cannot be made
  SessionState m_written;
  std::string m_saved;  ///< the experiment when it was last opened or saved, as JSON
  ShownPlace m_shown_before;
  QString m_sentence;  ///< to be announced
  bool m_offers = false;
  bool m_failed = false;
};

}  // namespace lanelab
