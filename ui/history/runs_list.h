// SPDX-License-Identifier: GPL-3.0-only
// The stored runs as a table: search, filter, sort, groups; open, compare, label, delete. Its actions() belong in the
// window's menu too. Thread: GUI; folders are read off it.
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "engine/library/run_entry.h"
#include "engine/library/run_folders.h"

namespace lanelab {

class RunsList : public QWidget {
  Q_OBJECT

 public:
  /// Runs of all these folders are listed, and of those that the user adds.
  explicit RunsList(RunFolders folders, QWidget* parent = nullptr);
  ~RunsList() override;
  void refresh();
  /// Selects the run when it is listed, now or after the next refresh.
  void select(const QString& folder);
  void undoDelete();
  /// Those that were listed last, whatever the filter.
  const std::vector<RunEntry>& runs() const;

 Q_SIGNALS:
  void openRequested(const QString& folder);
  void useRequested(const QString& folder);  ///< its experiment is to be edited
  void compareRequested(const QStringList& folders);
  void overlayRequested(const std::vector<lanelab::RunEntry>& runs);  ///< in the order of the table
  void alignRequested(const QString& folder);                         ///< its timeline is to be laid over the shown one
  void shareRequested(const QString& folder);
  void deleted(const QString& sentence);  ///< undoDelete() restores them
  void restored();                        ///< deleted runs are back
  void done(const QString& sentence);  ///< a command is on the clipboard, deleted runs are back, other folders listed
  void failed(const QString& sentence);

 protected:
  /// Another process may have labelled runs, which no folder watcher sees.
  bool event(QEvent* event) override;

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace lanelab
