// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/pane_layout.h"

#include <QApplication>
#include <QDockWidget>
#include <QKeySequence>
#include <QLayout>
#include <QMainWindow>
#include <QMenu>
#include <QMouseEvent>
#include <QResizeEvent>
#include <QScreen>
#include <QSplitter>
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <utility>

#include "ui/window/action_set.h"
#include "ui/window/window_settings.h"

namespace lanelab {

namespace {

constexpr QSize kFirstWindow(1440, 900);
constexpr QSize kLeastForAllSides(1100, 600);  ///< below it panes on three sides would leave nothing for the centre
constexpr int kBottomHeight = 288;             ///< of Idle and Gaps: its sentences, two lanes and the first gaps
constexpr int kLeftWidth = 282;                ///< of a run: star, name, speed-up and model
constexpr int kRightWidth = 320;               ///< "Mean squared error", "random init" with its button
constexpr int kOnlySideWidth = 320;
constexpr QSize kLeastDetached(480, 320);
constexpr int kLeastPane = 96;  ///< of a pane below: a header and two rows

bool isSmall(QSize window) {
  return window.width() < kLeastForAllSides.width() || window.height() < kLeastForAllSides.height();
}

/// Calls back before a window lays itself out at another size, which squeezes what has too little room, and when the
/// user moved a line between its panes: such lines are of the window itself.
class LayoutEvents : public QObject {
 public:
  LayoutEvents(QWidget* window, std::function<void(QSize before, QSize after)> before_resize,
               std::function<void()> line_moved)
      : QObject(window),
        m_window(window),
        m_before_resize(std::move(before_resize)),
        m_line_moved(std::move(line_moved)) {
    qApp->installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (watched != m_window) return false;
    if (event->type() == QEvent::Resize) {
      const auto& resize = static_cast<QResizeEvent&>(*event);
      m_before_resize(resize.oldSize(), resize.size());
    } else if (event->type() == QEvent::MouseMove && static_cast<QMouseEvent&>(*event).buttons() != Qt::NoButton) {
      m_line_moved();
    }
    return false;
  }

 private:
  QWidget* m_window;
  std::function<void(QSize, QSize)> m_before_resize;
  std::function<void()> m_line_moved;
};

/// False if nothing in it takes the keyboard, as in a pane that is still empty.
bool focusPane(QWidget& pane) {
  if (!pane.isActiveWindow()) pane.activateWindow();  // a detached pane, or the window seen from there
  if (pane.focusPolicy() != Qt::NoFocus) {
    pane.setFocus(Qt::TabFocusReason);
    return true;
  }
  for (auto* child : pane.findChildren<QWidget*>())
    if (child->isVisibleTo(&pane) && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus)) {
      child->setFocus(Qt::TabFocusReason);
      return true;
    }
  return false;
}

/// Nine panes have Ctrl and a digit, those after them what is left: Ctrl+0 fits the timeline, and Ctrl+Alt with another
/// digit is a kind of its rows.
QKeySequence paneKey(std::size_t place) {
  constexpr std::array kMore{"Ctrl+Alt+M", "Ctrl+Alt+0", "Ctrl+Alt+L"};
  if (place < 9) return QKeySequence(QString("Ctrl+%1").arg(place + 1));
  return place - 9 < kMore.size() ? QKeySequence(kMore[place - 9]) : QKeySequence();
}

/// Not closed, and not behind another tab.
bool isInFront(const QDockWidget& pane) { return pane.isVisible() && !pane.visibleRegion().isEmpty(); }

bool hasKeyboard(const QDockWidget& pane) {
  const QWidget* const focused = QApplication::focusWidget();
  return focused && (focused == &pane || pane.isAncestorOf(focused));
}

/// Closed only when the user is in it already: a pane behind another tab is to be seen first.
void showOrHide(QDockWidget& pane) {
  if (isInFront(pane) && hasKeyboard(pane)) {
    pane.close();
    return;
  }
  PaneLayout::goTo(pane);
}

}  // namespace

PaneLayout::PaneLayout(QMainWindow* window, QSplitter* centre)
    : m_window(window), m_centre(centre), m_tabs(window), m_sides(window) {
  window->setDockNestingEnabled(true);
  window->setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  window->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  QObject::connect(centre, &QSplitter::splitterMoved, window, [this] { m_divided_by_user = true; });
  const auto before_resize = [this](QSize before, QSize after) {
    if (m_on_one_side || showsOneAlone()) return;
    m_sides.remember(m_docks);
    if (!isSmall(before) && isSmall(after)) m_wide_state = m_window->saveState(WindowSettings::kLayoutVersion);
  };
  new LayoutEvents(window, before_resize, [this] { m_sides.forget(); });
}

void PaneLayout::add(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area,
                     const QKeySequence& key) {
  auto* dock = new QDockWidget(title, m_window);
  dock->setObjectName(name);
  dock->setWidget(content);
  if (area == Qt::BottomDockWidgetArea) content->setMinimumHeight(kLeastPane);  // the highest would hold up all of them
  dock->setAllowedAreas(Qt::AllDockWidgetAreas);
  m_window->addDockWidget(area, dock);
  m_docks.push_back(dock);
  m_keys.push_back(key.isEmpty() ? paneKey(m_digits++) : key);
  m_tabs.add(dock);
}

void PaneLayout::addToggles(QMenu* menu) const {
  for (std::size_t i = 0; i < m_docks.size(); ++i) {
    QDockWidget* const pane = m_docks[i];
    const QKeySequence& key = m_keys[i];
    auto* toggle = new QAction(pane->windowTitle(), m_window);
    toggle->setObjectName(kToggle + pane->objectName());
    toggle->setCheckable(true);
    toggle->setShortcut(key);
    toggle->setToolTip(withKey(
        QMainWindow::tr("Go to the pane %1, or close it when it has the keyboard").arg(pane->windowTitle()), key));
    const auto showState = [toggle, pane] { toggle->setChecked(pane->toggleViewAction()->isChecked()); };
    QObject::connect(pane->toggleViewAction(), &QAction::toggled, toggle, showState);
    QObject::connect(toggle, &QAction::triggered, pane, [pane, showState] {
      showOrHide(*pane);
      showState();
    });
    showState();
    menu->addAction(toggle);
  }
}

QDockWidget* PaneLayout::dock(const char* name) const { return m_window->findChild<QDockWidget*>(QLatin1String(name)); }

void PaneLayout::goTo(QDockWidget& pane) {
  pane.show();
  pane.raise();
  if (!focusPane(*pane.widget())) pane.widget()->setFocus(Qt::ShortcutFocusReason);
}

QKeySequence PaneLayout::keyOf(const QDockWidget& pane) const {
  const auto place = static_cast<std::size_t>(std::ranges::find(m_docks, &pane) - m_docks.begin());
  return place < m_keys.size() ? m_keys[place] : QKeySequence();
}

QString PaneLayout::inFront() const {
  const auto focused = std::ranges::find_if(m_docks, [](const QDockWidget* pane) { return hasKeyboard(*pane); });
  const QDockWidget* const pane = focused == m_docks.end() ? frontBelow() : *focused;
  return pane ? pane->objectName() : QString();
}

void PaneLayout::arrange() {
  arrangeAtFirst();
  m_first_state = m_window->saveState(WindowSettings::kLayoutVersion);
  restore();
  fitTo(m_window->size());
}

void PaneLayout::arrangeAtFirst() {
  std::map<Qt::DockWidgetArea, QDockWidget*> front;
  for (QDockWidget* const pane : m_docks) {
    const auto [first, is_first] = front.try_emplace(m_window->dockWidgetArea(pane), pane);
    if (!is_first) m_window->tabifyDockWidget(first->second, pane);
  }
  for (const auto& [area, pane] : front) pane->raise();
  m_window->resize(kFirstWindow);
  m_window->resizeDocks({dock("runsDock"), dock("experimentDock")}, {kLeftWidth, kRightWidth}, Qt::Horizontal);
  m_window->resizeDocks({front[Qt::BottomDockWidgetArea]}, {kBottomHeight}, Qt::Vertical);
}

void PaneLayout::restore() {
  const WindowSettings settings;
  if (!m_window->restoreGeometry(settings.geometry())) {
    const QSize available = m_window->screen()->availableSize();
    m_window->resize(kFirstWindow.boundedTo(available));
    // With its frame a window as large as the screen would reach beyond it, and the status line out of sight.
    if (available.width() <= kFirstWindow.width() || available.height() <= kFirstWindow.height())
      m_window->setWindowState(Qt::WindowMaximized);
  }
  if (!settings.dockState().isEmpty() && !m_window->restoreState(settings.dockState(), WindowSettings::kLayoutVersion))
    reset();
  m_centre->restoreState(settings.centreState());
}

void PaneLayout::reset() {
  showAllAgain();
  if (m_on_one_side) {
    for (QDockWidget* const pane : m_docks) pane->show();
    putOnOneSide();
  } else {
    m_window->restoreState(m_first_state, WindowSettings::kLayoutVersion);
    m_sides.forget();
  }
  m_tabs.updateLater();
  m_divided_by_user = false;
  m_taken_from_below = 0;
  const int half = m_centre->height() / 2;
  m_centre->setSizes({half, half});
  divide();
}

void PaneLayout::setLeastBelow(int height) {
  m_least_below = height;
  divide();
}

/// resizeDocks() spreads what it takes over areas that were not asked; limits for the time of a layout do not.
void PaneLayout::limitBelow(int least, int most) {
  for (QDockWidget* const pane : m_docks) {
    if (m_window->dockWidgetArea(pane) != Qt::BottomDockWidgetArea || pane->isFloating()) continue;
    pane->setMinimumHeight(least);
    pane->setMaximumHeight(most);
  }
}

/// The board gives way first, then the panes below, which get back what they gave when it is no longer needed.
void PaneLayout::divide() {
  const QWidget* const upper = m_centre->widget(0);
  if (m_divided_by_user || showsOneAlone() || !m_centre->isVisible()) return;
  const int least_above = upper->isHidden() ? 0 : upper->minimumSizeHint().height() + m_centre->handleWidth();
  const int missing = least_above + m_least_below - m_centre->height();
  QDockWidget* const below = m_on_one_side ? nullptr : frontBelow();
  if (below && (missing > 0 || m_taken_from_below > 0)) {
    const int before = below->height();
    const int wanted = std::max(before - std::max(missing, -m_taken_from_below), kLeastPane);
    limitBelow(wanted, wanted);
    m_window->layout()->activate();
    limitBelow(0, QWIDGETSIZE_MAX);
    m_taken_from_below += before - below->height();
  }
  const QList<int> sizes = m_centre->sizes();
  if (sizes.size() != 2 || upper->isHidden() || sizes[1] >= m_least_below) return;
  const int more = std::min(m_least_below, sizes[0] + sizes[1] - upper->minimumSizeHint().height());
  if (more > sizes[1]) m_centre->setSizes({sizes[0] + sizes[1] - more, more});
}

void PaneLayout::fitTo(QSize window) {
  divide();
  const bool small = isSmall(window);
  if (m_docks.empty() || showsOneAlone()) return;
  if (small != m_on_one_side) putOnSides(small);
  if (!small) m_sides.giveBack(m_docks);
}

void PaneLayout::putOnSides(bool small) {
  m_on_one_side = small;
  m_centre->setChildrenCollapsible(small);
  if (small) {
    if (m_wide_state.isEmpty()) m_wide_state = m_window->saveState(WindowSettings::kLayoutVersion);
    m_front_below = frontBelow();
    putOnOneSide();
  } else {
    const auto front = std::ranges::find_if(m_docks, [](const QDockWidget* pane) { return isInFront(*pane); });
    m_window->restoreState(std::exchange(m_wide_state, {}), WindowSettings::kLayoutVersion);
    // What the user chose meanwhile. A window that was never shown stores no tab as the front one.
    const bool is_below =
        front != m_docks.end() && m_window->dockWidgetArea(*front) == Qt::BottomDockWidgetArea && !(*front)->isHidden();
    if (is_below) {
      (*front)->raise();
    } else if (m_front_below) {
      m_front_below->raise();
    }
    m_window->layout()->activate();
    divide();
  }
  m_tabs.updateLater();
}

QDockWidget* PaneLayout::frontBelow() const {
  QDockWidget* first = nullptr;
  for (QDockWidget* const pane : m_docks) {
    if (m_window->dockWidgetArea(pane) != Qt::BottomDockWidgetArea || pane->isHidden()) continue;
    if (!pane->visibleRegion().isEmpty()) return pane;
    if (!first) first = pane;
  }
  return first;
}

/// All panes become tabs at the right, where each has the window's whole height.
void PaneLayout::putOnOneSide() {
  QDockWidget* front = nullptr;
  for (QDockWidget* const pane : m_docks) {
    if (pane->isHidden() || pane->isFloating()) continue;
    m_window->addDockWidget(Qt::RightDockWidgetArea, pane);
    if (front) m_window->tabifyDockWidget(front, pane);
    if (!front) front = pane;
  }
  if (!front) return;
  m_window->resizeDocks({front}, {kOnlySideWidth}, Qt::Horizontal);
  (dock("experimentDock")->isHidden() ? front : dock("experimentDock"))->raise();
}

void PaneLayout::store() {
  showAllAgain();
  WindowSettings().setLayout(m_window->saveGeometry(),
                             m_on_one_side ? m_wide_state : m_window->saveState(WindowSettings::kLayoutVersion),
                             m_centre->saveState());
}

void PaneLayout::show(const char* name) const {
  dock(name)->show();
  dock(name)->raise();
}

void PaneLayout::showAlone(QWidget* widget) {
  if (!widget) return showAllAgain();
  if (showsOneAlone()) return;
  const auto holds = [widget](const QWidget* part) { return part == widget || part->isAncestorOf(widget); };
  const bool in_centre = holds(m_centre);
  if (!in_centre && std::ranges::none_of(m_docks, holds)) return;
  m_state_of_all = m_window->saveState(WindowSettings::kLayoutVersion);
  for (QDockWidget* const pane : m_docks)
    if (!holds(pane) && !pane->isFloating()) pane->hide();
  const auto hide = [this](QWidget* part) {
    if (part->isHidden()) return;
    part->hide();
    m_hidden_parts.emplace_back(part);
  };
  if (!in_centre) hide(m_window->centralWidget());
  for (int half = 0; in_centre && half < m_centre->count(); ++half)
    if (!holds(m_centre->widget(half))) hide(m_centre->widget(half));
  widget->setFocus();
}

void PaneLayout::showAllAgain() {
  if (!showsOneAlone()) return;
  for (const QPointer<QWidget>& part : m_hidden_parts)
    if (part) part->show();
  m_hidden_parts.clear();
  m_window->restoreState(std::exchange(m_state_of_all, {}), WindowSettings::kLayoutVersion);
  m_tabs.updateLater();
}

void PaneLayout::detachOrDock() {
  const auto found = std::ranges::find_if(m_docks, [](const QDockWidget* pane) { return hasKeyboard(*pane); });
  if (found == m_docks.end() || showsOneAlone()) return;
  QDockWidget& pane = **found;
  pane.setFloating(!pane.isFloating());
  if (pane.isFloating() && pane.height() < kLeastDetached.height()) pane.resize(pane.size().expandedTo(kLeastDetached));
  goTo(pane);
}

void PaneLayout::cycle(int direction, const std::vector<QWidget*>& centre) const {
  std::vector<QWidget*> panes = centre;
  for (auto* dock : m_docks)
    if (isInFront(*dock)) panes.push_back(dock->widget());
  const auto focused = std::find_if(panes.begin(), panes.end(), [](const QWidget* pane) {
    return pane->hasFocus() || pane->isAncestorOf(QApplication::focusWidget());
  });
  const auto count = static_cast<int>(panes.size());
  const int from = focused == panes.end() ? (direction > 0 ? -1 : 0) : static_cast<int>(focused - panes.begin());
  for (int i = 1; i <= count; ++i)
    if (focusPane(*panes[static_cast<std::size_t>((from + direction * i + 2 * count) % count)])) return;
}

}  // namespace lanelab
