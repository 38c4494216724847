// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/frame_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/timeline/layout/ticks.h"
#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

constexpr double kBackwardSpacing = 5;

}  // namespace

FramePainter::FramePainter(const TimelineData& data, const TimelineLayout& layout, TimeRange range,
                           const look::Palette& palette)
    : m_data(data),
      m_layout(layout),
      m_palette(palette),
      m_scale(layout.scale(range)),
      m_tick(tickStep(m_scale, kTickPixels)),
      m_font(look::smallFont()) {}

void FramePainter::paint(QPainter& painter) const {
  if (m_scale.degenerate()) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  paintTicks(painter);
  paintStepNames(painter);
  paintLegend(painter);
  painter.restore();
}

void FramePainter::paintTicks(QPainter& painter) const {
  const QRectF& ruler = m_layout.ruler;
  const QFontMetricsF metrics(m_font);
  painter.setFont(m_font);
  double free_from = ruler.left() - 1;
  for (const Nanoseconds time : tickTimes(m_scale.range, m_tick, m_data.range().start)) {
    const double x = std::round(m_scale.x(time));
    painter.setPen(m_palette.line);
    painter.drawLine(QPointF(x, ruler.bottom() - look::kGrid), QPointF(x, ruler.bottom()));
    const QString text = tickText(time - m_data.range().start, m_tick);
    const double width = metrics.horizontalAdvance(text);
    const double start =
        std::clamp(x - width / 2, ruler.left(), std::max(ruler.left(), m_layout.area.right() - width - 2));
    if (start < free_from) continue;
    painter.setPen(m_palette.muted_text);
    painter.drawText(QPointF(start, ruler.bottom() - 2 * look::kGrid), text);
    free_from = start + width + 2 * look::kGrid;
  }
  painter.setPen(m_palette.line);
  painter.drawLine(ruler.bottomLeft(), ruler.bottomRight());
}

/// A bracket over each step and its name where it fits: "step 2"; where steps are narrow only "2", and every second,
/// fifth, tenth ... step.
void FramePainter::paintStepNames(QPainter& painter) const {
  if (m_data.steps().empty()) return;
  const QFontMetricsF metrics(m_font);
  const double pitch =
      m_scale.nanosecondsPerPixel() > 0 ? static_cast<double>(typicalStep()) / m_scale.nanosecondsPerPixel() : 0;
  const QString longest = QString::number(m_data.steps().back().step);
  const bool in_full = metrics.horizontalAdvance(TimelineTexts::tr("step %1").arg(longest)) + 24 <= pitch;
  const Nanoseconds stride =
      in_full ? 1 : tickStep(TimeScale{{0, 1'000'000}, 0, 1'000'000 * pitch}, metrics.horizontalAdvance(longest) + 10);
  painter.setFont(m_font);
  for (const StepWindow& step : m_data.steps()) {
    const TimeRange seen = intersection(step.range, m_scale.range);
    if (seen.empty() || step.step % stride != 0) continue;
    // A step that is cut off by the view's edge and too narrow for its name would push it into the next one's bracket.
    const bool cut = seen.start > step.range.start || seen.end < step.range.end;
    const QString name = in_full ? TimelineTexts::tr("step %1").arg(step.step) : QString::number(step.step);
    if (cut && m_scale.x(seen.end) - m_scale.x(seen.start) < metrics.horizontalAdvance(name) + look::kGrid) continue;
    paintStepName(painter, name, seen);
  }
}

Nanoseconds FramePainter::typicalStep() const {
  const auto& steps = m_data.steps();
  return (steps.back().range.end - steps.front().range.start) / static_cast<Nanoseconds>(steps.size());
}

void FramePainter::paintStepName(QPainter& painter, const QString& text, TimeRange seen) const {
  const QFontMetricsF metrics(m_font);
  const QRectF& band = m_layout.steps;
  const double y = std::round(band.center().y());
  const double x0 = std::round(m_scale.x(seen.start)), x1 = std::round(m_scale.x(seen.end));
  const double width = metrics.horizontalAdvance(text);
  const double x = std::clamp((x0 + x1 - width) / 2, band.left(), std::max(band.left(), band.right() - width));
  painter.setPen(m_palette.line);
  if (x - 9 > x0 + 3) {
    painter.drawLine(QPointF(x0 + 3, y), QPointF(x - 6, y));
    painter.drawLine(QPointF(x + width + 6, y), QPointF(x1 - 3, y));
  }
  painter.setPen(m_palette.text);
  painter.drawText(QPointF(x, y + metrics.capHeight() / 2), text);
}

bool FramePainter::exchanges() const {
  for (std::size_t row = 0; row < m_data.rows().size(); ++row)
    if (m_data.rowKind(row) == RowKind::Exchange) return true;
  return false;
}

/// Of our own actions; the rows of another program's trace name their spans.
void FramePainter::paintLegend(QPainter& painter) const {
  if (!m_data.computes()) return;
  struct Entry {
    QString text;
    QColor fill;
    QColor hatch;
    double height;
  };
  const bool has_transfers = std::any_of(m_data.rows().begin(), m_data.rows().end(),
                                         [](const Row& row) { return row.kind == Track::Kind::Transfer; });
  std::vector<Entry> entries = {
      {TimelineTexts::tr("F forward"), m_palette.forward, {}, 12},
      {TimelineTexts::tr("B backward"), m_palette.backward, look::mix(m_palette.backward, Qt::black, 0.22), 12},
      {TimelineTexts::tr("U update"), m_palette.update, {}, 12}};
  if (has_transfers) entries.push_back({TimelineTexts::tr("transfer"), m_palette.transfer, {}, 6});
  if (exchanges())
    entries.push_back({TimelineTexts::tr("exchange"), m_palette.span(Category::Sync, Phase::None), {}, 6});
  if (m_data.prediction())
    entries.push_back({TimelineTexts::tr("pale: predicted"),
                       look::mix(m_palette.forward, m_palette.surface, kPredictedPaleness),
                       {},
                       12});
  entries.push_back({TimelineTexts::tr("idle in a step"), m_palette.idle_background, m_palette.idle_hatch, 12});
  const QFontMetricsF metrics(m_font);
  const double y = std::round(m_layout.legend.center().y());
  double x = m_layout.body.left();
  painter.setFont(m_font);
  for (const Entry& entry : entries) {
    if (x + 26 + metrics.horizontalAdvance(entry.text) > m_layout.area.right()) return;
    const QRectF box(x, std::round(y - entry.height / 2), 20, entry.height);
    painter.fillRect(box, entry.fill);
    if (entry.hatch.isValid()) look::hatch(painter, box, entry.hatch, kBackwardSpacing);
    painter.setPen(m_palette.muted_text);
    painter.drawText(QPointF(x + 26, y + metrics.capHeight() / 2), entry.text);
    x += 26 + metrics.horizontalAdvance(entry.text) + 5 * look::kGrid;
  }
  const QString hint = TimelineTexts::tr("narrow spans: height = busy share");
  if (x + metrics.horizontalAdvance(hint) < m_layout.area.right())
    painter.drawText(QPointF(x, y + metrics.capHeight() / 2), hint);
}

}  // namespace lanelab
