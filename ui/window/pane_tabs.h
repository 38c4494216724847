// SPDX-License-Identifier: GPL-3.0-only
// The tabs of panes that lie behind one another. A tab names its pane and does what the title bar would do, so that a
// pane with a tab has no title bar that says the same again.
#pragma once

#include <QObject>
#include <set>
#include <vector>

class QDockWidget;
class QMainWindow;
class QTabBar;

namespace lanelab {

class PaneTabs : public QObject {
 public:
  /// The window outlives this.
  explicit PaneTabs(QMainWindow* window);
  void add(QDockWidget* pane);
  /// Marks the tab of a pane that is behind another one, until it is in front.
  void announce(QDockWidget* pane);
  /// After the panes were moved all at once, which not each of them reports.
  void updateLater();

 private:
  void update();
  void serve(QTabBar& bar);
  QDockWidget* paneAt(const QTabBar& bar, int tab) const;
  bool hasTab(QDockWidget* pane) const;
  void showMarks(QTabBar& bar) const;

  QMainWindow* m_window;
  std::vector<QDockWidget*> m_panes;
  std::set<const QDockWidget*> m_announced;
  bool m_update_due = false;
};

}  // namespace lanelab
