// SPDX-License-Identifier: GPL-3.0-only
#include <QApplication>
#include <QClipboard>
#include <array>
#include <utility>

#include "ui/timeline/view/timeline_commands.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {
namespace {

struct MenuEntry {
  QString text;
  bool enabled;
  void (*act)(TimelineView& view);
};

void addEntries(QMenu& menu, TimelineView& view, const std::vector<MenuEntry>& entries) {
  for (const MenuEntry& entry : entries)
    menu.addAction(entry.text, &view, [&view, act = entry.act] { act(view); })->setEnabled(entry.enabled);
}

void addLaneEntries(QMenu& menu, TimelineView& view, const TimelineContent& content) {
  const auto lane = view.currentLane();
  const bool any = lane.has_value();
  const RowArrangement& arrangement = view.arrangement();
  addEntries(menu, view,
             {{any && arrangement.isCollapsed(*lane) ? TimelineView::tr("&Expand Lane\tC")
                                                     : TimelineView::tr("&Collapse Lane\tC"),
               any, [](TimelineView& v) { v.moves().toggleCollapsed(); }}});
  if (lane && content.data()->replicaOf(*lane) >= 0)
    addEntries(menu, view, {{TimelineView::tr("Collapse or Expand &Replica\tShift+C"), true, [](TimelineView& v) {
                               v.moves().toggleReplica();
                             }}});
  addEntries(
      menu, view,
      {{any && arrangement.isPinned(*lane) ? TimelineView::tr("Un&pin Lane\tP") : TimelineView::tr("&Pin Lane\tP"), any,
        [](TimelineView& v) { v.moves().togglePinned(); }},
       {TimelineView::tr("Move Lane &Up\tCtrl+Up"), any, [](TimelineView& v) { v.moves().moveLane(-1); }},
       {TimelineView::tr("Move Lane &Down\tCtrl+Down"), any, [](TimelineView& v) { v.moves().moveLane(+1); }}});
}

/// What Alt and the arrows do; whatever is not possible says why in the status line.
void addChangeEntries(QMenu& menu, TimelineView& view, bool changes) {
  addEntries(menu, view,
             {{TimelineView::tr("&Shorten by 5 %\tAlt+Left"), changes,
               [](TimelineView& v) { v.pulling().scaleCurrent(kShorter, false); }},
              {TimelineView::tr("&Lengthen by 5 %\tAlt+Right"), changes,
               [](TimelineView& v) { v.pulling().scaleCurrent(kLonger, false); }},
              {TimelineView::tr("&Halve"), changes, [](TimelineView& v) { v.pulling().scaleCurrent(0.5, false); }},
              {TimelineView::tr("&Double"), changes, [](TimelineView& v) { v.pulling().scaleCurrent(2, false); }}});
  menu.addSeparator();
  addEntries(menu, view,
             {{TimelineView::tr("Sh&orten All of Its Kind by 5 %\tAlt+Shift+Left"), changes,
               [](TimelineView& v) { v.pulling().scaleCurrent(kShorter, true); }},
              {TimelineView::tr("L&engthen All of Its Kind by 5 %\tAlt+Shift+Right"), changes,
               [](TimelineView& v) { v.pulling().scaleCurrent(kLonger, true); }},
              {TimelineView::tr("H&alve All of Its Kind"), changes,
               [](TimelineView& v) { v.pulling().scaleCurrent(0.5, true); }}});
  menu.addSeparator();
  addEntries(
      menu, view,
      {{TimelineView::tr("Move Its Stage &Up\tAlt+Up"), changes, [](TimelineView& v) { v.pulling().moveCurrent(-1); }},
       {TimelineView::tr("Move Its Stage D&own\tAlt+Down"), changes,
        [](TimelineView& v) { v.pulling().moveCurrent(+1); }}});
  menu.addSeparator();
  addEntries(menu, view, {{TimelineView::tr("&Restore\tEsc"), view.changes().isPending(), [](TimelineView& v) {
                             v.changes().restore();
                           }}});
}

void addRowKinds(QMenu& menu, TimelineView& view) {
  const std::array<std::pair<RowKind, QString>, 10> kinds = {
      {{RowKind::Blocks, TimelineView::tr("&Blocks")},
       {RowKind::Operators, TimelineView::tr("&Operators")},
       {RowKind::Transfers, TimelineView::tr("&Transfers")},
       {RowKind::Exchange, TimelineView::tr("&Exchange of replicas")},
       {RowKind::HostThreads, TimelineView::tr("&Host threads")},
       {RowKind::Streams, TimelineView::tr("&Streams")},
       {RowKind::Counters, TimelineView::tr("Cou&nters")},
       {RowKind::Predicted, TimelineView::tr("Pred&icted actions")},
       {RowKind::Idle, TimelineView::tr("Idle ti&me")},
       {RowKind::Overview, TimelineView::tr("O&verview of the trace")}}};
  for (const auto& [kind, text] : kinds) {
    QAction* action = menu.addAction(text);
    action->setCheckable(true);
    action->setChecked(view.arrangement().shows(kind));
    QObject::connect(action, &QAction::toggled, &view, [&view, kind = kind](bool on) { view.showRows(kind, on); });
  }
}

}  // namespace

void fillRowsMenu(QMenu& menu, TimelineView& view, const TimelineContent& content) {
  addLaneEntries(menu, view, content);
  menu.addSeparator();
  addEntries(menu, view,
             {{TimelineView::tr("Collapse &All"), true, [](TimelineView& v) { v.moves().collapseAll(true); }},
              {TimelineView::tr("E&xpand All"), true, [](TimelineView& v) { v.moves().collapseAll(false); }},
              {TimelineView::tr("Reset Lane &Order"), view.arrangement().arrangesLanes(),
               [](TimelineView& v) { v.moves().resetLanes(); }}});
  menu.addSeparator();
  addRowKinds(menu, view);
}

void fillSpanMenu(QMenu& menu, TimelineView& view, const TimelineContent& content, const TimelineFocus& focus) {
  const bool selected = focus.selection().has_value(), on_gap = focus.currentGap().has_value();
  const bool current = focus.current().has_value() || on_gap;
  addEntries(menu, view,
             {{on_gap && !selected ? TimelineView::tr("&Zoom to Gap\tZ") : TimelineView::tr("&Zoom to Selection\tZ"),
               selected || current, [](TimelineView& v) { v.moves().zoomToFocus(); }},
              {TimelineView::tr("C&lear Selection\tEsc"), selected, [](TimelineView& v) { v.setSelection({}); }},
              {TimelineView::tr("Zoom &Back\tBackspace"), true, [](TimelineView& v) { v.previousZoom(); }},
              {TimelineView::tr("&Fit Everything\tHome"), true, [](TimelineView& v) { v.fit(); }}});
  menu.addSeparator();
  addEntries(
      menu, view,
      {{on_gap ? TimelineView::tr("Go to What It Waited &For\tEnter") : TimelineView::tr("Go to &Dependency\t["),
        current, [](TimelineView& v) { v.moves().followArrow(-1); }},
       {on_gap ? TimelineView::tr("Go to What Came Ne&xt\t]") : TimelineView::tr("Go to Depende&nt\t]"), current,
        [](TimelineView& v) { v.moves().followArrow(+1); }},
       {TimelineView::tr("Next &Gap\tG"), true, [](TimelineView& v) { v.moves().stepGap(+1); }},
       {TimelineView::tr("Pre&vious Gap\tShift+G"), true, [](TimelineView& v) { v.moves().stepGap(-1); }},
       {TimelineView::tr("Fi&nd...\t/"), true, [](TimelineView& v) { Q_EMIT v.findRequested(); }},
       {TimelineView::tr("Add &Bookmark\tCtrl+B"), selected, [](TimelineView& v) { Q_EMIT v.bookmarkRequested(); }}});
  menu.addSeparator();
  addChangeEntries(*menu.addMenu(TimelineView::tr("C&hange Length or Lane")), view, focus.current().has_value());
  menu.addSeparator();
  QAction* details = menu.addAction(TimelineView::tr("Show &Blocks"), &view, &TimelineView::setShowDetails);
  details->setCheckable(true);
  details->setChecked(view.showsDetails());
  fillRowsMenu(*menu.addMenu(TimelineView::tr("&Rows")), view, content);
  const QString sentence = focus.currentSentence();
  menu.addAction(on_gap ? TimelineView::tr("&Copy Gap Details") : TimelineView::tr("&Copy Span Details"),
                 [sentence] { QApplication::clipboard()->setText(sentence); })
      ->setEnabled(current);
}

}  // namespace lanelab
