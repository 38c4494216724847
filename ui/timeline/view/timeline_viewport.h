// SPDX-License-Identifier: GPL-3.0-only
// Which part of a timeline's content is seen: times, rows, how far it is scrolled, and so where everything lies. Knows
// no widget: the area is asked for. GUI thread.
#pragma once

#include <QObject>
#include <algorithm>
#include <functional>

#include "ui/timeline/layout/layout.h"
#include "ui/timeline/layout/navigation.h"
#include "ui/timeline/view/timeline_content.h"

namespace lanelab {

class TimelineViewport : public QObject {
  Q_OBJECT

 public:
  /// `content` must outlive it. `area`: where lanes can be painted now, in logical pixels.
  TimelineViewport(const TimelineContent& content, std::function<QRectF()> area);

  QRectF area() const { return m_area(); }
  TimelineLayout layout() const { return layoutIn(area()); }
  TimelineLayout layoutIn(const QRectF& area) const;  ///< only if there is data
  TimeScale scale() const { return layout().scale(visible()); }
  TimeRange visible() const { return m_navigation.visible(); }
  TimeRange everything() const { return m_navigation.everything(); }
  double scroll() const { return m_scroll; }
  const RowArrangement& arrangement() const { return m_arrangement; }
  bool follows() const { return m_follows; }

  /// A change of the times by the user's hand: following ends.
  void navigate(const std::function<void(Navigation&)>& change);
  void previousZoom();
  /// Stays at the newest step as the trace grows.
  void setFollow(bool follow);
  /// How long the first step of what is followed will take; 0 where that is not known.
  void setExpectedStep(Nanoseconds length) { m_expected_step = length; }
  void scrollTo(double offset);
  /// After the layout changed; reports nothing.
  void limitScroll(double most) { m_scroll = std::clamp(m_scroll, 0.0, most); }
  void arrange(RowArrangement next);
  void rearrange(const std::function<void(RowArrangement&)>& change);
  /// The content's trace was replaced.
  void setTrace(const TraceChange& change);
  /// With room to read it: its kind of row is shown and scrolled to, the time panned, and zoomed where the span would
  /// be a speck or more than the view.
  void reveal(SpanRef ref);
  void reveal(std::size_t row, TimeRange range);

 Q_SIGNALS:
  void moved();     ///< other times are seen
  void scrolled();  ///< rows lie elsewhere
  void arrangementChanged();

 private:
  void followNewest();
  void scrollToRow(std::size_t row);

  const TimelineContent& m_content;
  std::function<QRectF()> m_area;
  Navigation m_navigation;
  RowArrangement m_arrangement;
  double m_scroll = 0;
  bool m_follows = false;
  Nanoseconds m_expected_step = 0;
};

}  // namespace lanelab
