// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/side_widths.h"

#include <QDockWidget>
#include <QLayout>
#include <QMainWindow>
#include <algorithm>

namespace lanelab {

/// One of the side; tabs of a side have one width, also those behind others.
QDockWidget* SideWidths::paneAt(Qt::DockWidgetArea side, const std::vector<QDockWidget*>& panes) const {
  const auto found = std::ranges::find_if(panes, [&](QDockWidget* pane) {
    return !pane->isHidden() && !pane->isFloating() && m_window->dockWidgetArea(pane) == side;
  });
  return found == panes.end() ? nullptr : *found;
}

void SideWidths::remember(const std::vector<QDockWidget*>& panes) {
  for (const Qt::DockWidgetArea side : {Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea})
    if (const QDockWidget* const pane = paneAt(side, panes)) m_wanted[side] = std::max(m_wanted[side], pane->width());
}

/// A least width for the time of one layout: resizeDocks() takes for one pane what it gave to another.
void SideWidths::giveBack(const std::vector<QDockWidget*>& panes) const {
  const QWidget& centre = *m_window->centralWidget();
  int room = std::max(0, centre.width() - centre.minimumSizeHint().width());
  std::vector<QDockWidget*> widened;
  for (const auto& [side, wanted] : m_wanted) {
    QDockWidget* const pane = paneAt(side, panes);
    if (!pane || pane->width() >= wanted) continue;
    const int more = std::min(room, wanted - pane->width());
    pane->setMinimumWidth(pane->width() + more);
    room -= more;
    widened.push_back(pane);
  }
  if (widened.empty()) return;
  m_window->layout()->activate();
  for (QDockWidget* const pane : widened) pane->setMinimumWidth(0);
}

}  // namespace lanelab
