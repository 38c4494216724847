// SPDX-License-Identifier: GPL-3.0-only
#include "ui/bookmarks/run_bookmarks.h"

#include <algorithm>

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
  change([&](std::vector<Bookmark>& all) { all.push_back(bookmark); });
}

void RunBookmarks::rename(std::size_t index, const QString& name) {
  if (index >= m_bookmarks.size() || name.trimmed().isEmpty() || m_bookmarks[index].name == name.toStdString()) return;
  change([&, meant = m_bookmarks[index]](std::vector<Bookmark>& all) {
    const auto found = std::ranges::find(all, meant);
    if (found != all.end()) found->name = name.trimmed().toStdString();
  });
}

void RunBookmarks::remove(std::size_t index) {
  if (index >= m_bookmarks.size()) return;
  change([meant = m_bookmarks[index]](std::vector<Bookmark>& all) {
    const auto found = std::ranges::find(all, meant);
    if (found != all.end()) all.erase(found);
  });
}

/// Of the file as it is by now, which other windows change, too. Where it cannot be written, the window has the change.
void RunBookmarks::change(const std::function<void(std::vector<Bookmark>&)>& change) {
  if (m_folder.isEmpty()) {
    change(m_bookmarks);
    m_of_files[m_file] = m_bookmarks;
  } else if (Result<std::vector<Bookmark>> changed = changeBookmarks(m_folder.toStdString(), change); changed.ok()) {
    m_bookmarks = std::move(*changed);
  } else {
    change(m_bookmarks);
    Q_EMIT problem(look::shownText(changed.error()));
  }
  Q_EMIT this->changed();
}

}  // namespace lanelab
