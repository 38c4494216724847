// SPDX-License-Identifier: GPL-3.0-only
// What mouse and keys with Alt do to the actions and transfers of a measured timeline: pull an edge, drag a stage to
// another lane; with Shift all of the span's kind. Whatever is not possible says why. GUI thread.
#pragma once

#include <QPointF>
#include <QStringList>
#include <optional>

#include "ui/timeline/change/timeline_changes.h"
#include "ui/timeline/view/timeline_hits.h"

class QWidget;

namespace lanelab {

class TimelineFocus;

/// What a key makes of a length; the one takes the other back.
inline constexpr double kLonger = 1.05, kShorter = 1 / kLonger;

class SpanPulling {
 public:
  /// `view` shows the cursor and is repainted while a span is pulled. All must outlive it.
  SpanPulling(QWidget& view, const TimelineContent& content, const TimelineViewport& viewport, TimelineFocus& focus,
              TimelineChanges& changes);

  /// False without Alt, or without a span there: the press has another meaning then.
  bool press(const TimelineHits& hits, QPointF point, Qt::KeyboardModifiers held);
  bool isPulling() const { return m_pull.has_value(); }
  void pull(const TimelineHits& hits, QPointF point, Qt::KeyboardModifiers held);
  void release();
  bool cancel();  ///< the pull in progress; false if there is none
  /// With Alt and no button: the cursor, and in the status line what would be pulled.
  void hover(const TimelineHits& hits, QPointF point, Qt::KeyboardModifiers held);

  /// Of the current span, or of all of its kind.
  void scaleCurrent(double factor, bool all);
  /// Its stage to the next lane that is drawn above (-1) or below (+1).
  void moveCurrent(int direction);

  /// The card beside the pointer while a span is pulled; empty: none.
  QStringList card() const;

 private:
  enum class Handle { Start, End, Body };
  struct Pull {
    SpanRef span;
    Handle handle = Handle::Body;
    TimeRange range;  ///< where it was when it was pressed, with the changes of then
    QPointF pressed_at;
    QString why_not;  ///< of what the hand does now
    bool changes = false;
  };

  TimeRange shownRange(SpanRef ref) const;
  Handle handleAt(SpanRef ref, QPointF point) const;
  void pullEdge(QPointF point, bool all);
  void pullBody(const TimelineHits& hits, QPointF point);
  void refuse(const QString& why_not);
  std::optional<int> laneBeside(int lane, int direction) const;
  void endHover();

  QWidget& m_view;
  const TimelineContent& m_content;
  const TimelineViewport& m_viewport;
  TimelineFocus& m_focus;
  TimelineChanges& m_changes;
  std::optional<Pull> m_pull;
  bool m_hovering = false;  ///< the cursor and the status line are this one's
};

}  // namespace lanelab
