// SPDX-License-Identifier: GPL-3.0-only
#include "ui/accessible/accessibility.h"

#include "ui/accessible/accessible_board.h"
#include "ui/accessible/accessible_timeline.h"
#include "ui/charts/chart_canvas.h"
#include "ui/export/picture_view.h"

namespace lanelab {
namespace {

/// Null leaves the object to Qt. Qt asks by each class of the object in turn; its type says more.
QAccessibleInterface* makeInterface(const QString&, QObject* object) {
  if (auto* const board = dynamic_cast<BoardView*>(object)) return new AccessibleBoard(*board);
  if (auto* const timeline = dynamic_cast<TimelineView*>(object)) return new AccessibleTimeline(*timeline);
  if (auto* const chart = dynamic_cast<ChartCanvas*>(object)) return new QAccessibleWidget(chart, QAccessible::Chart);
  if (auto* const picture = dynamic_cast<PictureView*>(object))
    return new QAccessibleWidget(picture, QAccessible::Chart);
  return nullptr;
}

}  // namespace

void installAccessibility() { QAccessible::installFactory(makeInterface); }

}  // namespace lanelab
