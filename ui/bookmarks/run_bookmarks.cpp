// SPDX-License-Identifier: GPL-3.0-only
#include "ui/bookmarks/run_bookmarks.h"
#include "ui/look/plain_text.h"

namespace lanelab {

void RunBookmarks::showRun(const QString& folder) {
  m_folder = folder;
  m_file.clear();
  m_bookmarks.clear();
  if (!folder.isEmpty()) {
    auto read = readBookmarks(folder.toStdString());
    if (read.ok())
      m_bookmarks = std::move(read).value();
    else
      Q_EMIT problem(
          tr("The bookmarks of this run cannot be read: %1 The file is renamed when you add another bookmark.")
              .arg(look::shownText(read.error())));
  }
  Q_EMIT changed();
}

void RunBookmarks::showFile(const QString& path) {
  m_folder.clear();
  m_file = path;
  m_bookmarks = m_of_files[path];
  Q_EMIT changed();
}

void RunBookmarks::add(Bookmark bookmark) {
  m_bookmarks.push_back(std::move(bookmark));
  keep();
}

void RunBookmarks::rename(std::size_t index, const QString& name) {
  if (index >= m_bookmarks.size() || name.trimmed().isEmpty() || m_bookmarks[index].name == name.toStdString()) return;
  m_bookmarks[index].name = name.trimmed().toStdString();
  keep();
}

void RunBookmarks::remove(std::size_t index) {
  if (index >= m_bookmarks.size()) return;
  m_bookmarks.erase(m_bookmarks.begin() + static_cast<std::ptrdiff_t>(index));
  keep();
}

void RunBookmarks::keep() {
  if (m_folder.isEmpty()) {
    m_of_files[m_file] = m_bookmarks;
  } else if (const Status written = writeBookmarks(m_folder.toStdString(), m_bookmarks); !written.ok()) {
    Q_EMIT problem(look::shownText(written.error()));
  }
  Q_EMIT changed();
}

}  // namespace lanelab
