// SPDX-License-Identifier: GPL-3.0-only
#include "ui/window/timeline_actions.h"

#include <QAction>
#include <QMenu>

#include "ui/timeline/view/find_strip.h"
#include "ui/timeline/view/timeline_view.h"
#include "ui/watch/timeline_bookmarks.h"
#include "ui/watch/timeline_comparison.h"
#include "ui/watch/timeline_presenter.h"
#include "ui/window/action_set.h"

namespace lanelab {

TimelineActions::TimelineActions(const Parts& parts, ActionSet* actions)
    : QObject(actions), m_parts(parts), m_actions(actions) {}

void TimelineActions::addNavigation(QMenu* view) {
  TimelineView* const timeline = m_parts.timeline;
  m_actions->add(view, "fit", tr("&Fit Timeline"), tr("Show all of the timeline"), QKeySequence("Ctrl+0"), "fit",
                 [timeline] { timeline->fit(); });
  m_actions->add(view, "zoomSelection", tr("&Zoom to Selection"), tr("Zoom the timeline to its selected range"),
                 QKeySequence("Ctrl+E"), "zoom-selection", [timeline] { timeline->zoomToSelection(); });
  m_actions->add(view, "previousZoom", tr("&Previous Zoom"), tr("Go back to the range shown before"),
                 QKeySequence("Ctrl+Backspace"), {}, [timeline] { timeline->previousZoom(); });
  m_actions->add(view, "nextStep", tr("&Next Step"), tr("Show the next step on the timeline"), QKeySequence("Ctrl+]"),
                 "next", [timeline] { timeline->nextStep(); });
  m_actions->add(view, "previousStep", tr("Pre&vious Step"), tr("Show the step before on the timeline"),
                 QKeySequence("Ctrl+["), "previous", [timeline] { timeline->previousStep(); });
  auto* details = m_actions->addToggle(
      view, "details", tr("Details &under Actions"), tr("Show blocks, operators and host threads as rows of their own"),
      QKeySequence("Ctrl+D"), "details", [timeline](bool show) { timeline->setShowDetails(show); });
  details->setChecked(timeline->showsDetails());
}

void TimelineActions::addMenu(QMenu* view) {
  auto* menu = ActionSet::addMenu(view, "timeline", tr("Time&line"), "timelineMenu");
  addFinding(menu);
  menu->addSeparator();
  addBookmarks(menu);
  menu->addSeparator();
  addComparing(menu);
  connect(m_parts.timeline, &TimelineView::findRequested, m_parts.find, &FindStrip::open);
  connect(m_parts.timeline, &TimelineView::searchChanged, this, &TimelineActions::update);
  connect(m_parts.timeline, &TimelineView::selectionChanged, this, &TimelineActions::update);
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
  m_actions->add(menu, "goToWaitedOn", tr("Go to What It &Waited On"),
                 tr("From the current span to the one whose result it took ([ on the timeline)"), {}, {},
                 [timeline] { timeline->goToWaitedOn(); });
  m_actions->add(menu, "goToWaiting", tr("Go to What Waited on &It"),
                 tr("From the current span to the one that took its result (] on the timeline)"), {}, {},
                 [timeline] { timeline->goToWaiting(); });
  m_actions->addToggle(menu, "criticalPath", tr("&Critical Path"),
                       tr("Draw the chain of actions, transfers and waits that the step's length hangs on"),
                       QKeySequence("Ctrl+Shift+C"), {},
                       [timeline](bool show) { timeline->setShowCriticalPath(show); });
}

void TimelineActions::addBookmarks(QMenu* menu) {
  m_actions->add(menu, "bookmark", tr("&Bookmark the Selection"), tr("Keep the selected range under a name"),
                 QKeySequence("Ctrl+B"), "pin", [this] { m_parts.bookmarks->add(); });
  m_actions->add(menu, "bookmarks", tr("Book&marks..."), tr("Go to kept ranges, rename, delete or export them"),
                 QKeySequence("Ctrl+Shift+B"), {}, [this] { m_parts.bookmarks->showDialog(); });
}

void TimelineActions::addComparing(QMenu* menu) {
  m_compare = menu->addMenu(tr("Compare Timelines Wit&h"));
  m_compare->setObjectName("compareTimelinesMenu");
  m_compare->setToolTipsVisible(true);
  connect(m_compare, &QMenu::aboutToShow, this, [this] { m_parts.comparison->fillMenu(m_compare); });
  m_actions->add(menu, "compareTimelinesWithRun", tr("Compare Timelines With Another &Run..."),
                 tr("Put another run's timeline on one axis with this one, step by step"), {}, {},
                 [this] { m_parts.comparison->chooseRun(); });
  m_actions->add(menu, "stopComparingTimelines", tr("&Only This Timeline Again"), tr("Take the second timeline away"),
                 {}, {}, [this] { m_parts.presenter->showMeasured(); });
  m_actions->addToggle(
      menu, "differences", tr("&Differences"),
      tr("Tint each action by how much slower or faster it was than in the other run, or than predicted"),
      QKeySequence("Ctrl+Shift+D"), {}, [this](bool show) { m_parts.timeline->setShowDifferences(show); });
}

void TimelineActions::update() {
  const TimelineView& timeline = *m_parts.timeline;
  const bool has_trace = timeline.trace() != nullptr;
  m_actions->setEnabled({"find", "goToWaitedOn", "goToWaiting"}, has_trace);
  m_actions->setEnabled({"findNext", "findPrevious"}, timeline.searchState().count > 0);
  m_actions->setEnabled({"bookmark"}, m_parts.bookmarks->canAdd());
  const bool comparable = m_parts.comparison->isPossible();
  m_compare->setEnabled(comparable);
  m_actions->setEnabled({"compareTimelinesWithRun"}, comparable);
  m_actions->setEnabled({"stopComparingTimelines"}, std::holds_alternative<ComparedTraces>(m_parts.presenter->shown()));
  m_actions->setEnabled({"differences"}, has_trace && timeline.hasDifferences());
}

}  // namespace lanelab
