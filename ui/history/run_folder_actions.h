// SPDX-License-Identifier: GPL-3.0-only
// "Add Run Folder..." and "Remove Run Folder": which folders the table of runs lists besides the one where runs are
// stored. The list is that of `lanelab-cli runs folders`. Thread: GUI.
#pragma once

#include <QObject>

#include "engine/library/run_folders.h"

class QAction;
class QMenu;
class QWidget;

namespace lanelab {

class RunFolderActions : public QObject {
  Q_OBJECT

 public:
  /// `owner` is the parent of dialogs and menus. Folders that --runs chose cannot be changed.
  RunFolderActions(RunFolders folders, QWidget* owner);

  const RunFolders& folders() const { return m_folders; }
  QAction* adding() const { return m_add; }
  /// An entry per added folder.
  QMenu* removing() const { return m_remove; }

 Q_SIGNALS:
  void changed(const QString& sentence);  ///< folders() are others now
  void failed(const QString& sentence);

 private:
  void choose();
  /// After the list was `written`; `sentence` says what was changed there.
  void readList(const Status& written, const QString& sentence);
  void update();

  RunFolders m_folders;
  QWidget* m_owner;
  QAction* m_add;
  QMenu* m_remove;
};

}  // namespace lanelab
