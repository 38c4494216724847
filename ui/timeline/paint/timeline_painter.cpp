// SPDX-License-Identifier: GPL-3.0-only
#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <algorithm>
#include <cmath>

#include "ui/look/plain_text.h"
#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/paint/layers.h"
#include "ui/timeline/paint/row_raster.h"

namespace lanelab {
namespace {

bool takesPixels(const QPainter& painter, qreal ratio) {
  const QPaintEngine* engine = painter.paintEngine();
  return engine && engine->type() == QPaintEngine::Raster &&
         painter.worldTransform().type() <= QTransform::TxTranslate && painter.device()->devicePixelRatioF() == ratio;
}

/// Rows drawn by a QPainter: SVG, PDF, scaled pictures, screens with several device pixels a logical one.
class PainterSurface : public RowSurface {
 public:
  PainterSurface(QPainter& painter, const RowPainter& rows, LabelCache& labels)
      : m_painter(painter), m_rows(rows), m_labels(labels), m_pixels(takesPixels(painter, labels.ratio())) {}

  void fill(const QRect& rect, QRgb color) override { m_painter.fillRect(rect, QColor::fromRgb(color)); }

  void idle(const QRect& row) override {
    const look::Palette& palette = m_rows.scene().palette;
    for (const auto& [x0, x1] : m_rows.idlePieces()) {
      const QRect piece(x0, row.top(), x1 - x0, row.height());
      m_painter.fillRect(piece, palette.idle_background);
      look::hatch(m_painter, piece, palette.idle_hatch, kIdleSpacing);
    }
  }

  void bar(const QRect& rect, QRgb outline, const QRect& inner, QRgb color,
           const std::optional<Hatch>& hatch) override {
    fill(rect, outline);
    fill(inner, color);
    if (hatch) look::hatch(m_painter, inner, QColor::fromRgb(hatch->lines), hatch->spacing);
  }

  void columns(const ColumnProfile& profile) override {
    const std::vector<int>& heights = profile.heights();
    const QRect& area = profile.area();
    for (std::size_t from = 0, to = 0; from < heights.size(); from = to) {
      for (to = from + 1;
           to < heights.size() && heights[to] == heights[from] && profile.colors()[to] == profile.colors()[from];)
        ++to;
      if (heights[from] == 0) continue;
      fill(QRect(area.left() + static_cast<int>(from), area.bottom() + 1 - heights[from], static_cast<int>(to - from),
                 heights[from]),
           profile.colors()[from]);
    }
  }

  void label(const LabelOrder& order) override {
    const LabelCache::Label& label = m_labels.make(order.key, m_rows.scene().data, m_pixels);
    const auto place = m_labels.place(label, order.room, order.margin);
    if (!place) return;
    if (order.plate) fill(plateOf(order, *place), *order.plate);
    if (m_pixels) return m_painter.drawImage(QPointF(std::round(place->left), place->top), place->text->pixels);
    m_painter.setFont(m_labels.font());
    m_painter.setPen(QColor::fromRgb(order.key.ink));
    m_painter.drawText(QPointF(place->left, place->baseline), place->text->text);
  }

 private:
  QPainter& m_painter;
  const RowPainter& m_rows;
  LabelCache& m_labels;
  bool m_pixels;  ///< labels are copied, not drawn as text
};

/// A filled rectangle is several times as fast as a line of QPainter.
void paintUpright(QPainter& painter, double x, double top, double bottom, const QColor& color) {
  painter.fillRect(QRectF(x, top, 1, bottom - top), color);
}

void paintGrid(QPainter& painter, const TimelineScene& scene) {
  if (scene.scale.degenerate()) return;
  const QRectF& body = scene.layout.body;
  for (const ReplicaBand& band : scene.layout.bands)
    if (scene.isSeen(band.rect))
      painter.fillRect(QRectF(body.left(), band.rect.top(), band.rect.right() - body.left(), band.rect.height()),
                       replicaTint(scene.palette));
  const double lanes_end = scene.layout.lanes.empty() ? body.top() : scene.layout.lanes.back().rect.bottom();
  const double bottom = std::min(body.bottom(), lanes_end);
  const Nanoseconds tick = tickStep(scene.scale, kTickPixels);
  for (const Nanoseconds time : tickTimes(scene.scale.range, tick, scene.data.range().start))
    paintUpright(painter, std::round(scene.scale.x(time)), body.top(), bottom, scene.palette.grid);
  for (const LaneBox& lane : scene.layout.lanes)
    painter.fillRect(QRectF(lane.rect.left(), lane.rect.bottom(), lane.rect.width(), 1), scene.palette.grid);
}

constexpr double kNearest = 4;     ///< pixels between two lines
constexpr double kNarrowest = 8;   ///< pixels of a step that has lines; those of narrower ones would hide its actions
constexpr double kBracketArm = 5;  ///< pixels

bool hasLines(const TimeScale& scale, TimeRange step) {
  return static_cast<double>(step.length()) >= kNarrowest * scale.nanosecondsPerPixel();
}

bool isInSight(const TimeScale& scale, Nanoseconds time) {
  return time >= scale.range.start && time <= scale.range.end;
}

/// Where a lane begins a step: a bracket round its first action, which opens to the step's side.
void paintLaneSteps(QPainter& painter, const TimelineScene& scene, const LaneBox& lane) {
  const double top = std::max(lane.rect.top() + 1, scene.layout.body.top());
  const double bottom = std::min(lane.rect.bottom() - 1, scene.layout.body.bottom());
  if (bottom <= top) return;
  for (const StepWindow& step : scene.data.windowsOf(lane.lane)) {
    if (!isInSight(scene.scale, step.range.start) || !hasLines(scene.scale, step.range)) continue;
    const double x = std::round(scene.scale.x(step.range.start));
    paintUpright(painter, x, top, bottom + 1, scene.palette.text);
    for (const double y : {top, bottom}) painter.fillRect(QRectF(x, y, kBracketArm + 1, 1), scene.palette.text);
  }
}

/// Over all lanes where these meet; where steps overlap each lane's own begin of them.
void paintStepLines(QPainter& painter, const TimelineScene& scene) {
  if (scene.layout.lanes.empty()) return;
  const double top = scene.layout.body.top(),
               bottom = std::min(scene.layout.lanes.back().rect.bottom(), scene.layout.body.bottom());
  const QColor color = look::mix(scene.palette.line, scene.palette.muted_text, 0.5);
  double last = -1;
  for (const Stretch& stretch : scene.data.stretches()) {
    if (!hasLines(scene.scale, stretch.range)) continue;
    for (const Nanoseconds time : {stretch.range.start, stretch.range.end}) {
      const double x = std::round(scene.scale.x(time));
      if (!isInSight(scene.scale, time) || x - last < kNearest) continue;
      paintUpright(painter, x, top, bottom, color);
      last = x;
    }
  }
  if (!scene.data.stepsOverlap()) return;
  for (const LaneBox& lane : scene.layout.lanes)
    if (lane.lane >= 0 && scene.isSeen(lane.rect)) paintLaneSteps(painter, scene, lane);
}

/// A line where the error came and a flag beside it, so that it is seen at every zoom.
void paintFailure(QPainter& painter, const TimelineScene& scene, SpanRef ref) {
  const Span& span = scene.data.span(ref);
  const RowBox* box = scene.layout.boxOf(ref.row);
  if (!box || span.end < scene.scale.range.start || span.start > scene.scale.range.end) return;
  const double x = std::round(std::min(scene.scale.x(span.end), scene.layout.body.right() - 2));
  const QRectF row = box->rect.adjusted(0, -2, 0, 2);
  painter.fillRect(QRectF(x - 1, row.top(), 3, row.height()), scene.palette.error);
  const QString text = look::shownName(scene.data.trace().nameOf(span));
  const QFontMetricsF metrics(look::smallFont());
  const QSizeF size(metrics.horizontalAdvance(text) + 2 * look::kGrid, std::min(metrics.height(), row.height()));
  const double left = x + 2 + size.width() <= scene.layout.body.right() ? x + 2 : x - 1 - size.width();
  const QRectF flag(QPointF(left, row.top()), size);
  painter.fillRect(flag, scene.palette.error);
  painter.setPen(look::inkOn(scene.palette.error));
  painter.setFont(look::smallFont());
  painter.drawText(flag, Qt::AlignCenter, text);
}

/// What lies over the rows.
void paintOverRows(QPainter& painter, const TimelineScene& scene) {
  paintStepLines(painter, scene);
  for (const SpanRef& failure : scene.data.failures()) paintFailure(painter, scene, failure);
}

}  // namespace

void paintLanes(QPainter& painter, const TimelineScene& scene) {
  const RowPainter rows(scene);
  const look::PainterScope scope(painter, /*antialiased=*/false);
  paintGrid(painter, scene);
  LabelCache labels(look::smallFont(), painter.device()->devicePixelRatioF());
  PainterSurface surface(painter, rows, labels);
  for (const RowBox& box : rows.visible()) rows.paint(surface, box);
  paintOverRows(painter, scene);
}

void paintLanes(QImage& image, const QRect& clip, const TimelineScene& scene, RowRaster& raster, LabelCache& labels) {
  const auto paintPart = [&](void (*part)(QPainter&, const TimelineScene&)) {
    QPainter painter(&image);
    painter.setClipRect(clip);
    part(painter, scene);
  };
  paintPart(paintGrid);
  raster.paint(image, clip, RowPainter(scene), labels);
  paintPart(paintOverRows);
}

}  // namespace lanelab
