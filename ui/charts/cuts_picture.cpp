// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/cuts_picture.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "base/csv.h"
#include "base/text.h"
#include "ui/charts/chart_canvas.h"
#include "ui/look/quantity_text.h"
#include "ui/look/spoken_list.h"

namespace lanelab {
namespace {

constexpr qreal kWidth = 640;
constexpr qreal kRowHeight = 11 * look::kGrid;
constexpr qreal kBarHeight = 4 * look::kGrid;
constexpr qreal kBelow = 2 * look::kGrid;  ///< between the last row and what follows

struct CutsTexts {
  Q_DECLARE_TR_FUNCTIONS(CutsPicture)
};

/// Of the best way; 0 if there is none.
double bestOf(const std::vector<CutsBar>& bars) {
  const auto best = std::ranges::find_if(bars, &CutsBar::best);
  return best == bars.end() ? 0 : best->seconds;
}

/// "12.3 ms (+4 %)", compared with the best way.
QString numberOf(const CutsBar& bar, double best) {
  if (!std::isfinite(bar.seconds)) return CutsTexts::tr("cannot run on these lanes");
  const QString seconds = secondsText(bar.seconds);
  if (bar.best || best <= 0 || bar.seconds <= best) return seconds;
  return CutsTexts::tr("%1 (+%2 %)")
      .arg(seconds, QString::fromStdString(formatNumber(100 * (bar.seconds / best - 1), 2)));
}

QString cutsOf(const CutsBar& bar) {
  return bar.cuts.isEmpty() ? CutsTexts::tr("not cut") : CutsTexts::tr("cut before %1").arg(bar.cuts);
}

QString wordsOf(const std::vector<CutsBar>& bars) {
  QStringList words;
  for (const CutsBar& bar : bars)
    words << CutsTexts::tr("%1 %2, %3").arg(bar.name, numberOf(bar, bestOf(bars)), cutsOf(bar));
  return words.isEmpty() ? QString()
                         : CutsTexts::tr("Predicted step: %1.").arg(look::spokenList(words, QStringLiteral("; ")));
}

/// Draws all rows into one rectangle.
class CutsPainter {
 public:
  CutsPainter(QPainter& painter, const QRectF& area, const look::Palette& palette, const std::vector<CutsBar>& bars)
      : m_painter(painter),
        m_area(area),
        m_palette(palette),
        m_bars(bars),
        m_text(pixelFont(look::textFont())),
        m_small(pixelFont(look::smallFont())),
        m_best(bestOf(bars)) {
    for (const CutsBar& bar : bars)
      if (std::isfinite(bar.seconds)) m_longest = std::max(m_longest, bar.seconds);
    const QFontMetricsF metrics(m_text);
    for (const CutsBar& bar : bars) {
      m_names = std::max(m_names, metrics.horizontalAdvance(bar.name));
      m_numbers = std::max(m_numbers, metrics.horizontalAdvance(numberOf(bar, m_best)));
    }
  }

  void paint() const {
    for (std::size_t i = 0; i < m_bars.size(); ++i)
      paintRow(m_bars[i], m_area.top() + kRowHeight * static_cast<qreal>(i));
  }

 private:
  void paintRow(const CutsBar& bar, qreal top) const {
    const QFontMetricsF text(m_text), small(m_small);
    const qreal left = m_area.left() + m_names + 3 * look::kGrid;
    const qreal room = m_area.right() - left - m_numbers - 3 * look::kGrid;
    const bool runs = m_longest > 0 && std::isfinite(bar.seconds);
    const QRectF box(left, top + look::kGrid, runs ? room * bar.seconds / m_longest : 0, kBarHeight);
    const qreal baseline = box.center().y() + text.capHeight() / 2;
    QFont font = m_text;
    font.setBold(bar.best);
    m_painter.setFont(font);
    m_painter.setPen(m_palette.text);
    m_painter.drawText(QPointF(m_area.left(), baseline), bar.name);
    m_painter.setPen(QPen(m_palette.outline, 1));
    m_painter.setBrush(bar.best ? m_palette.accent : m_palette.pale(m_palette.accent, 0.6));
    if (runs) m_painter.drawRect(box);
    m_painter.setPen(m_palette.text);
    m_painter.drawText(QPointF(box.right() + (runs ? 2 * look::kGrid : 0), baseline), numberOf(bar, m_best));
    m_painter.setFont(m_small);
    m_painter.setPen(m_palette.muted_text);
    m_painter.drawText(QPointF(left, box.bottom() + small.ascent() + look::kGrid / 2.0),
                       small.elidedText(cutsOf(bar), Qt::ElideMiddle, m_area.right() - left));
  }

  QPainter& m_painter;
  QRectF m_area;
  const look::Palette& m_palette;
  const std::vector<CutsBar>& m_bars;
  QFont m_text, m_small;
  double m_best;
  qreal m_names = 0, m_numbers = 0;
  double m_longest = 0;
};

}  // namespace

Picture cutsPicture(const std::vector<CutsBar>& bars, const QString& caption) {
  const auto paint = [bars](QPainter& painter, const QRectF& area, const look::Palette& palette) {
    CutsPainter(painter, area, palette, bars).paint();
  };
  const QSizeF size(kWidth, kRowHeight * static_cast<qreal>(std::max<std::size_t>(bars.size(), 1)) + kBelow);
  return {CutsTexts::tr("Predicted step time by cut"), caption, size, paint, {}, wordsOf(bars)};
}

std::string cutsCsv(const std::vector<CutsBar>& bars) {
  std::string csv;
  CsvTable table(csv, "way,cuts,bottleneck_s,predicted_s");
  for (const CutsBar& bar : bars) {
    table.text(bar.name.toStdString()).text(bar.cuts.toStdString()).exact(bar.bottleneck_seconds);
    std::isfinite(bar.seconds) ? table.exact(bar.seconds) : table.text("");
    table.endRow();
  }
  return csv;
}

}  // namespace lanelab
