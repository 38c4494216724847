// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/timeline_actions.h"

#include <QMenu>

#include "ui/look/action_state.h"
#include "ui/timeline/view/find_strip.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/watch/timeline_bookmarks.h"
#include "ui/watch/timeline_comparison.h"
#include "ui/watch/timeline_presenter.h"
#include "ui/window/action_set.h"
#include "ui/window/window_settings.h"

namespace lanelab {

namespace {

QString wordOf(RowKind kind) { return QString::fromStdString(toWord(kind)); }
QString actionName(RowKind kind) { return "rows-" + wordOf(kind); }

}  // namespace

TimelineActions::TimelineActions(const Parts& parts, ActionSet* actions, QMenu* view)
    : QObject(actions), m_parts(parts), m_actions(actions) {
  addNavigation(view);
  addRows(view);
  addMenu(view);
}

void TimelineActions::addNavigation(QMenu* view) {
  TimelineView* const timeline = m_parts.timeline;
  m_actions->add(view, "fit", tr("&Fit Timeline"), tr("Show all of the timeline"), QKeySequence("Ctrl+0"), "fit",
                 [timeline] { timeline->fit(); });
  m_actions->add(view, "zoomSelection", tr("&Zoom to Selection"), tr("Zoom the timeline to its selected range"),
                 QKeySequence("Ctrl+E"), "zoom-selection", [timeline] { timeline->moves().zoomToFocus(); });
  m_actions->add(view, "clearSelection", tr("Clear &Selection"),
                 tr("Clear the selected range: Idle and Gaps, Statistics and exports are of the whole trace again"), {},
                 {}, [timeline] { timeline->setSelection({}); });
  m_actions->add(view, "previousZoom", tr("Zoom Bac&k"), tr("Go back to the previous range"),
                 QKeySequence("Ctrl+Backspace"), {}, [timeline] { timeline->previousZoom(); });
  m_actions->add(view, "nextStep", tr("&Next Step"), tr("Show the next step on the timeline"), QKeySequence("Ctrl+]"),
                 "next", [timeline] { timeline->nextStep(); });
  m_actions->add(view, "previousStep", tr("Pre&vious Step"), tr("Show the step before on the timeline"),
                 QKeySequence("Ctrl+["), "previous", [timeline] { timeline->previousStep(); });
  m_actions->add(view, "nextGap", tr("Next Idle &Gap"), tr("Select the next idle gap on the timeline, and say why"),
                 QKeySequence("Ctrl+G"), {}, [timeline] { timeline->moves().stepGap(+1); });
  auto* details = m_actions->addToggle(
      view, "details", tr("Show Action Deta&ils"), tr("Show blocks, operators and host threads as rows of their own"),
      QKeySequence("Ctrl+D"), "details", [timeline](bool show) { timeline->setShowDetails(show); });
  details->setChecked(timeline->showsDetails());
}

void TimelineActions::addRows(QMenu* view) {
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
  addKind(menu, RowKind::Predicted, tr("Pred&icted Actions"),
          tr("A row of outlines where each action was expected, if its blocks were measured"), "Ctrl+Alt+8");
  addKind(menu, RowKind::Idle, tr("Idle Ti&me"), tr("Hatching and causes of the idle time between actions"),
          "Ctrl+Alt+9");
  addKind(menu, RowKind::Overview, tr("O&verview of the Trace"),
          tr("A strip with all of the trace above the time axis (mini-map), where the window is high enough"),
          "Ctrl+Alt+O");
  menu->addSeparator();
  addLanes(menu);
  connect(m_parts.timeline, &TimelineView::arrangementChanged, this, &TimelineActions::storeRows);
  connect(m_parts.presenter, &TimelinePresenter::changed, this, [this] {
    const ImportedFile* const file = importedFile(m_parts.presenter->shown());
    const TraceKind kind = file && !file->imported->declared ? TraceKind::Imported : TraceKind::Run;
    if (std::exchange(m_trace_kind, kind) != kind) restoreRows();
  });
  restoreRows();
}

void TimelineActions::addKind(QMenu* menu, RowKind kind, const QString& text, const QString& tip, const QString& key) {
  m_actions->addToggle(menu, actionName(kind), text, tip, QKeySequence(key), {}, [this, kind](bool shown) {
    WindowSettings().setShowsRows(keyOf(kind), shown);
    m_parts.timeline->showRows(kind, shown);
  });
}

void TimelineActions::addLanes(QMenu* menu) {
  m_actions->add(menu, "collapseLane", tr("&Collapse or Expand Lane"), tr("Collapse or expand the selected lane"),
                 QKeySequence("Ctrl+Alt+C"), {}, [this] { m_parts.timeline->moves().toggleCollapsed(); });
  m_actions->add(menu, "collapseReplica", tr("Collapse or Expand &Replica"),
                 tr("Collapse or expand all lanes of the selected lane's replica"), QKeySequence("Ctrl+Alt+Shift+C"),
                 {}, [this] { m_parts.timeline->moves().toggleReplica(); });
  m_actions->add(menu, "pinLane", tr("&Pin or Unpin Lane"),
                 tr("Hold the selected lane at the top while the others scroll"), QKeySequence("Ctrl+Alt+P"), {},
                 [this] { m_parts.timeline->moves().togglePinned(); });
  m_actions->add(menu, "moveLaneUp", tr("Move Lane &Up"), tr("Move the timeline's current lane up"),
                 QKeySequence("Ctrl+Alt+Up"), {}, [this] { m_parts.timeline->moves().moveLane(-1); });
  m_actions->add(menu, "moveLaneDown", tr("Move Lane &Down"), tr("Move the timeline's current lane down"),
                 QKeySequence("Ctrl+Alt+Down"), {}, [this] { m_parts.timeline->moves().moveLane(+1); });
  m_actions->add(menu, "collapseLanes", tr("Collapse &All Lanes"), tr("Collapse all lanes of the timeline"), {}, {},
                 [this] { m_parts.timeline->moves().collapseAll(true); });
  m_actions->add(menu, "expandLanes", tr("E&xpand All Lanes"), tr("Show all rows of all lanes of the timeline"), {}, {},
                 [this] { m_parts.timeline->moves().collapseAll(false); });
  m_actions->add(menu, "forgetLanes", tr("Reset &Lane Order"), tr("Undo moving, pinning and collapsing lanes"), {}, {},
                 [this] { m_parts.timeline->moves().resetLanes(); });
}

QString TimelineActions::keyOf(RowKind kind) const {
  return m_trace_kind == TraceKind::Imported ? "imported-" + wordOf(kind) : wordOf(kind);
}

void TimelineActions::restoreRows() {
  RowArrangement stored = m_parts.timeline->arrangement();
  for (const RowKind kind : kChosenRowKinds) {
    const bool at_first = m_trace_kind == TraceKind::Imported || RowArrangement().shows(kind);
    stored.show(kind, WindowSettings().showsRows(keyOf(kind), at_first));
  }
  m_restoring = true;
  m_parts.timeline->setArrangement(std::move(stored));
  m_restoring = false;
  showRowChecks();
}

/// What was chosen in the timeline's own menu; what was chosen in this one was stored there.
void TimelineActions::storeRows() {
  if (m_restoring) return;
  for (const RowKind kind : kChosenRowKinds) {
    const bool shown = m_parts.timeline->arrangement().shows(kind);
    if (m_actions->find(actionName(kind))->isChecked() != shown) WindowSettings().setShowsRows(keyOf(kind), shown);
  }
  showRowChecks();
}

void TimelineActions::showRowChecks() {
  for (const RowKind kind : kChosenRowKinds)
    m_actions->find(actionName(kind))->setChecked(m_parts.timeline->arrangement().shows(kind));
  m_actions->find("details")->setChecked(m_parts.timeline->showsDetails());
}

void TimelineActions::addMenu(QMenu* view) {
  auto* menu = ActionSet::addMenu(view, "timeline", tr("Time&line"), "timelineMenu");
  addFollowing(menu);
  menu->addSeparator();
  addFinding(menu);
  menu->addSeparator();
  addBookmarks(menu);
  menu->addSeparator();
  addComparing(menu);
  connect(m_parts.timeline, &TimelineView::findRequested, m_parts.find, &FindStrip::open);
  connect(m_parts.timeline, &TimelineView::searchChanged, this, &TimelineActions::update);
  connect(m_parts.timeline, &TimelineView::selectionChanged, this, &TimelineActions::update);
}

void TimelineActions::addFollowing(QMenu* menu) {
  const auto follow = [this](bool follows) {
    WindowSettings().setFollowsRun(follows);
    m_parts.presenter->setFollowsRun(follows);
  };
  QAction* const action = m_actions->addToggle(
      menu, "followRun", tr("Follow R&unning Variant"),
      tr("During a run, show the variant that is running; when off, the one whose tab is chosen"), {}, {}, follow);
  const bool follows = WindowSettings().followsRun();
  action->setChecked(follows);
  m_parts.presenter->setFollowsRun(follows);
}

void TimelineActions::addFinding(QMenu* menu) {
  TimelineView* const timeline = m_parts.timeline;
  m_actions->add(menu, "find", tr("&Find..."), tr("Find spans of the timeline by name, block, action or micro-batch"),
                 QKeySequence::Find, "search", [this] { m_parts.find->open(); });
  m_actions->add(menu, "findNext", tr("Find &Next"), tr("Go to the next span that was found"), QKeySequence("F3"), {},
                 [timeline] { timeline->findNext(); });
  m_actions->add(menu, "findPrevious", tr("Find &Previous"), tr("Go to the span that was found before this one"),
                 QKeySequence("Shift+F3"), {}, [timeline] { timeline->findPrevious(); });
  menu->addSeparator();
  m_actions->add(menu, "goToWaitedOn", tr("&Go to Dependency"),
                 tr("From the current span to the one whose result it uses ([ on the timeline)"), {}, {},
                 [timeline] { timeline->moves().followArrow(-1); });
  m_actions->add(menu, "goToWaiting", tr("Go to D&ependent"),
                 tr("From the current span to the one that uses its result (] on the timeline)"), {}, {},
                 [timeline] { timeline->moves().followArrow(+1); });
  m_actions->addToggle(menu, "criticalPath", tr("&Critical Path"),
                       tr("Draw the chain of actions, transfers and waits that the step time depends on"),
                       QKeySequence("Ctrl+Shift+C"), {},
                       [timeline](bool show) { timeline->setShowCriticalPath(show); });
}

void TimelineActions::addBookmarks(QMenu* menu) {
  m_actions->add(menu, "bookmark", tr("Add &Bookmark"), tr("Bookmark the selected range"), QKeySequence("Ctrl+B"),
                 "pin", [this] { m_parts.bookmarks->add(); });
  m_actions->add(menu, "bookmarks", tr("Book&marks..."), tr("Go to bookmarked ranges, rename, delete or export them"),
                 QKeySequence("Ctrl+Shift+B"), {}, [this] { m_parts.bookmarks->showDialog(); });
}

void TimelineActions::addComparing(QMenu* menu) {
  m_compare = ActionSet::addMenu(menu, {}, tr("Compare Timelines Wit&h"), "compareTimelinesMenu");
  connect(m_compare, &QMenu::aboutToShow, this, [this] { m_parts.comparison->fillMenu(m_compare); });
  m_actions->add(menu, "compareTimelinesWithRun", tr("Compare Timelines With Another &Run..."),
                 tr("Put another run's timeline on one axis with this one, step by step"), {}, {},
                 [this] { m_parts.comparison->chooseRun(); });
  m_actions->add(menu, "stopComparingTimelines", tr("St&op Comparing"), tr("Remove the second timeline"), {}, {},
                 [this] { m_parts.presenter->showMeasured(); });
  m_actions->addToggle(
      menu, "differences", tr("&Differences"),
      tr("Tint each action by how much slower or faster it was than in the other run, or than predicted"),
      QKeySequence("Ctrl+Shift+D"), {}, [this](bool show) { m_parts.timeline->setShowDifferences(show); });
}

void TimelineActions::update() {
  const TimelineView& timeline = *m_parts.timeline;
  const bool has_trace = timeline.trace() != nullptr;
  m_actions->setEnabled({"find", "goToWaitedOn", "goToWaiting"}, has_trace, tr("No timeline is shown."));
  m_actions->setEnabled({"findNext", "findPrevious"}, timeline.searchState().count > 0, tr("Find spans first."));
  m_actions->setEnabled({"clearSelection"}, timeline.selection().has_value(),
                        tr("Select a range first: drag in the timeline."));
  m_actions->setEnabled({"bookmark"}, m_parts.bookmarks->canAdd(), tr("Select a range of a run's timeline first."));
  const bool comparable = m_parts.comparison->isPossible();
  m_compare->setEnabled(comparable);
  look::setEnabled(*m_compare->menuAction(), comparable, tr("Show the timeline of a run first."));
  m_actions->setEnabled({"compareTimelinesWithRun"}, comparable, tr("Show the timeline of a run first."));
  m_actions->setEnabled({"stopComparingTimelines"}, std::holds_alternative<ComparedTraces>(m_parts.presenter->shown()),
                        tr("One timeline is shown."));
  m_actions->setEnabled({"differences"}, has_trace && timeline.hasDifferences(),
                        tr("Nothing to compare with: no prediction, and no other run with equal micro-batches."));
}

}  // namespace lanelab
