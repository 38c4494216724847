// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/difference_painter.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/timeline/model/timeline_texts.h"

namespace lanelab {
namespace {

constexpr double kSame = 0.02;      ///< below it a difference is noise
constexpr double kStrongest = 0.5;  ///< from it on the tint is full
constexpr double kPalest = 0.3;
constexpr double kPredictedStrip = 0.25;  ///< of a row's height, left free as TimelinePainter does
constexpr int kLowestLabel = 3 * look::kGrid;

/// Okabe-Ito's orange and sky blue: told apart by everyone, and no action has them.
const QColor kSlower(0xe6, 0x9f, 0x00);
const QColor kFaster(0x56, 0xb4, 0xe9);

}  // namespace

DifferencePainter::DifferencePainter(const TimelineData& data, const TimelineLayout& layout, TimeRange range,
                                     const look::Palette& palette)
    : m_data(data), m_layout(layout), m_palette(palette), m_scale(layout.scale(range)) {}

QColor DifferencePainter::tintOf(std::optional<double> difference) const {
  const QColor same = look::mix(m_palette.wait, m_palette.surface, 0.35);
  if (!difference) return look::mix(m_palette.wait, m_palette.surface, 0.75);
  if (std::abs(*difference) < kSame) return same;
  const double strength = kPalest + (1 - kPalest) * std::min(std::abs(*difference) / kStrongest, 1.0);
  return look::mix(same, *difference > 0 ? kSlower : kFaster, strength);
}

double DifferencePainter::widthOf(const QString& label) {
  const auto known = m_widths.constFind(label);
  if (known != m_widths.constEnd()) return *known;
  return *m_widths.insert(label, QFontMetricsF(look::smallFont()).horizontalAdvance(label));
}

void DifferencePainter::paintEnds(QPainter& painter) const {
  if (!m_data.aligned()) return;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (const RowBox& box : m_layout.rows) {
    const Row& row = m_data.rows()[box.row];
    if (row.kind != Track::Kind::Compute || row.depth != 0) continue;
    auto own = m_data.stepsOf(row.lane).begin();
    for (const StepWindow& step : m_data.steps()) {
      while (own != m_data.stepsOf(row.lane).end() && own->step < step.step) ++own;
      const bool has = own != m_data.stepsOf(row.lane).end() && own->step == step.step;
      const TimeRange over = intersection({has ? own->range.end : step.range.start, step.range.end}, m_scale.range);
      const double x0 = std::round(m_scale.x(over.start)), x1 = std::round(m_scale.x(over.end));
      if (!over.empty() && x1 > x0)
        painter.fillRect(QRectF(x0, box.rect.top(), x1 - x0, box.rect.height()).toRect(), m_palette.surface);
    }
  }
  painter.restore();
}

void DifferencePainter::paintBody(QPainter& painter) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (const RowBox& box : m_layout.rows) {
    if (box.rect.bottom() < m_layout.body.top() || box.rect.top() > m_layout.body.bottom()) continue;
    if (tinted(m_data, m_data.rows()[box.row])) paintRow(painter, box);
  }
  painter.restore();
}

void DifferencePainter::paintRow(QPainter& painter, const RowBox& box) {
  const Row& row = m_data.rows()[box.row];
  const QRectF bars =
      m_data.prediction() ? box.rect.adjusted(0, 0, 0, -std::round(box.rect.height() * kPredictedStrip)) : box.rect;
  for (const Bar& bar : levelOfDetail(row, m_data.track(row), m_scale).bars) {
    const double x0 = std::round(std::max(bar.x0, m_layout.body.left())),
                 x1 = std::round(std::min(bar.x1, m_layout.body.right()));
    const SpanRef ref{box.row, bar.position};
    if (x1 > x0 && !m_data.trace().failed(m_data.span(ref)))
      paintBar(painter, QRectF(x0, std::round(bars.top()), x1 - x0, std::round(bars.height())), ref);
  }
}

/// The action and the difference, the difference, its sign, or nothing: the most that fits.
void DifferencePainter::paintBar(QPainter& painter, const QRectF& rect, SpanRef ref) {
  const std::optional<double> difference = differenceOf(m_data, ref);
  const QColor fill = tintOf(difference);
  const bool outlined = rect.width() >= 6;
  painter.fillRect(rect, outlined ? m_palette.outline : fill);
  if (outlined) painter.fillRect(rect.adjusted(1, 1, -1, -1), fill);
  if (rect.height() < kLowestLabel) return;
  const QString name = m_data.label(m_data.span(ref));
  QStringList choices{name};
  if (difference) {
    const QString text = differenceText(*difference);
    choices = {name + QLatin1Char(' ') + text, text, text.left(1)};
    if (std::abs(*difference) < kSame) choices[2] = QStringLiteral("=");
  }
  for (const QString& text : choices) {
    const double width = widthOf(text);
    if (width + look::kGrid > rect.width()) continue;
    painter.setFont(look::smallFont());
    painter.setPen(look::inkOn(fill));
    painter.drawText(
        QPointF(rect.center().x() - width / 2, rect.center().y() + QFontMetricsF(look::smallFont()).capHeight() / 2),
        text);
    return;
  }
}

void DifferencePainter::paintLegend(QPainter& painter) const {
  const QString fellow = m_data.aligned() ? TimelineTexts::tr("than A") : TimelineTexts::tr("than predicted");
  const std::pair<QString, QColor> entries[] = {
      {TimelineTexts::tr("+ slower %1").arg(fellow), tintOf(kStrongest)},
      {TimelineTexts::tr("= within 2 %"), tintOf(0)},
      {TimelineTexts::tr("\u2212 faster %1").arg(fellow), tintOf(-kStrongest)},
      {TimelineTexts::tr("nothing to compare with"), tintOf(std::nullopt)}};
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.fillRect(m_layout.legend, m_palette.surface);
  painter.setFont(look::smallFont());
  const QFontMetricsF metrics(look::smallFont());
  const double y = std::round(m_layout.legend.center().y());
  double x = m_layout.body.left();
  for (const auto& [text, color] : entries) {
    if (x + 26 + metrics.horizontalAdvance(text) > m_layout.area.right()) break;
    painter.fillRect(QRectF(x, y - 6, 20, 12), m_palette.outline);
    painter.fillRect(QRectF(x + 1, y - 5, 18, 10), color);
    painter.setPen(m_palette.muted_text);
    painter.drawText(QPointF(x + 26, y + metrics.capHeight() / 2), text);
    x += 26 + metrics.horizontalAdvance(text) + 5 * look::kGrid;
  }
  painter.restore();
}

}  // namespace lanelab
