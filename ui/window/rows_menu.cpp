// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/rows_menu.h"

#include <QAction>
#include <QMenu>
#include <QSignalBlocker>

#include "ui/timeline/view/timeline_view.h"
#include "ui/window/action_set.h"
#include "ui/window/window_settings.h"

namespace lanelab {

namespace {

QString keyOf(RowKind kind) { return QString::fromStdString(toWord(kind)); }
QString actionName(RowKind kind) { return "rows-" + keyOf(kind); }

}  // namespace

RowsMenu::RowsMenu(TimelineView* timeline, ActionSet* actions, QMenu* view)
    : QObject(view), m_timeline(timeline), m_actions(actions) {
  QMenu* const menu = ActionSet::addMenu(view, "details", tr("Timeline R&ows"), "rowsMenu");
  addKind(menu, RowKind::Blocks, tr("&Blocks"), tr("Rows of the blocks inside each action"), "Ctrl+Alt+1");
  addKind(menu, RowKind::Operators, tr("&Operators"),
          tr("Rows of the operators inside each action, where they were recorded"), "Ctrl+Alt+2");
  addKind(menu, RowKind::Transfers, tr("&Transfers"), tr("A row of what each lane sends"), "Ctrl+Alt+3");
  addKind(menu, RowKind::Exchange, tr("&Exchange of Replicas"),
          tr("A row of what replicas of the model send each other and wait for: weights, outputs, gradients"),
          "Ctrl+Alt+7");
  addKind(menu, RowKind::HostThreads, tr("&Host Threads"),
          tr("Rows of what each lane's host does, and of the threads of other programs"), "Ctrl+Alt+4");
  addKind(menu, RowKind::Streams, tr("&Streams"), tr("Rows of kernels and copies, a stream each"), "Ctrl+Alt+5");
  addKind(menu, RowKind::Counters, tr("Cou&nters"),
          tr("Charts of utilisation, bubble, memory and loss below the lanes"), "Ctrl+Alt+6");
  menu->addSeparator();
  addLanes(menu);
  restore();
  connect(m_timeline, &TimelineView::arrangementChanged, this, &RowsMenu::store);
  showChecks();
}

void RowsMenu::addKind(QMenu* menu, RowKind kind, const QString& text, const QString& tip, const QString& key) {
  m_actions->addToggle(menu, actionName(kind), text, tip, QKeySequence(key), {}, [this, kind](bool shown) {
    WindowSettings().setShowsRows(keyOf(kind), shown);
    m_timeline->showRows(kind, shown);
  });
}

void RowsMenu::addLanes(QMenu* menu) {
  m_actions->add(menu, "collapseLane", tr("&Collapse or Expand Lane"),
                 tr("Show the timeline's current lane thin, or all of it"), QKeySequence("Ctrl+Alt+C"), {},
                 [this] { m_timeline->collapseLane(); });
  m_actions->add(menu, "collapseReplica", tr("Collapse or Expand &Replica"),
                 tr("Show all lanes of the current lane's replica thin, or all of them"),
                 QKeySequence("Ctrl+Alt+Shift+C"), {}, [this] { m_timeline->collapseReplica(); });
  m_actions->add(menu, "pinLane", tr("&Pin or Unpin Lane"),
                 tr("Keep the timeline's current lane at the top while the others scroll"), QKeySequence("Ctrl+Alt+P"),
                 {}, [this] { m_timeline->pinLane(); });
  m_actions->add(menu, "moveLaneUp", tr("Move Lane &Up"), tr("Move the timeline's current lane up"),
                 QKeySequence("Ctrl+Alt+Up"), {}, [this] { m_timeline->moveLaneUp(); });
  m_actions->add(menu, "moveLaneDown", tr("Move Lane &Down"), tr("Move the timeline's current lane down"),
                 QKeySequence("Ctrl+Alt+Down"), {}, [this] { m_timeline->moveLaneDown(); });
  m_actions->add(menu, "collapseLanes", tr("Collapse &All Lanes"), tr("Show all lanes of the timeline thin"), {}, {},
                 [this] { m_timeline->collapseLanes(); });
  m_actions->add(menu, "expandLanes", tr("E&xpand All Lanes"), tr("Show all rows of all lanes of the timeline"), {}, {},
                 [this] { m_timeline->expandLanes(); });
  m_actions->add(menu, "forgetLanes", tr("Lanes as at &First"), tr("Undo moving, pinning and collapsing lanes"), {}, {},
                 [this] { m_timeline->forgetLanes(); });
}

void RowsMenu::restore() {
  RowArrangement stored = m_timeline->arrangement();
  for (const RowKind kind : kChosenRowKinds)
    stored.show(kind, WindowSettings().showsRows(keyOf(kind), stored.shows(kind)));
  m_timeline->setArrangement(std::move(stored));
}

/// What was chosen in the timeline's own menu; what was chosen in this one was stored there.
void RowsMenu::store() {
  for (const RowKind kind : kChosenRowKinds) {
    const bool shown = m_timeline->arrangement().shows(kind);
    if (m_actions->find(actionName(kind))->isChecked() != shown) WindowSettings().setShowsRows(keyOf(kind), shown);
  }
  showChecks();
}

void RowsMenu::showChecks() {
  for (const RowKind kind : kChosenRowKinds)
    m_actions->find(actionName(kind))->setChecked(m_timeline->arrangement().shows(kind));
  m_actions->find("details")->setChecked(m_timeline->showsDetails());
}

void RowsMenu::showAll() {
  RowArrangement all = m_timeline->arrangement();
  for (const RowKind kind : kChosenRowKinds) all.show(kind, true);
  const QSignalBlocker quiet(m_timeline);
  m_timeline->setArrangement(std::move(all));
  showChecks();
}

}  // namespace lanelab
