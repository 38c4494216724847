// SPDX-License-Identifier: GPL-3.0-only
// A shown timeline whose spans are changed by a hand or by keys, and all of it that must come back.
#pragma once

#include <QSignalSpy>

#include "tests/gui/timeline/timeline_view_world.h"
#include "ui/timeline/change/change_strip.h"
#include "ui/timeline/change/change_texts.h"

namespace lanelab::testworld {

/// What a restored timeline has as before, to the nanosecond and the pixel.
struct SeenTimeline {
  std::shared_ptr<const Trace> trace;
  std::vector<std::vector<Span>> spans;
  TimeRange visible;
  std::optional<TimeRange> selection;
  RowArrangement rows;
  QImage picture;
  bool operator==(const SeenTimeline&) const = default;
};

class DragTest : public TimelineViewTest {
 protected:
  TimelineChanges& changes() { return view.changes(); }
  /// The answer to the newest change; within a limit.
  bool answered() {
    return QTest::qWaitFor([this] { return changes().isAnswered(); }, 20'000);
  }

  SeenTimeline seen() {
    SeenTimeline all{view.trace(),         {}, view.visibleRange(), view.selection(), view.arrangement(),
                     view.grab().toImage()};
    for (const Track& track : view.trace()->tracks) all.spans.push_back(track.spans.toVector());
    return all;
  }

  /// In pixels of the view, of an action of the first lane.
  QRect placeOf(std::size_t position) const { return placeOf(action(position), 0); }
  QRect placeOf(const Span& span, std::size_t row) const {
    const QPoint left = at(span.start, row), right = at(span.end, row);
    return QRect(left.x(), left.y(), right.x() - left.x(), 1);
  }
  /// The same with the changes that are shown.
  QRect placeNow(std::size_t position) {
    const auto& shown = changes().shown();
    const auto now = shown ? shown->timeline->now({0, position}) : std::nullopt;
    return now ? placeOf(shown->timeline->data().span(*now), 0) : placeOf(position);
  }
  void press(QPoint where, Qt::KeyboardModifiers held = Qt::AltModifier) {
    QTest::mousePress(&view, Qt::LeftButton, held, where);
  }
  void pull(QPoint where, Qt::KeyboardModifiers held = Qt::AltModifier) {
    QMouseEvent event(QEvent::MouseMove, QPointF(where), view.mapToGlobal(QPointF(where)), Qt::NoButton, Qt::LeftButton,
                      held);
    QApplication::sendEvent(&view, &event);
  }
  void release(QPoint where, Qt::KeyboardModifiers held = Qt::AltModifier) {
    QTest::mouseRelease(&view, Qt::LeftButton, held, where);
  }
  void hold(QPoint where, Qt::KeyboardModifiers held) {
    QMouseEvent event(QEvent::MouseMove, QPointF(where), view.mapToGlobal(QPointF(where)), Qt::NoButton, Qt::NoButton,
                      held);
    QApplication::sendEvent(&view, &event);
  }
  /// The factors of all changes of spans.
  std::vector<double> factors() {
    std::vector<double> found;
    for (const ScaledSpans& spans : changes().changes().spans) found.push_back(spans.factor);
    return found;
  }
};

}  // namespace lanelab::testworld
