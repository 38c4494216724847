// SPDX-License-Identifier: GPL-3.0-only
// The stored runs as a table: search, filter, sort; open, compare, label, delete. Its actions() belong in the window's
// menu too. Thread: GUI; folders are read off it.
#pragma once

#include <QWidget>
#include <memory>
#include <string>
#include <vector>

namespace lanelab {

class RunsList : public QWidget {
  Q_OBJECT

 public:
  /// `folders` hold run folders; nothing is read before refresh() or before the pane is shown.
  explicit RunsList(std::vector<std::string> folders, QWidget* parent = nullptr);
  ~RunsList() override;
  void refresh();
  /// Selects the run when it is listed, now or after the next refresh.
  void select(const QString& folder);
  void undoDelete();

 Q_SIGNALS:
  void openRequested(const QString& folder);
  void useRequested(const QString& folder);  ///< its experiment is to be edited
  void compareRequested(const QStringList& folders);
  void alignRequested(const QString& folder);  ///< its timeline is to be laid over the shown one
  void shareRequested(const QString& folder);
  void deleted(const QString& sentence);  ///< undoDelete() restores them
  void done(const QString& sentence);     ///< a command is on the clipboard, or deleted runs are back
  void failed(const QString& sentence);
  void renamed();  ///< names of runs may have changed

 protected:
  /// Another process may have labelled runs, which no folder watcher sees.
  bool event(QEvent* event) override;

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace lanelab
