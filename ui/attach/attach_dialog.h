// SPDX-License-Identifier: GPL-3.0-only
// Attach to Job: finds the ranks of a running job, lists them with the addresses that will be asked, records all of
// them on demand, and writes their traces as one. Connects when a button says so, and to nothing but what is listed.
// Thread: the window's; the network and the import are on a worker.
#pragma once

#include <QDialog>
#include <QString>
#include <memory>
#include <optional>

#include "base/result.h"
#include "profiler/attach/job_profile.h"
#include "profiler/attach/profile_import.h"
#include "ui/look/work.h"

class QLabel;
class QPushButton;
class QTableWidget;

namespace lanelab {

class AttachForm;
class WorkBar;

class AttachDialog : public QDialog {
  Q_OBJECT

 public:
  /// `folder`: where a folder of the trace is made unless the user names one.
  explicit AttachDialog(const QString& folder, QWidget* parent = nullptr);

  bool busy() const { return m_work.busy(); }

 Q_SIGNALS:
  /// Of the ranks that answered, also written into `folder`.
  void recorded(const std::shared_ptr<const lanelab::ImportedTrace>& imported, const QString& folder);

 protected:
  /// Esc cancels what is in progress; the next one closes.
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void layOut();
  std::optional<AttachRequest> request();
  void find();
  void showFound(const Result<RunningJob>& job);
  void showRanks();
  void record();
  void showEnd(const Result<ImportedJob>& job, const QString& out);
  void showMissing(const std::vector<MissingRank>& missing);
  void showProgress(const Progress& progress, double seconds_left);
  void forgetRanks();
  void showOut();
  void setBusy(bool busy);
  void setDefault(QPushButton& button);
  void showSentence(const QString& sentence, bool wrong);
  void showError(const Error& error);

  AttachForm* m_form;
  QTableWidget* m_ranks;
  QLabel *m_empty, *m_sentence;
  QPushButton *m_find, *m_record;
  std::optional<RunningJob> m_job;  ///< that is listed
  LongWork m_work;                  ///< ends before what it uses
  WorkBar* m_progress;              ///< follows m_work
};

/// The trace with a remark for each missing rank and its reason. Remarks are shown, and not written anywhere: reasons
/// may have addresses.
std::shared_ptr<const ImportedTrace> withReasons(const ImportedJob& job);

}  // namespace lanelab
