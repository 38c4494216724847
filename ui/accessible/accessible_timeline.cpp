// SPDX-License-Identifier: GPL-3.0-only
#include "ui/accessible/accessible_timeline.h"

#include <algorithm>
#include <set>
#include <utility>

#include "ui/timeline/view/timeline_hits.h"

namespace lanelab {
namespace {

const QString kSelectPart = QStringLiteral("select");
const QString kZoomToPart = QStringLiteral("zoom");

class TimelineLane : public AccessiblePart {
 public:
  TimelineLane(const AccessibleTimeline& owner, int lane)
      : AccessiblePart(owner.timeline()), m_owner(owner), m_lane(lane) {}

  int lane() const { return m_lane; }
  QAccessible::Role role() const override { return QAccessible::List; }
  QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(&m_owner.timeline()); }
  int childCount() const override { return exists() ? static_cast<int>(parts().size()) : 0; }
  QAccessibleInterface* child(int index) const override {
    const bool has = index >= 0 && index < childCount();
    return has ? m_owner.part(parts()[static_cast<std::size_t>(index)]) : nullptr;
  }
  int indexOfChild(const QAccessibleInterface* child) const override;
  QAccessible::State state() const override;

 protected:
  bool exists() const override { return m_owner.listed(m_lane) && m_owner.layout().boxOfLane(m_lane); }
  QString name() const override { return nameOf(*m_owner.data(), box()); }
  QString description() const override { return descriptionOf(*m_owner.listed(m_lane)); }
  QRect area() const override {
    const TimelineLayout& layout = m_owner.layout();
    return (box().rect & layout.body.united(layout.headers)).toAlignedRect();
  }

 private:
  const std::vector<TimelinePart>& parts() const { return m_owner.listed(m_lane)->parts; }
  const LaneBox& box() const { return *m_owner.layout().boxOfLane(m_lane); }

  const AccessibleTimeline& m_owner;
  int m_lane;
};

/// A span or a gap.
class TimelineItem : public AccessiblePart {
  Q_DECLARE_TR_FUNCTIONS(AccessibleTimeline)

 public:
  TimelineItem(const AccessibleTimeline& owner, TimelinePart part)
      : AccessiblePart(owner.timeline()), m_owner(owner), m_part(std::move(part)) {}

  const TimelinePart& part() const { return m_part; }
  QAccessibleInterface* parent() const override { return exists() ? m_owner.lane(lane()) : nullptr; }
  QAccessible::State state() const override;
  QStringList actionNames() const override { return {kSelectPart, kZoomToPart}; }
  QString localizedActionName(const QString& action) const override {
    return action == kSelectPart ? tr("Select") : action == kZoomToPart ? tr("Zoom") : QString();
  }
  void doAction(const QString& action) override;

 protected:
  bool exists() const override { return m_owner.data() && again(*m_owner.data(), m_part); }
  QString name() const override { return nameOf(*m_owner.data(), now()); }
  QString description() const override { return descriptionOf(*m_owner.data(), now()); }
  QRect area() const override;

 private:
  TimelinePart now() const { return *again(*m_owner.data(), m_part); }
  int lane() const { return m_owner.data()->rows()[rowOf(m_part)].lane; }

  const AccessibleTimeline& m_owner;
  TimelinePart m_part;
};

int TimelineLane::indexOfChild(const QAccessibleInterface* child) const {
  const auto* const item = dynamic_cast<const TimelineItem*>(child);
  return item && item->isValid() && exists() ? placeIn(*m_owner.data(), *m_owner.listed(m_lane), item->part()) : -1;
}

QAccessible::State TimelineLane::state() const {
  QAccessible::State state;
  if (!exists()) return state;
  state.selectable = state.focusable = state.expandable = true;
  state.collapsed = box().collapsed;
  state.expanded = !box().collapsed;
  state.selected = m_owner.timeline().currentLane() == m_lane;
  state.focused = state.selected && m_owner.timeline().hasFocus() && !m_owner.current();
  state.offscreen = area().isEmpty();
  return state;
}

QAccessible::State TimelineItem::state() const {
  QAccessible::State state;
  if (!exists()) return state;
  const std::optional<TimelinePart> current = m_owner.current();
  state.selectable = state.focusable = true;
  state.selected = current && keyOf(*current) == keyOf(m_part);
  state.focused = state.selected && m_owner.timeline().hasFocus();
  state.offscreen = area().isEmpty();
  return state;
}

QRect TimelineItem::area() const {
  const TimelineLayout& layout = m_owner.layout();
  const RowBox* const box = layout.boxOf(rowOf(m_part));
  const TimeScale scale = layout.scale(m_owner.timeline().visibleRange());
  const TimeRange seen = intersection(rangeOf(*m_owner.data(), now()), scale.range);
  if (!box || seen.empty()) return {};
  const QRectF rect(scale.x(seen.start), box->rect.top(), scale.x(seen.end) - scale.x(seen.start), box->rect.height());
  return (rect & layout.sightOf(*box)).toAlignedRect();
}

void TimelineItem::doAction(const QString& action) {
  if (!exists() || !actionNames().contains(action)) return;
  TimelineMoves& moves = m_owner.timeline().moves();
  std::visit(
      [&](const auto& part) {
        moves.goTo(part);
        if (action == kZoomToPart) moves.zoomTo(part);
      },
      now());
}

}  // namespace

AccessibleTimeline::AccessibleTimeline(TimelineView& timeline) : AccessibleView(timeline), m_timeline(timeline) {
  QObject::connect(&timeline, &TimelineView::currentChanged, context(), [this] { announceCurrent(); });
  QObject::connect(&timeline.focus(), &TimelineFocus::described, context(), [this] { announceCurrent(); });
}

const TimelineData* AccessibleTimeline::data() const {
  return m_timeline.content().empty() ? nullptr : m_timeline.content().data().get();
}

bool AccessibleTimeline::Seen::sameAs(const Seen& other) const {
  return data.lock() == other.data.lock() && visible == other.visible && arrangement == other.arrangement &&
         area == other.area && scroll == other.scroll && current == other.current && current_gap == other.current_gap;
}

AccessibleTimeline::Seen AccessibleTimeline::seen() const {
  const TimelineViewport& viewport = m_timeline.viewport();
  return {m_timeline.content().data(), viewport.visible(),           viewport.arrangement(),         viewport.area(),
          viewport.scroll(),           m_timeline.focus().current(), m_timeline.focus().currentGap()};
}

/// A trace that has gone has an empty pointer, as has none: both are without lanes.
void AccessibleTimeline::renew() const {
  Seen now = seen();
  if (m_seen && m_seen->sameAs(now)) return;
  m_seen = std::move(now);
  m_layout = {};
  m_lanes.clear();
  if (!data()) return;
  m_layout = m_timeline.viewport().layout();
  m_lanes = listParts(*data(), m_layout, m_layout.scale(m_timeline.visibleRange()), m_timeline.focus().current());
  dropUnlistedSoon();
}

/// Not at once: what asks may be a part that is no longer listed.
void AccessibleTimeline::dropUnlistedSoon() const {
  if (std::exchange(m_drops_soon, true)) return;
  QMetaObject::invokeMethod(
      context(), [this] { dropUnlisted(); }, Qt::QueuedConnection);
}

void AccessibleTimeline::dropUnlisted() const {
  m_drops_soon = false;
  std::set<PartKey> listed;
  for (const ListedLane& lane : m_lanes)
    for (const TimelinePart& part : lane.parts) listed.insert(keyOf(part));
  if (const auto now = current()) listed.insert(keyOf(*now));
  m_parts.keepOnly([&](const PartKey& key) { return listed.contains(key); });
}

const std::vector<ListedLane>& AccessibleTimeline::lanes() const {
  renew();
  return m_lanes;
}

const TimelineLayout& AccessibleTimeline::layout() const {
  renew();
  return m_layout;
}

const ListedLane* AccessibleTimeline::listed(int lane) const {
  const auto found = std::ranges::find(lanes(), lane, &ListedLane::lane);
  return found == m_lanes.end() ? nullptr : &*found;
}

QAccessibleInterface* AccessibleTimeline::lane(int lane) const {
  return listed(lane) ? m_lane_parts.get(lane, [&] { return new TimelineLane(*this, lane); }) : nullptr;
}

QAccessibleInterface* AccessibleTimeline::part(const TimelinePart& part) const {
  return m_parts.get(keyOf(part), [&] { return new TimelineItem(*this, part); });
}

std::optional<TimelinePart> AccessibleTimeline::current() const {
  const TimelineFocus& focus = m_timeline.focus();
  if (!data()) return std::nullopt;
  if (focus.current()) return *focus.current();
  return focus.currentGap() ? std::optional<TimelinePart>(*focus.currentGap()) : std::nullopt;
}

int AccessibleTimeline::placeOf(const QAccessibleInterface& part) const {
  const auto* const lane = dynamic_cast<const TimelineLane*>(&part);
  if (!lane) return -1;
  const auto found = std::ranges::find(lanes(), lane->lane(), &ListedLane::lane);
  return found == m_lanes.end() ? -1 : static_cast<int>(found - m_lanes.begin());
}

QAccessibleInterface* AccessibleTimeline::partAt(QPoint point) const {
  if (!data()) return nullptr;
  const TimelineHits hits(m_timeline.content(), m_timeline.viewport());
  if (const auto span = hits.span(point)) return part(*span);
  if (const auto gap = hits.gap(point)) return part(*gap);
  const auto hit = hits.lane(point);
  return hit ? lane(*hit) : nullptr;
}

QAccessibleInterface* AccessibleTimeline::currentPart() const {
  if (const auto now = current()) return part(*now);
  const auto chosen = m_timeline.currentLane();
  return chosen ? lane(*chosen) : nullptr;
}

}  // namespace lanelab
