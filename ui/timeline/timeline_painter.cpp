#include "ui/timeline/timeline_painter.h"

#include <QFontMetricsF>
#include <QPaintEngine>
#include <algorithm>
#include <cmath>

#include "ui/timeline/cause_text.h"
#include "ui/timeline/frame_painter.h"
#include "ui/timeline/ticks.h"

namespace lanelab {
namespace {

constexpr double kIdleSpacing = 7;
constexpr double kBackwardSpacing = 5;
constexpr int kNarrowestOutline = 6;
constexpr int kNarrowestHatch = 8;
constexpr int kNarrowestLabel = 9;
constexpr int kNarrowestCause = 20;
constexpr double kPredictedStrip = 0.25;  ///< of a row's height
constexpr int kLowestLabel = 3 * look::kGrid;

bool isBackward(const Span& span) {
  return span.category == Category::Action &&
         (span.phase == Phase::Backward || span.phase == Phase::BackwardInput || span.phase == Phase::BackwardWeight);
}

}  // namespace

TimelinePainter::TimelinePainter(const TimelineData& data, const TimelineLayout& layout, TimeRange range, const look::Palette& palette)
    : m_data(data),
      m_layout(layout),
      m_palette(palette),
      m_scale(layout.scale(range)),
      m_tick(tickStep(m_scale, kTickPixels)),
      m_font(look::smallFont()),
      m_labels(m_font) {}

void TimelinePainter::paintBody(QPainter& painter) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  paintGrid(painter);
  for (const RowBox& box : m_layout.rows) {
    if (box.rect.bottom() < m_layout.area.top() || box.rect.top() > m_layout.area.bottom()) continue;
    const Row& row = m_data.rows()[box.row];
    const bool lane = row.kind == Track::Kind::Compute && row.depth == 0;
    const QImage background = lane ? idleBackground(painter, box.rect) : QImage();
    if (lane && background.isNull()) {
      paintIdle(painter, box.rect);
      paintPredicted(painter, box);
    }
    if (row.track != Row::kNoTrack)
      paintRow(painter, box, background);
    else if (!background.isNull())
      painter.drawImage(box.rect.topLeft(), background);
    if (lane) paintCauses(painter, box);
  }
  paintStepLines(painter);
  paintFailures(painter);
  painter.restore();
}

QColor TimelinePainter::fillOf(const Span& span) const {
  return m_data.trace().failed(span) ? m_palette.error : m_palette.span(span.category, span.phase);
}

/// A failed action is the one span of a compute row that is no action.
QColor TimelinePainter::fillOf(const Column& column, bool compute) const {
  return compute && column.category != Category::Action ? m_palette.error : m_palette.span(column.category, column.phase);
}

void TimelinePainter::paintGrid(QPainter& painter) const {
  painter.setPen(m_palette.grid);
  const double bottom = std::min(m_layout.body.bottom(), m_layout.lanes.empty() ? m_layout.body.top() : m_layout.lanes.back().rect.bottom());
  for (const Nanoseconds time : tickTimes(m_scale.range, m_tick, m_data.range().start)) {
    const double x = std::round(m_scale.x(time));
    painter.drawLine(QPointF(x, m_layout.body.top()), QPointF(x, bottom));
  }
  for (const LaneBox& lane : m_layout.lanes) painter.drawLine(lane.rect.bottomLeft(), lane.rect.bottomRight());
}

/// What lies behind a lane's spans is the same in every row, so that on a plain raster surface it is painted once and copied: thousands of hatched
/// pieces would cost more than all spans, and an opaque row needs no blending. Nothing elsewhere, and where something was predicted.
QImage TimelinePainter::idleBackground(QPainter& painter, const QRectF& row) {
  const bool raster = painter.paintEngine() && painter.paintEngine()->type() == QPaintEngine::Raster;
  if (!raster || painter.device()->devicePixelRatioF() != 1 || m_data.prediction()) return {};
  const QRect strip = QRectF(m_layout.body.left(), row.top(), m_layout.body.width(), row.height()).toRect();
  if (m_idle.size() != strip.size()) {
    m_idle = QImage(strip.size(), QImage::Format_RGB32);
    m_idle.fill(m_palette.surface);
    QPainter once(&m_idle);
    once.translate(-strip.topLeft());
    paintGrid(once);
    paintIdle(once, strip);
  }
  return m_idle;
}

/// Only step windows can be idle; time between them is nobody's. Windows nearer than a pixel are drawn as one.
void TimelinePainter::paintIdle(QPainter& painter, const QRectF& row) const {
  const auto paintPiece = [&](double x0, double x1) {
    const QRectF piece(x0, row.top(), x1 - x0, row.height());
    painter.fillRect(piece, m_palette.idle_background);
    look::hatch(painter, piece, m_palette.idle_hatch, kIdleSpacing);
  };
  double from = 0, to = -1;
  for (const StepWindow& step : m_data.steps()) {
    const TimeRange seen = intersection(step.range, m_scale.range);
    if (seen.empty()) continue;
    const double x0 = std::round(m_scale.x(seen.start)), x1 = std::max(std::round(m_scale.x(seen.end)), x0 + 1);
    if (to >= from && x0 <= to) {
      to = x1;
      continue;
    }
    if (to > from) paintPiece(from, to);
    from = x0;
    to = x1;
  }
  if (to > from) paintPiece(from, to);
}

/// Why the lane stands idle, where the words have room.
void TimelinePainter::paintCauses(QPainter& painter, const RowBox& box) {
  const QRectF bars = barsOf(box);
  if (bars.height() < kLowestLabel) return;
  const auto& pieces = m_data.causesOf(m_data.rows()[box.row].lane);
  auto piece = std::lower_bound(pieces.begin(), pieces.end(), m_scale.range.start,
                                [](const CausePiece& one, Nanoseconds time) { return one.range.end <= time; });
  for (; piece != pieces.end() && piece->range.start < m_scale.range.end; ++piece) {
    const double x0 = std::max(m_scale.x(piece->range.start), m_layout.body.left()),
                 x1 = std::min(m_scale.x(piece->range.end), m_layout.body.right());
    if (x1 - x0 < kNarrowestCause) continue;
    const QString text = causeText(piece->cause);
    const double width = m_labels.widthOf(text);
    if (width + 2 * look::kGrid > x1 - x0) continue;
    const QRectF label((x0 + x1 - width) / 2 - look::kGrid, bars.center().y() - 8, width + 2 * look::kGrid, 16);
    painter.fillRect(label, m_palette.idle_background);
    m_labels.draw(painter, label.left() + look::kGrid, bars.center().y(), text, m_palette.muted_text);
  }
}

QRectF TimelinePainter::barsOf(const RowBox& box) const {
  const bool shared = m_data.prediction() && m_data.rows()[box.row].kind == Track::Kind::Compute;
  return shared ? box.rect.adjusted(0, 0, 0, -std::round(box.rect.height() * kPredictedStrip)) : box.rect;
}

/// Actions of less than a few pixels would be a blur, so they are left out.
void TimelinePainter::paintPredicted(QPainter& painter, const RowBox& box) const {
  if (!m_data.prediction()) return;
  for (const StepWindow& step : m_data.steps()) {
    const TimeRange expected_step{step.range.start, step.range.start + m_data.prediction()->stepLength()};
    if (intersection(expected_step, m_scale.range).empty()) continue;
    for (const Prediction::Expected& expected : m_data.prediction()->ofLane(m_data.rows()[box.row].lane)) {
      const TimeRange seen = intersection({step.range.start + expected.range.start, step.range.start + expected.range.end}, m_scale.range);
      const double x0 = std::round(m_scale.x(seen.start)), x1 = std::round(m_scale.x(seen.end));
      if (seen.empty() || x1 - x0 < kNarrowestBar) continue;
      const QColor fill = m_palette.span(Category::Action, expected.phase);
      const QRectF rect(x0, box.rect.top(), x1 - x0, box.rect.height());
      painter.fillRect(rect, look::mix(fill, m_palette.outline, 0.3));
      painter.fillRect(rect.adjusted(1, 1, -1, -1), look::mix(fill, m_palette.surface, kPredictedPaleness));
    }
  }
}

void TimelinePainter::paintRow(QPainter& painter, const RowBox& box, const QImage& background) {
  const Row& row = m_data.rows()[box.row];
  const RowDetail detail = levelOfDetail(row, m_data.track(row), m_scale);
  const bool outlined = row.kind == Track::Kind::Compute;
  const QRectF bars = barsOf(box);
  const QRect area = QRectF(m_layout.body.left(), bars.top(), m_layout.body.width(), bars.height()).toRect();
  DenseStrip strip(painter, area, background);
  paintColumns(strip, box, detail);
  for (const Bar& bar : detail.bars) {
    const int x0 = static_cast<int>(std::lround(std::max(bar.x0, m_layout.body.left())));
    const int x1 = static_cast<int>(std::lround(std::min(bar.x1, m_layout.body.right())));
    const Span span = m_data.span({box.row, bar.position});
    // Narrow bars are told apart by a free pixel instead of an outline.
    if (x1 - x0 < kNarrowestOutline) strip.fill(x0 + (outlined ? 1 : 0), x1, area.height(), fillOf(span));
  }
  strip.finish();
  for (const Bar& bar : detail.bars) {
    const int x0 = static_cast<int>(std::lround(std::max(bar.x0, m_layout.body.left())));
    const int x1 = static_cast<int>(std::lround(std::min(bar.x1, m_layout.body.right())));
    if (x1 - x0 >= kNarrowestOutline)
      paintBar(painter, QRect(x0, area.top(), x1 - x0, area.height()), m_data.span({box.row, bar.position}), outlined);
  }
}

/// In a compute row the height is the busy share; thin rows keep their height, as marks of a pixel would be lost.
void TimelinePainter::paintColumns(DenseStrip& strip, const RowBox& box, const RowDetail& detail) const {
  const bool by_height = m_data.rows()[box.row].kind == Track::Kind::Compute;
  const QRect area = barsOf(box).toRect();
  const int left = static_cast<int>(std::lround(m_scale.left));
  for (const Column& column : detail.columns) {
    const int height = by_height ? std::max(static_cast<int>(std::lround(area.height() * column.busy)), 1) : area.height();
    strip.fill(left + column.x0, left + column.x1, height, fillOf(column, by_height));
  }
}

/// A bar is cut off at the body's edges, so it gets an outline there only where it really ends.
void TimelinePainter::paintBar(QPainter& painter, const QRect& rect, const Span& span, bool outlined) {
  const QColor fill = fillOf(span);
  const QRect inner = rect.adjusted(span.start >= m_scale.range.start ? 1 : 0, outlined ? 1 : 0, outlined && span.end <= m_scale.range.end ? -1 : 0,
                                    outlined ? -1 : 0);
  painter.fillRect(rect, outlined ? m_palette.outline : look::mix(fill, m_palette.outline, 0.45));
  painter.fillRect(inner, fill);
  if (isBackward(span) && inner.width() >= kNarrowestHatch) look::hatch(painter, inner, look::mix(fill, Qt::black, 0.22), kBackwardSpacing);
  if (rect.height() >= kLowestLabel) paintLabel(painter, inner, span, fill);
}

/// A label that fits, or none: cut names say nothing. Of "layer2.1" the "2.1" is enough.
void TimelinePainter::paintLabel(QPainter& painter, const QRect& rect, const Span& span, const QColor& fill) {
  if (rect.width() < kNarrowestLabel) return;
  QString label = m_data.label(span);
  if (m_labels.widthOf(label) + 3 > rect.width() && label.startsWith(QLatin1String("layer"))) label.remove(0, 5);
  const double width = m_labels.widthOf(label);
  if (width + 3 > rect.width()) return;
  const QPointF center = QRectF(rect).center();
  m_labels.draw(painter, center.x() - width / 2, center.y(), label, look::inkOn(fill));
}

void TimelinePainter::paintStepLines(QPainter& painter) const {
  if (m_layout.lanes.empty()) return;
  const double top = m_layout.body.top(), bottom = std::min(m_layout.lanes.back().rect.bottom(), m_layout.body.bottom());
  painter.setPen(look::mix(m_palette.line, m_palette.muted_text, 0.5));
  double last = -1;
  for (const StepWindow& step : m_data.steps()) {
    for (const Nanoseconds time : {step.range.start, step.range.end}) {
      const double x = std::round(m_scale.x(time));
      if (time < m_scale.range.start || time > m_scale.range.end || x - last < 4) continue;
      painter.drawLine(QPointF(x, top), QPointF(x, bottom));
      last = x;
    }
  }
}

void TimelinePainter::paintFailures(QPainter& painter) const {
  for (const SpanRef& failure : m_data.failures()) paintFailure(painter, failure);
}

/// A line where the error came and a flag beside it, so that it is seen at every zoom.
void TimelinePainter::paintFailure(QPainter& painter, SpanRef ref) const {
  const Span span = m_data.span(ref);
  const RowBox* box = m_layout.boxOf(ref.row);
  if (!box || span.end < m_scale.range.start || span.start > m_scale.range.end) return;
  const double x = std::round(std::min(m_scale.x(span.end), m_layout.body.right() - 2));
  const QRectF row = box->rect.adjusted(0, -2, 0, 2);
  painter.fillRect(QRectF(x - 1, row.top(), 3, row.height()), m_palette.error);
  const QString text = QString::fromStdString(m_data.trace().nameOf(span));
  const QFontMetricsF metrics(m_font);
  const QSizeF size(metrics.horizontalAdvance(text) + 2 * look::kGrid, std::min(metrics.height(), row.height()));
  const double left = x + 2 + size.width() <= m_layout.body.right() ? x + 2 : x - 1 - size.width();
  const QRectF flag(QPointF(left, row.top()), size);
  painter.fillRect(flag, m_palette.error);
  painter.setPen(look::inkOn(m_palette.error));
  painter.setFont(m_font);
  painter.drawText(flag, Qt::AlignCenter, text);
}

}  // namespace lanelab
