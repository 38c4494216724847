// SPDX-License-Identifier: GPL-3.0-only
// The bookmarks of what the window shows: kept in the run's folder, or for a trace of another program as long as the
// window lives.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <vector>

#include "engine/record/bookmarks.h"

namespace lanelab {

class RunBookmarks : public QObject {
  Q_OBJECT

 public:
  explicit RunBookmarks(QObject* parent = nullptr) : QObject(parent) {}

  /// Reads those of a run folder.
  void showRun(const QString& folder);
  /// Those of a file of another program; nothing is written beside it.
  void showFile(const QString& path);
  const std::vector<Bookmark>& all() const { return m_bookmarks; }

  void add(Bookmark bookmark);
  void rename(std::size_t index, const QString& name);  ///< a blank name changes nothing
  void remove(std::size_t index);

 Q_SIGNALS:
  void changed();
  void problem(const QString& sentence);  ///< a file that cannot be read or written

 private:
  void change(const std::function<void(std::vector<Bookmark>&)>& change);

  QString m_folder;  ///< empty: of no run
  QString m_file;
  std::vector<Bookmark> m_bookmarks;
  std::map<QString, std::vector<Bookmark>> m_of_files;
};

}  // namespace lanelab
