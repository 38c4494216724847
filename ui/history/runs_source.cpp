// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/runs_source.h"

#include <QDir>
#include <QSet>

namespace lanelab {

namespace {
constexpr int kPause = 150;  ///< ms
}

RunsSource::RunsSource(std::vector<std::string> folders, QObject* parent)
    : QObject(parent), m_folders(std::move(folders)) {
  m_pause.setSingleShot(true);
  m_pause.setInterval(kPause);
  connect(&m_pause, &QTimer::timeout, this, &RunsSource::refresh);
  connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_pause, qOverload<>(&QTimer::start));
}

void RunsSource::refresh() {
  m_again = m_reading;
  if (!m_reading) read();
}

void RunsSource::setFolders(std::vector<std::string> folders) {
  m_folders = std::move(folders);
  m_unread = true;
  refresh();
}

void RunsSource::read() {
  m_reading = true;
  if (std::exchange(m_unread, false))
    m_worker.run([this, folders = m_folders]() -> Background::Then {
      m_index.emplace(folders);
      return [this, cached = m_index->snapshot()] { Q_EMIT loaded(cached); };
    });
  m_worker.run([this]() -> Background::Then {
    m_index->refresh(m_worker.stop());
    return [this, runs = m_index->snapshot()] {
      m_reading = false;
      watch(*runs);
      Q_EMIT loaded(runs);
      if (std::exchange(m_again, false)) read();
    };
  });
}

/// The folders of runs, and each run in progress: what another process writes there is seen at once.
void RunsSource::watch(const std::vector<RunEntry>& runs) {
  QSet<QString> wanted;
  const auto want = [&](const std::string& folder) {
    if (const QString path = QString::fromStdString(folder); QDir(path).exists()) wanted.insert(path);
  };
  for (const auto& folder : m_folders) want(folder);
  for (const RunEntry& run : runs)
    if (run.status == RunStatus::Running && !run.damaged) want(run.folder);
  const QStringList watched = m_watcher.directories();
  const QSet<QString> now(watched.begin(), watched.end());
  if (const QSet<QString> gone = now - wanted; !gone.isEmpty()) m_watcher.removePaths(gone.values());
  if (const QSet<QString> fresh = wanted - now; !fresh.isEmpty()) m_watcher.addPaths(fresh.values());
}

}  // namespace lanelab
