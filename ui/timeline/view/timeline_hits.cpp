// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/timeline_hits.h"

#include <QStringList>
#include <cmath>

#include "ui/help/glossary.h"
#include "ui/timeline/layout/gap_details.h"
#include "ui/timeline/model/timeline_texts.h"
#include "ui/timeline/paint/layers.h"

namespace lanelab {
namespace {

constexpr double kHitTolerance = 2;  // pixels

/// What it means, if it is a term, and how to show or hide it.
QString legendTip(const LegendEntry& entry) {
  const QString text = entry.shown ? TimelineTexts::tr("Hide this: click, or press %1")
                                   : TimelineTexts::tr("Show this: click, or press %1");
  QStringList lines{termTip(entry.text), text.arg(entry.number)};
  lines.removeAll(QString());
  return lines.join('\n');
}

}  // namespace

TimelineHits::TimelineHits(const TimelineContent& content, const TimelineViewport& viewport)
    : m_content(content),
      m_arrangement(viewport.arrangement()),
      m_data(content.empty() ? nullptr : content.data().get()),
      m_visible(viewport.visible()) {
  if (m_data) m_layout = viewport.layout();
}

std::optional<SpanRef> TimelineHits::span(QPointF point) const {
  const auto row = m_layout.rowAt(point.y());
  if (!m_data || !row || point.x() < m_layout.body.left() || point.x() >= m_layout.body.right()) return {};
  const TimeScale scale = m_layout.scale(m_visible);
  const Nanoseconds time = scale.time(point.x()), tolerance = std::llround(scale.nanosecondsPerPixel() * kHitTolerance);
  if (const ChangedTimeline* const changed = m_content.changed()) return changed->measuredAt(*row, time, tolerance);
  return m_data->spanAt(*row, time, tolerance);
}

std::optional<int> TimelineHits::lane(QPointF point) const {
  const LaneBox* box = m_layout.laneAt(point.y());
  return box && box->lane >= 0 ? std::optional(box->lane) : std::nullopt;
}

const ReplicaBand* TimelineHits::replica(QPointF point) const {
  return inHeaders(point) ? m_layout.bandAt(point.y()) : nullptr;
}

const TimelineBookmark* TimelineHits::bookmark(QPointF point) const {
  if (!m_data) return nullptr;
  return bookmarkAt({*m_data, m_layout, m_layout.scale(m_visible), look::current()}, point, m_content.bookmarks());
}

std::optional<LegendEntry> TimelineHits::legendEntry(QPointF point) const {
  if (!m_data || !m_layout.legend.contains(point) || m_content.tintsDifferences()) return {};
  for (const LegendEntry& entry : placedLegend(legendEntries(*m_data, m_arrangement), m_layout))
    if ((entry.rows || entry.item == LegendItem::More) && entry.rect.contains(point)) return entry;
  return {};
}

QString TimelineHits::tip(QPointF point) const {
  const auto entry = legendEntry(point);
  if (entry && entry->item == LegendItem::More) return TimelineTexts::tr("List the rows that can be shown or hidden");
  if (entry) return legendTip(*entry);
  const TimelineBookmark* const marked = bookmark(point);
  return marked ? marked->name : headerTip(point);
}

QString TimelineHits::replicaTip(const ReplicaBand& band) const {
  QStringList lanes;
  for (const int lane : band.lanes) lanes << m_data->laneName(lane);
  const QString name =
      TimelineTexts::tr("%1 of the model on %2").arg(replicaName(band.replica), lanes.join(QStringLiteral(", ")));
  return name + (band.collapsed ? TimelineTexts::tr(". Click to expand its lanes (Shift+C)")
                                : TimelineTexts::tr(". Click to collapse its lanes (Shift+C)"));
}

QString TimelineHits::laneTip(const LaneBox& box, QPointF point) const {
  if (triangleOf(box).contains(point))
    return box.collapsed ? TimelineTexts::tr("Expand the lane (C)") : TimelineTexts::tr("Collapse the lane (C)");
  if (pinOf(box).contains(point))
    return box.pinned ? TimelineTexts::tr("Unpin the lane (P)") : TimelineTexts::tr("Pin the lane to the top (P)");
  if (!box.title.contains(point)) return {};
  const QString lane = m_data->laneName(box.lane), device = m_data->laneDevice(box.lane);
  const QString name = device.isEmpty() ? lane : TimelineTexts::tr("%1 (%2)").arg(lane, device);
  return TimelineTexts::tr("%1. Drag it to another place (Ctrl+Up, Ctrl+Down)").arg(name);
}

QString TimelineHits::headerTip(QPointF point) const {
  if (!inHeaders(point)) return {};
  if (const ReplicaBand* const band = replica(point)) return replicaTip(*band);
  if (const auto hit = lane(point)) {
    const QString of_lane = laneTip(*m_layout.boxOfLane(*hit), point);
    if (!of_lane.isEmpty()) return of_lane;
  }
  if (const CounterBox* box = m_layout.counterAt(point.y())) return m_data->counters()[box->counter].explanation();
  const auto row = m_layout.rowAt(point.y());
  return row ? m_data->rowName(*row) : QString();
}

std::optional<int> TimelineHits::laneOfActions(QPointF point) const {
  const auto index = m_layout.rowAt(point.y());
  if (!m_data || !index || point.x() < m_layout.body.left() || point.x() >= m_layout.body.right()) return {};
  const Row& row = m_data->rows()[*index];
  return row.kind == Track::Kind::Compute && row.depth == 0 ? std::optional(row.lane) : std::nullopt;
}

std::optional<LaneGap> TimelineHits::gap(QPointF point) const {
  const auto lane = m_layout.shows_idle && !m_content.changed() ? laneOfActions(point) : std::nullopt;
  return lane ? gapAt(*m_data, *lane, m_layout.scale(m_visible).time(point.x())) : std::nullopt;
}

QString TimelineHits::placeSentence(QPointF point) const {
  if (m_content.changed()) return {};
  if (const auto lane = laneOfActions(point))
    return emptyPlaceText(*m_data, *lane, m_layout.scale(m_visible).time(point.x()));
  const CounterBox* const box = m_layout.counterAt(point.y());
  return box && m_layout.body.contains(point) ? counterSentence(*box, point) : QString();
}

QString TimelineHits::counterSentence(const CounterBox& box, QPointF point) const {
  const CounterRow& counter = m_data->counters()[box.counter];
  const auto value = counter.at(m_layout.scale(m_visible).time(point.x()));
  const auto seen = counter.within(m_visible);
  if (!value || !seen) return {};
  const QString name = counter.lane() < 0
                           ? counter.name()
                           : TimelineTexts::tr("%1 of %2").arg(counter.name(), m_data->laneName(counter.lane()));
  return TimelineTexts::tr("%1: %2  ·  in sight %3 to %4")
      .arg(name, counter.text(*value), counter.text(seen->least), counter.text(seen->greatest));
}

}  // namespace lanelab
