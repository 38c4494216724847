// SPDX-License-Identifier: GPL-3.0-only
// A shown timeline with what a person's hand does to it, and where its rows lie.
#pragma once

#include <gtest/gtest.h>

#include <QApplication>
#include <QTest>
#include <QWheelEvent>
#include <cmath>

#include "tests/gui/timeline/timeline_world.h"
#include "ui/timeline/layout/layout.h"
#include "ui/timeline/model/timeline_data.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab::testworld {

/// Rows of the first lane: compute, blocks (hidden at first), transfers.
inline constexpr std::size_t kSecondLane = 3;

/// A shown view with a pipeline of two lanes and three steps, and where its rows lie.
class TimelineViewTest : public ::testing::Test {
 protected:
  void SetUp() override { give(pipelineTrace()); }

  void give(std::shared_ptr<const Trace> trace) {
    view.resize(1000, 300);
    view.setTrace(std::move(trace));
    view.show();
    view.setFocus();
    QApplication::processEvents();
  }

  TimelineLayout layout() const { return view.viewport().layout(); }
  QPoint at(Nanoseconds time, std::size_t row) const {
    const TimelineLayout placed = layout();
    return QPoint(static_cast<int>(std::lround(placed.scale(view.visibleRange()).x(time))),
                  static_cast<int>(placed.boxOf(row)->rect.center().y()));
  }
  QPoint middleOf(const Span& span, std::size_t row) const { return at(span.start + span.range().length() / 2, row); }
  Span action(std::size_t position) const { return view.trace()->tracks[1].spans[position]; }

  void wheel(QPoint where, int delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event(QPointF(where), view.mapToGlobal(QPointF(where)), QPoint(), QPoint(0, delta), Qt::NoButton,
                      modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&view, &event);
  }
  /// Two fingers on a touchpad.
  void swipe(QPoint where, QPoint pixels) {
    QWheelEvent event(QPointF(where), view.mapToGlobal(QPointF(where)), pixels, pixels * 8, Qt::NoButton,
                      Qt::NoModifier, Qt::ScrollUpdate, false);
    QApplication::sendEvent(&view, &event);
  }
  void move(QPoint where, Qt::MouseButtons buttons = Qt::NoButton) {
    QMouseEvent event(QEvent::MouseMove, QPointF(where), view.mapToGlobal(QPointF(where)), Qt::NoButton, buttons,
                      Qt::NoModifier);
    QApplication::sendEvent(&view, &event);
  }
  void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton) {
    QTest::mousePress(&view, button, Qt::NoModifier, from);
    move((from + to) / 2, button);
    move(to, button);
    QTest::mouseRelease(&view, button, Qt::NoModifier, to);
  }
  int pixelsOf(const QColor& color) {
    const QImage image = view.grab().toImage();
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
      for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == color.rgb();
    }
    return count;
  }

  TimelineView view;
};

}  // namespace lanelab::testworld
