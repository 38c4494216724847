// SPDX-License-Identifier: GPL-3.0-only
// The timeline for screen readers: a list of lanes, each a list of its spans and gaps in sight (timeline_parts.h). A
// span or gap can be selected and zoomed to by its actions. Announces the span, gap or lane that keys move to. Thread:
// GUI.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ui/accessible/accessible_part.h"
#include "ui/accessible/accessible_view.h"
#include "ui/accessible/timeline_parts.h"
#include "ui/timeline/view/timeline_view.h"

namespace lanelab {

class AccessibleTimeline : public AccessibleView {
 public:
  explicit AccessibleTimeline(TimelineView& timeline);

  TimelineView& timeline() const { return m_timeline; }
  /// Null without a trace.
  const TimelineData* data() const;
  /// As it is now; worked out when something has changed since it was last asked for.
  const std::vector<ListedLane>& lanes() const;
  const TimelineLayout& layout() const;  ///< of lanes()
  /// Null for a lane that is not shown.
  const ListedLane* listed(int lane) const;
  QAccessibleInterface* lane(int lane) const;
  QAccessibleInterface* part(const TimelinePart& part) const;
  /// That keys have moved to; nothing without one.
  std::optional<TimelinePart> current() const;

 protected:
  int laneCount() const override { return static_cast<int>(lanes().size()); }
  QAccessibleInterface* laneInPlace(int place) const override {
    return lane(lanes()[static_cast<std::size_t>(place)].lane);
  }
  int placeOf(const QAccessibleInterface& part) const override;
  QAccessibleInterface* partAt(QPoint point) const override;
  QAccessibleInterface* currentPart() const override;

 private:
  /// What the lists were made for.
  struct Seen {
    std::weak_ptr<const TimelineData> data;
    TimeRange visible;
    RowArrangement arrangement;
    QRectF area;
    double scroll = 0;
    std::optional<SpanRef> current;
    std::optional<LaneGap> current_gap;
    bool sameAs(const Seen& other) const;
  };
  Seen seen() const;
  void renew() const;
  void dropUnlistedSoon() const;
  void dropUnlisted() const;

  TimelineView& m_timeline;
  mutable std::optional<Seen> m_seen;
  mutable bool m_drops_soon = false;
  mutable TimelineLayout m_layout;
  mutable std::vector<ListedLane> m_lanes;
  mutable PartCache<int> m_lane_parts;
  mutable PartCache<PartKey> m_parts;
};

}  // namespace lanelab
