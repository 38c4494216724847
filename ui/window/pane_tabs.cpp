// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/pane_tabs.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QTabBar>
#include <algorithm>

#include "ui/look/icons.h"

namespace lanelab {

PaneTabs::PaneTabs(QMainWindow* window) : m_window(window) {}

void PaneTabs::add(QDockWidget* pane) {
  m_panes.push_back(pane);
  connect(pane, &QDockWidget::visibilityChanged, this, [this, pane](bool in_front) {
    if (in_front) m_announced.erase(pane);
    updateLater();
  });
  connect(pane, &QDockWidget::topLevelChanged, this, &PaneTabs::updateLater);
  connect(pane, &QDockWidget::dockLocationChanged, this, &PaneTabs::updateLater);
}

void PaneTabs::announce(QDockWidget* pane) {
  if (pane->isHidden() || !pane->visibleRegion().isEmpty() || !hasTab(pane)) return;
  m_announced.insert(pane);
  updateLater();
}

/// A move of several panes tells of each; the tabs are there only after the last.
void PaneTabs::updateLater() {
  if (m_update_due) return;
  m_update_due = true;
  QMetaObject::invokeMethod(
      this, [this] { update(); }, Qt::QueuedConnection);
}

void PaneTabs::update() {
  m_update_due = false;
  for (QDockWidget* const pane : m_panes) {
    const bool tab = hasTab(pane);
    if (tab == (pane->titleBarWidget() != nullptr)) continue;
    const QWidget* const before = pane->titleBarWidget();
    pane->setTitleBarWidget(tab ? new QWidget(pane) : nullptr);  // an empty one takes no room
    delete before;
  }
  for (auto* bar : m_window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
    serve(*bar);
    showMarks(*bar);
  }
}

void PaneTabs::showMarks(QTabBar& bar) const {
  for (int tab = 0; tab < bar.count(); ++tab) {
    const bool announced = m_announced.contains(paneAt(bar, tab));
    if (announced == !bar.tabIcon(tab).isNull()) continue;
    bar.setTabIcon(tab, announced ? look::dotMark(true) : QIcon());
    bar.setTabToolTip(tab, announced ? QMainWindow::tr("New here") : QString());
  }
}

void PaneTabs::serve(QTabBar& bar) {
  if (bar.contextMenuPolicy() == Qt::CustomContextMenu) return;
  bar.setContextMenuPolicy(Qt::CustomContextMenu);
  bar.setElideMode(Qt::ElideNone);
  bar.setUsesScrollButtons(true);
  connect(&bar, &QTabBar::customContextMenuRequested, this, [this, &bar](QPoint at) {
    QDockWidget* const pane = paneAt(bar, bar.tabAt(at));
    if (!pane) return;
    auto* menu = new QMenu(&bar);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(QMainWindow::tr("&Detach Pane"), pane, [pane] { pane->setFloating(true); });
    menu->addAction(QMainWindow::tr("&Close Pane"), pane, &QWidget::close);
    menu->popup(bar.mapToGlobal(at));
  });
  connect(&bar, &QTabBar::tabBarDoubleClicked, this, [this, &bar](int tab) {
    if (QDockWidget* const pane = paneAt(bar, tab)) pane->setFloating(true);
  });
}

QDockWidget* PaneTabs::paneAt(const QTabBar& bar, int tab) const {
  const auto found =
      std::ranges::find_if(m_panes, [&](const auto* pane) { return pane->windowTitle() == bar.tabText(tab); });
  return tab < 0 || found == m_panes.end() ? nullptr : *found;
}

bool PaneTabs::hasTab(QDockWidget* pane) const {
  if (pane->isFloating() || pane->isHidden()) return false;
  return std::ranges::any_of(m_window->tabifiedDockWidgets(pane), [](const auto* other) { return !other->isHidden(); });
}

}  // namespace lanelab
