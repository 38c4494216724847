// SPDX-License-Identifier: GPL-3.0-only
// Bookmarks of what the timeline shows: adds the selected range, lists them in a dialog, goes to one.
//
// Thread: the window's.
#pragma once

#include <QObject>
#include <string>

#include "ui/watch/window_parts.h"

namespace lanelab {

class BookmarksDialog;
class RunBookmarks;
class TimelinePresenter;
class TimelineView;

class TimelineBookmarks : public QObject {
  Q_OBJECT

 public:
  TimelineBookmarks(const WindowParts& parts, TimelinePresenter* presenter, TimelineView* timeline,
                    RunBookmarks* bookmarks);

  /// A range is selected of a trace that was measured.
  bool canAdd() const;
  void add();
  void showDialog();
  /// All bookmarks with the busy and idle times of each lane.
  std::string csv() const;

 Q_SIGNALS:
  void exportRequested();

 private:
  void goTo(std::size_t index);

  WindowParts m_parts;
  TimelinePresenter* m_presenter;
  TimelineView* m_timeline;
  RunBookmarks* m_bookmarks;
  BookmarksDialog* m_dialog = nullptr;
};

}  // namespace lanelab
