// SPDX-License-Identifier: GPL-3.0-only
// The run folders below a root: status, time, headline; open, compare several, delete to trash. Its actions() belong in
// the window's menu too.
#pragma once

#include <QWidget>
#include <memory>

namespace lanelab {

class RunsList : public QWidget {
  Q_OBJECT

 public:
  explicit RunsList(const QString& runs_root, QWidget* parent = nullptr);
  ~RunsList() override;
  /// Reads the folders again, on a thread of its own.
  void refresh();
  /// Selects the run when it is listed, now or after the next refresh.
  void select(const QString& folder);

 Q_SIGNALS:
  void openRequested(const QString& folder);
  void compareRequested(const QStringList& folders);
  void alignRequested(const QString& folder);  ///< its timeline is to be laid over the shown one

 private:
  class Impl;
  std::unique_ptr<Impl> m_impl;
};

}  // namespace lanelab
