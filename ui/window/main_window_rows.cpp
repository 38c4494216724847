// SPDX-License-Identifier: GPL-3.0-only
#include <QAction>
#include <QMenu>

#include "ui/look/icons.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/window/main_window.h"
#include "ui/window/window_settings.h"

namespace lanelab {
namespace {

QString keyOf(RowKind kind) {
  const std::string_view name = toString(kind);
  return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

QString actionOf(RowKind kind) { return "rows-" + keyOf(kind); }

}  // namespace

void MainWindow::addRowKind(QMenu* menu, RowKind kind, const QString& text, const QString& tip, const QString& key) {
  auto* action = addAction(menu, actionOf(kind), text, tip, QKeySequence(key), {}, [this, kind] {
    RowArrangement next = m_timeline->arrangement();
    next.show(kind, this->action(actionOf(kind))->isChecked());
    WindowSettings().setShowsRows(keyOf(kind), next.shows(kind));
    m_timeline->setArrangement(std::move(next));
  });
  action->setCheckable(true);
}

void MainWindow::makeRowsMenu(QMenu* view) {
  auto* menu = view->addMenu(look::icon("details"), tr("Timeline R&ows"));
  menu->setObjectName("rowsMenu");
  menu->setToolTipsVisible(true);
  addRowKind(menu, RowKind::Blocks, tr("&Blocks"), tr("Rows of the blocks inside each action"), "Ctrl+Alt+1");
  addRowKind(menu, RowKind::Operators, tr("&Operators"),
             tr("Rows of the operators inside each action, where they were recorded"), "Ctrl+Alt+2");
  addRowKind(menu, RowKind::Transfers, tr("&Transfers"), tr("A row of what each lane sends"), "Ctrl+Alt+3");
  addRowKind(menu, RowKind::Exchange, tr("&Exchange of Replicas"),
             tr("A row of what replicas of the model send each other and wait for: weights, outputs, gradients"),
             "Ctrl+Alt+7");
  addRowKind(menu, RowKind::HostThreads, tr("&Host Threads"),
             tr("Rows of what each lane's host does, and of the threads of other programs"), "Ctrl+Alt+4");
  addRowKind(menu, RowKind::Streams, tr("&Streams"), tr("Rows of kernels and copies, a stream each"), "Ctrl+Alt+5");
  addRowKind(menu, RowKind::Counters, tr("Cou&nters"),
             tr("Charts of utilisation, bubble, memory and loss below the lanes"), "Ctrl+Alt+6");
  menu->addSeparator();
  addAction(menu, "collapseLane", tr("&Collapse or Expand Lane"),
            tr("Show the timeline's current lane thin, or all of it"), QKeySequence("Ctrl+Alt+C"), {},
            [this] { m_timeline->collapseLane(); });
  addAction(menu, "collapseReplica", tr("Collapse or Expand &Replica"),
            tr("Show all lanes of the current lane's replica thin, or all of them"), QKeySequence("Ctrl+Alt+Shift+C"),
            {}, [this] { m_timeline->collapseReplica(); });
  addAction(menu, "pinLane", tr("&Pin or Unpin Lane"),
            tr("Keep the timeline's current lane at the top while the others scroll"), QKeySequence("Ctrl+Alt+P"), {},
            [this] { m_timeline->pinLane(); });
  addAction(menu, "moveLaneUp", tr("Move Lane &Up"), tr("Move the timeline's current lane up"),
            QKeySequence("Ctrl+Alt+Up"), {}, [this] { m_timeline->moveLaneUp(); });
  addAction(menu, "moveLaneDown", tr("Move Lane &Down"), tr("Move the timeline's current lane down"),
            QKeySequence("Ctrl+Alt+Down"), {}, [this] { m_timeline->moveLaneDown(); });
  addAction(menu, "collapseLanes", tr("Collapse &All Lanes"), tr("Show all lanes of the timeline thin"), {}, {},
            [this] { m_timeline->collapseLanes(); });
  addAction(menu, "expandLanes", tr("E&xpand All Lanes"), tr("Show all rows of all lanes of the timeline"), {}, {},
            [this] { m_timeline->expandLanes(); });
  addAction(menu, "forgetLanes", tr("Lanes as at &First"), tr("Undo moving, pinning and collapsing lanes"), {}, {},
            [this] { m_timeline->forgetLanes(); });
  RowArrangement kept = m_timeline->arrangement();
  for (const RowKind kind : kChosenRowKinds) kept.show(kind, WindowSettings().showsRows(keyOf(kind), kept.shows(kind)));
  m_timeline->setArrangement(std::move(kept));
  connect(m_timeline, &TimelineView::arrangementChanged, this, &MainWindow::keepRows);
  showRows();
}

/// What was chosen in the timeline's own menu; what was chosen in the window's was kept there.
void MainWindow::keepRows() {
  for (const RowKind kind : kChosenRowKinds) {
    const bool shown = m_timeline->arrangement().shows(kind);
    if (action(actionOf(kind))->isChecked() != shown) WindowSettings().setShowsRows(keyOf(kind), shown);
  }
  showRows();
}

void MainWindow::showRows() {
  for (const RowKind kind : kChosenRowKinds) action(actionOf(kind))->setChecked(m_timeline->arrangement().shows(kind));
  action("details")->setChecked(m_timeline->showsDetails());
}

/// Of another program's trace threads and operators are what there is; that is not what a person chose for own runs.
void MainWindow::showImportedRows() {
  RowArrangement all = m_timeline->arrangement();
  for (const RowKind kind : kChosenRowKinds) all.show(kind, true);
  const QSignalBlocker quiet(m_timeline);
  m_timeline->setArrangement(std::move(all));
  showRows();
}

}  // namespace lanelab
