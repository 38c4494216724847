// SPDX-License-Identifier: GPL-3.0-only
// The index of stored runs, read off the window's thread: at once what it has cached, then what changed on the disk.
// Refreshes itself when a run folder appears, goes, or is written by a run in progress. Thread: GUI.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/library/run_index.h"
#include "ui/look/background.h"

namespace lanelab {

class RunsSource : public QObject {
  Q_OBJECT

 public:
  using Runs = std::shared_ptr<const std::vector<RunEntry>>;

  /// Nothing is read before the first refresh().
  explicit RunsSource(std::vector<std::string> folders, QObject* parent = nullptr);
  void refresh();
  /// Other folders from now on; their runs are read at once.
  void setFolders(std::vector<std::string> folders);

 Q_SIGNALS:
  void loaded(const Runs& runs);

 private:
  void read();
  void watch(const std::vector<RunEntry>& runs);

  std::vector<std::string> m_folders;
  bool m_unread = true;             ///< no index of m_folders was made yet
  std::optional<RunIndex> m_index;  ///< the worker's
  QFileSystemWatcher m_watcher;
  QTimer m_pause;  ///< a run writes several files at a time
  bool m_reading = false;
  bool m_again = false;
  Background m_worker;  ///< last: it ends before what it uses
};

}  // namespace lanelab
