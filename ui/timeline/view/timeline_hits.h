// SPDX-License-Identifier: GPL-3.0-only
// What of a timeline lies under a point, and what a tool tip or the status line says of it. Pure: built for one moment,
// valid until content or viewport change.
#pragma once

#include <QPointF>
#include <QString>
#include <optional>

#include "ui/timeline/layout/legend.h"
#include "ui/timeline/model/lane_gap.h"
#include "ui/timeline/view/timeline_viewport.h"

namespace lanelab {

class TimelineHits {
 public:
  TimelineHits(const TimelineContent& content, const TimelineViewport& viewport);

  /// Everything has its place here; empty without data.
  const TimelineLayout& layout() const { return m_layout; }
  /// The measured span, also where changes have moved it.
  std::optional<SpanRef> span(QPointF point) const;
  /// The gap of the row of actions that is there, while idle time is shown and nothing is changed.
  std::optional<LaneGap> gap(QPointF point) const;
  std::optional<int> lane(QPointF point) const;  ///< whose header or rows are there
  bool inHeaders(QPointF point) const { return m_data && m_layout.headers.contains(point); }
  /// The lane whose header is there.
  std::optional<int> header(QPointF point) const { return inHeaders(point) ? lane(point) : std::nullopt; }
  const ReplicaBand* replica(QPointF point) const;  ///< in the headers
  const TimelineBookmark* bookmark(QPointF point) const;
  /// The legend entry that is there, if it has a check box or is More.
  std::optional<LegendEntry> legendEntry(QPointF point) const;

  /// A tool tip: of a bookmark, else of what lies in the headers. Empty: none.
  QString tip(QPointF point) const;
  /// The value of the counter under the point, and what it is in sight; of a row of actions without any there, why.
  QString placeSentence(QPointF point) const;

 private:
  std::optional<int> laneOfActions(QPointF point) const;
  QString counterSentence(const CounterBox& box, QPointF point) const;
  QString replicaTip(const ReplicaBand& band) const;
  QString laneTip(const LaneBox& box, QPointF point) const;
  QString headerTip(QPointF point) const;

  const TimelineContent& m_content;
  const RowArrangement& m_arrangement;
  const TimelineData* m_data;  ///< null when there is nothing to hit
  TimeRange m_visible;
  TimelineLayout m_layout;
};

}  // namespace lanelab
