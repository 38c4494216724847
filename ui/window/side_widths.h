// SPDX-License-Identifier: GPL-3.0-only
// Widths of the panes at the left and the right: a narrow window squeezes them, and one that grows gives them back.
//
// Thread: the window's.
#pragma once

#include <Qt>
#include <map>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace lanelab {

class SideWidths {
 public:
  /// The window outlives this.
  explicit SideWidths(QMainWindow* window) : m_window(window) {}

  /// Before the window lays itself out at another size.
  void remember(const std::vector<QDockWidget*>& panes);
  /// After it, as far as there is room.
  void giveBack(const std::vector<QDockWidget*>& panes) const;
  /// From now on the widths count that the sides have: the user moved a line between them.
  void forget() { m_wanted.clear(); }

 private:
  QDockWidget* paneAt(Qt::DockWidgetArea side, const std::vector<QDockWidget*>& panes) const;

  QMainWindow* m_window;
  std::map<Qt::DockWidgetArea, int> m_wanted;  ///< pixels
};

}  // namespace lanelab
