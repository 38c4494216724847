// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/timeline_canvas.h"

#include <QPicture>
#include <utility>

#include "ui/timeline/layout/changed_layout.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {

TimelineCanvas::TimelineCanvas(const TimelineContent& content, const TimelineViewport& viewport,
                               const TimelineFocus& focus)
    : m_content(content), m_viewport(viewport), m_focus(focus), m_labels(look::smallFont()) {}

void TimelineCanvas::invalidate() {
  m_lanes_valid = false;
  m_headers_key.reset();
}

void TimelineCanvas::changeFont() {
  m_labels = LabelCache(look::smallFont());
  invalidate();
}

TimelineScene TimelineCanvas::sceneOf(const TimelineLayout& shown) const {
  const ChangedTimeline* const changed = m_content.changed();
  return {changed ? changed->data() : *m_content.data(), shown, shown.scale(m_viewport.visible()), look::current()};
}

TimelineLayout TimelineCanvas::shownLayout(const TimelineLayout& placed) const {
  return m_content.changed() ? changedLayout(placed, *m_content.changed()) : placed;
}

/// Gaps and what a change has no place for are not marked; what there is to say of a selected span, the changes say.
TimelineMarks TimelineCanvas::shownMarks(TimelineMarks marks) const {
  const ChangedTimeline* const changed = m_content.changed();
  if (!changed) return marks;
  const auto now = [changed](const std::optional<SpanRef>& ref) { return ref ? changed->now(*ref) : std::nullopt; };
  marks.hovered = now(marks.hovered);
  marks.current = now(marks.current);
  marks.hovered_gap.reset();
  marks.current_gap.reset();
  marks.facts = false;
  std::vector<Arrow> arrows;
  for (const Arrow& arrow : marks.arrows)
    if (const auto from = changed->now(arrow.from), to = changed->now(arrow.to); from && to)
      arrows.push_back({*from, *to});
  marks.arrows = std::move(arrows);
  return marks;
}

void TimelineCanvas::paint(QPainter& painter, const QRect& dirty, QSize size, qreal ratio, const Extras& extras) {
  if (!m_lanes_valid || m_lanes.devicePixelRatioF() != ratio) renewLanes(size, ratio, extras.found);
  painter.drawImage(QRectF(dirty), m_lanes, QRectF(QPointF(dirty.topLeft()) * ratio, QSizeF(dirty.size()) * ratio));
  const TimelineLayout& placed = extras.placed;
  if (QRectF(dirty).intersects(placed.headers)) {
    renewHeaders(placed, extras.headers);
    painter.drawImage(placed.headers.topLeft(), m_headers);
  }
  painter.setClipRect(placed.area);
  if (const auto drop = extras.headers.drop_line)
    painter.fillRect(QRectF(placed.body.left(), *drop - 1, placed.body.width(), 2), look::current().accent);
  const TimelineLayout shown = shownLayout(placed);
  TimelineMarks marks = shownMarks(m_focus.marks());
  marks.boxes = marks.boxes && extras.boxes;
  paintMarks(painter, sceneOf(shown), marks);
  painter.setClipping(false);
  m_painted_marks = coveredByMarks();
}

void TimelineCanvas::renewLanes(QSize size, qreal ratio, const FoundSpans* found) {
  const QSize pixels = (QSizeF(size) * ratio).toSize();
  if (m_lanes.size() != pixels) m_lanes = QImage(pixels, QImage::Format_RGB32);
  m_lanes.setDevicePixelRatio(ratio);
  m_raster.clear(m_lanes, look::current().surface.rgb());
  const TimelineLayout placed = m_viewport.layout(), shown = shownLayout(placed);
  for (const TimelineLayout& part : placed.parts()) paintPart(part, placed.pinned_height > 0, found);
  QPainter painter(&m_lanes);
  paintAround(painter, sceneOf(shown));
  m_lanes_valid = true;
}

/// Rows by pixels where a pixel of the picture is one of the screen. What is pinned covers what scrolls below it.
void TimelineCanvas::paintPart(const TimelineLayout& placed, bool covers, const FoundSpans* found) {
  const TimelineLayout shown = shownLayout(placed);
  const TimelineScene part = sceneOf(shown);
  const QRectF& body = part.layout.body;
  const QRectF clip(part.layout.area.left(), body.top(), part.layout.area.width(), body.height() + 1);
  const bool plain = m_lanes.devicePixelRatio() == 1;
  if (plain) {
    if (covers) QPainter(&m_lanes).fillRect(clip.adjusted(0, 0, 0, -1), part.palette.surface);
    paintLanes(m_lanes, clip.toRect(), part, m_raster, m_labels);
  }
  QPainter painter(&m_lanes);
  painter.setClipRect(clip);
  if (!plain) {
    if (covers) painter.fillRect(clip.adjusted(0, 0, 0, -1), part.palette.surface);
    paintLanes(painter, part);
  }
  paintOverRows(painter, part, m_content.changed() ? nullptr : found);
  paintMeasured(painter, placed, part);
}

/// What was measured, as outlines, where changes are shown.
void TimelineCanvas::paintMeasured(QPainter& painter, const TimelineLayout& placed, const TimelineScene& part) const {
  const ChangedTimeline* const changed = m_content.changed();
  if (!changed) return;
  const TimelineScene measured{*m_content.data(), placed, part.scale, part.palette};
  paintChanges(painter, measured, part, *changed);
}

void TimelineCanvas::paintOverRows(QPainter& painter, const TimelineScene& part, const FoundSpans* found) const {
  paintPredicted(painter, part);
  paintCounters(painter, part);
  paintRunEnds(painter, part);
  if (m_content.tintsDifferences() && !m_content.changed()) paintDifferences(painter, part);
  paintCriticalPaths(painter, part, m_content.paths());
  if (found) paintMatches(painter, part, *found);
}

void TimelineCanvas::paintAround(QPainter& painter, const TimelineScene& scene) const {
  const TimelineLayout& placed = scene.layout;
  if (placed.pinned_height > 0)
    painter.fillRect(QRectF(placed.area.left(), placed.body.top() + placed.pinned_height - 1, placed.area.width(), 1),
                     scene.palette.muted_text);
  if (placed.content_height > placed.body.height() + 0.5)  // lanes are cut there because there are more
    painter.fillRect(QRectF(placed.area.left(), placed.legend.top(), placed.area.width(), 1), scene.palette.muted_text);
  const double below = placed.body.top() + placed.content_height;  // the canvas ends with the last lane
  if (below < placed.legend.top())
    painter.fillRect(QRectF(placed.area.left(), below, placed.area.width(), placed.legend.top() - below),
                     scene.palette.window);
  paintFrame(painter, scene, placedLegend(legendEntries(*m_content.data(), m_viewport.arrangement()), placed));
  if (m_content.tintsDifferences() && !m_content.changed()) paintDifferenceLegend(painter, scene);
  paintBookmarks(painter, scene, m_content.bookmarks());
}

/// Over a copy of the lanes' picture, where lanes have their lines.
void TimelineCanvas::renewHeaders(const TimelineLayout& placed, const HeaderMarks& marks) {
  HeadersKey key{placed.headers, {}, marks, &look::current(), m_lanes.devicePixelRatioF()};
  for (const LaneBox& lane : placed.lanes) key.boxes.push_back(lane.rect);
  for (const RowBox& row : placed.rows) key.boxes.push_back(row.rect);
  if (m_headers_key == key) return;
  const QRectF device(placed.headers.topLeft() * key.ratio, placed.headers.size() * key.ratio);
  m_headers = m_lanes.copy(device.toRect());
  QPainter painter(&m_headers);
  painter.translate(-placed.headers.topLeft());
  for (const TimelineLayout& part : placed.parts()) {
    painter.setClipRect(QRectF(part.area.left(), part.body.top(), part.area.width(), part.body.height()));
    const TimelineLayout shown = shownLayout(part);
    paintHeaders(painter, sceneOf(shown), key.marks);
  }
  m_headers_key = std::move(key);
}

/// Frames, arrow and facts are drawn into nothing to learn where they lie; those of the current span give way to the
/// hovered one's.
QRect TimelineCanvas::coveredByMarks() const {
  if (m_content.empty()) return {};
  const TimelineLayout placed = shownLayout(m_viewport.layout());
  const TimelineMarks all = shownMarks(m_focus.marks());
  QRect covered;
  TimelineMarks alone = all;
  alone.selection.reset();
  for (const bool hovered : {true, false}) {
    alone.hovered = hovered ? all.hovered : std::nullopt;
    alone.current = hovered ? std::nullopt : all.current;
    alone.hovered_gap = hovered ? all.hovered_gap : std::nullopt;
    alone.current_gap = hovered ? std::nullopt : all.current_gap;
    QPicture traced;
    QPainter painter(&traced);
    paintMarks(painter, sceneOf(placed), alone);
    painter.end();
    if (!traced.boundingRect().isEmpty()) covered |= traced.boundingRect().adjusted(-4, -4, 4, 4);
  }
  return covered;
}

QString TimelineCanvas::whatIsMissing() const {
  if (m_content.empty() && !m_empty_text.isEmpty()) return m_empty_text;
  if (m_content.empty())
    return TimelineTexts::tr("No run to show. Press Run to watch each lane live, including idle gaps.");
  if (!m_viewport.layout().lanes.empty()) return {};
  return TimelineTexts::tr(
      "All rows of this trace are of kinds that are hidden. Show them with View > Timeline Rows, or a right click "
      "here.");
}

bool TimelineCanvas::paintMissing(QPainter& painter, const QRect& rect) const {
  const QString missing = whatIsMissing();
  if (missing.isEmpty()) return false;
  painter.fillRect(rect, look::current().surface);
  painter.setPen(look::current().muted_text);
  painter.setFont(look::textFont());
  painter.drawText(QRectF(rect).adjusted(24, 8, -24, -8), Qt::AlignCenter | Qt::TextWordWrap, missing);
  return true;
}

}  // namespace lanelab
