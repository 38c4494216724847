// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/comparison_chart.h"

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QCursor>
#include <QFontMetricsF>
#include <QHorizontalStackedBarSeries>
#include <QLegend>
#include <QPainter>
#include <QToolTip>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ui/charts/chart_canvas.h"
#include "ui/look/plain_text.h"
#include "ui/look/spoken_list.h"

namespace lanelab {

namespace {

constexpr qreal kBarShare = 0.56;  ///< of a row's height
constexpr qreal kDotRadius = 2.5;
constexpr qreal kCapHalf = 5;
constexpr qreal kWidestName =
    240;  ///< longer ones are elided in the middle, in a narrow chart those above 2/5 of its width
constexpr qreal kLeastName = 64;

QString nameOf(const ComparisonRowData& row) {
  return row.baseline ? ChartTexts::tr("%1 (baseline)").arg(look::shownName(row.label)) : look::shownName(row.label);
}

/// The mean, with its unit, as the last column of the chart.
QString numberOf(const ComparisonRowData& row, Measure measure) {
  if (row.summary.n == 0) return ChartTexts::tr("not measured");
  const QString text =
      ChartTexts::tr("%1 %2").arg(QString::fromStdString(formatFigures(row.summary.mean)), unitOf(measure, row.unit));
  return row.summary.n < kFewestForSpread ? ChartTexts::tr("%1 (n = %2)").arg(text).arg(row.summary.n) : text;
}

template <class Text>
qreal widest(const ComparisonRows& rows, Text text) {
  const QFontMetricsF metrics(pixelFont(look::smallFont()));
  qreal most = 0;
  for (const auto& row : rows.rows) most = std::max(most, metrics.horizontalAdvance(text(row)));
  return most;
}

double longest(const ComparisonRows& rows, Spread spread) {
  double most = 0;
  for (const auto& row : rows.rows) {
    most = std::max(most, row.summary.mean);
    if (const auto whisker = whiskerOf(row, spread)) most = std::max(most, whisker->high);
    if (row.summary.n <= kMostDots)
      for (const double value : row.values) most = std::max(most, value);
  }
  return most > 0 ? most : 1;
}

/// Names, error bars, dots and numbers.
class SpreadMarks : public ChartMarks {
 public:
  SpreadMarks(QChart* chart, const look::Palette& palette, const QValueAxis* values, ComparisonRows rows, Spread spread)
      : ChartMarks(chart, palette), m_values(values), m_rows(std::move(rows)), m_spread(spread) {}

 protected:
  void draw(QPainter& painter) const override {
    const QRectF plot = m_chart->plotArea();
    drawBaseline(painter, plot);
    for (std::size_t i = 0; i < m_rows.rows.size(); ++i) drawRow(painter, plot, i);
  }

 private:
  qreal xOf(const QRectF& plot, double value) const { return plot.left() + plot.width() * value / m_values->max(); }
  qreal rowHeight(const QRectF& plot) const { return plot.height() / static_cast<qreal>(m_rows.rows.size()); }
  qreal yOf(const QRectF& plot, std::size_t row) const {
    return plot.top() + rowHeight(plot) * (static_cast<qreal>(row) + 0.5);
  }

  void drawBaseline(QPainter& painter, const QRectF& plot) const {
    for (const auto& row : m_rows.rows) {
      if (!row.baseline || row.summary.n < kFewestForSpread) continue;
      painter.setPen(QPen(m_palette.muted_text, 1, Qt::DashLine));
      const qreal x = xOf(plot, row.summary.mean);
      painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    }
  }

  void drawRow(QPainter& painter, const QRectF& plot, std::size_t index) const {
    const auto& row = m_rows.rows[index];
    const qreal y = yOf(plot, index);
    const qreal half = rowHeight(plot) * kBarShare / 2;
    drawName(painter, nameOf(row), plot, y);
    if (const auto whisker = whiskerOf(row, m_spread)) drawWhisker(painter, plot, y, half, *whisker);
    if (row.summary.n <= kMostDots) drawDots(painter, plot, row, y, half);
    // All numbers in one column: beside its own row's last dot the mean would read as that repeat's value.
    drawText(painter, numberOf(row, m_rows.measure), m_chart->rect().right() - 2 * look::kGrid, y);
  }

  /// Drawn here, as the axis of Qt 6.4 cuts names down to dots in rows of one line's height.
  void drawName(QPainter& painter, const QString& name, const QRectF& plot, qreal y) const {
    const QFontMetricsF metrics(pixelFont(look::smallFont()));
    drawText(painter, metrics.elidedText(name, Qt::ElideMiddle, plot.left() - 2 * look::kGrid),
             plot.left() - 1.5 * look::kGrid, y);
  }

  void drawText(QPainter& painter, const QString& text, qreal right, qreal y) const {
    const QFont font = pixelFont(look::smallFont());
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(m_palette.text);
    painter.drawText(QPointF(right - metrics.horizontalAdvance(text), y + (metrics.ascent() - metrics.descent()) / 2),
                     text);
  }

  /// Times end at 0: a whisker that would continue below is cut there and has no cap.
  void drawWhisker(QPainter& painter, const QRectF& plot, qreal y, qreal half, const Interval& whisker) const {
    const qreal low = xOf(plot, std::max(whisker.low, 0.0));
    const qreal high = xOf(plot, whisker.high);
    const qreal cap = std::min(kCapHalf, half);
    painter.setPen(QPen(m_palette.text, 1.5));
    painter.drawLine(QPointF(low, y), QPointF(high, y));
    if (whisker.low >= 0) painter.drawLine(QPointF(low, y - cap), QPointF(low, y + cap));
    painter.drawLine(QPointF(high, y - cap), QPointF(high, y + cap));
  }

  /// Spread evenly over the bar's height in the order they ran; beyond 3 interquartile ranges ringed, never dropped.
  void drawDots(QPainter& painter, const QRectF& plot, const ComparisonRowData& row, qreal y, qreal half) const {
    const auto n = static_cast<qreal>(row.values.size());
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      const qreal offset = n > 1 ? (static_cast<qreal>(i) / (n - 1) - 0.5) * 1.6 * half : 0;
      const QPointF centre(xOf(plot, row.values[i]), y + offset);
      painter.setPen(QPen(m_palette.surface, 0.75));
      painter.setBrush(m_palette.text);
      painter.drawEllipse(centre, kDotRadius, kDotRadius);
      const auto& outliers = row.summary.outliers;
      if (std::ranges::find(outliers, static_cast<int>(i)) != outliers.end()) {
        painter.setPen(QPen(m_palette.text, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(centre, 2.2 * kDotRadius, 2.2 * kDotRadius);
      }
    }
    painter.setBrush(Qt::NoBrush);
  }

  const QValueAxis* m_values;
  ComparisonRows m_rows;
  Spread m_spread;
};

/// One set a row, stacked: each row shows only its own set, in its own colour. Categories count from the bottom
/// (reversing the axis does not reverse horizontal bars in Qt 6.4), so the first row is the last category.
QHorizontalStackedBarSeries* makeBars(const ComparisonRows& rows, const look::Palette& palette) {
  auto* series = new QHorizontalStackedBarSeries;
  series->setBarWidth(kBarShare);
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    auto* set = new QBarSet(look::shownName(rows.rows[i].label).toHtmlEscaped());
    const std::size_t category = rows.rows.size() - 1 - i;
    for (std::size_t k = 0; k < rows.rows.size(); ++k) {
      const bool shown = k == category && rows.rows[i].summary.n >= kFewestForSpread;
      *set << (shown ? rows.rows[i].summary.mean : 0.0);
    }
    const QColor color = palette.series(static_cast<int>(i));
    QColor fill = color;
    fill.setAlphaF(palette.high_contrast ? 0.25F : 0.75F);  // so that whiskers and dots are seen on it
    set->setBrush(fill);
    set->setPen(palette.high_contrast ? QPen(color, 2) : QPen(palette.outline, 1));
    series->append(set);
  }
  return series;
}

QString axisTitle(const ComparisonRows& rows) {
  return rows.measure == Measure::SecondsPerRepeat
             ? ChartTexts::tr("Time per repeat (s)")
             : ChartTexts::tr("Throughput (%1), more is faster").arg(unitOf(rows.measure, rows.unit));
}

QBarCategoryAxis* makeCategories(const ComparisonRows& rows, const look::Palette& palette) {
  auto* axis = new QBarCategoryAxis;
  QStringList names;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) names.append(QString::number(i));
  axis->append(names);
  axis->setLabelsVisible(false);
  styleAxis(*axis, palette);
  axis->setGridLineVisible(false);
  return axis;
}

qreal lineHeight() { return QFontMetricsF(pixelFont(look::smallFont())).height(); }

/// In a low chart the rows need the axis' place: their numbers are behind the bars as well.
void dropAxisWithoutRoom(QChart& chart, QValueAxis& values, std::size_t rows) {
  const auto fit = [&chart, &values, rows] {
    const qreal axis = 5 * lineHeight() + 4 * look::kGrid;
    const bool room = chart.size().height() - axis >= static_cast<qreal>(rows) * lineHeight();
    if (room == values.labelsVisible()) return;
    values.setLabelsVisible(room);
    values.setTitleVisible(room);
  };
  QObject::connect(&chart, &QGraphicsWidget::geometryChanged, &values, fit);
}

/// Names to the left, and behind the longest bar room for its number, at whatever width the chart has.
void makeRoomForTexts(QChart& chart, QValueAxis& values, const ComparisonRows& rows, Spread spread) {
  const qreal names = std::min(widest(rows, nameOf), kWidestName);
  const auto number = [&rows](const ComparisonRowData& row) { return numberOf(row, rows.measure); };
  const qreal numbers = widest(rows, number) + 5 * look::kGrid;
  const auto fit = [&chart, &values, names, numbers, most = longest(rows, spread)] {
    const qreal left = std::max(std::min(names, 0.4 * chart.size().width()), kLeastName) + 2 * look::kGrid;
    QMargins margins = chart.margins();
    margins.setLeft(qRound(left));
    if (margins != chart.margins()) chart.setMargins(margins);
    const qreal plot = std::max(chart.size().width() - left - 4 * look::kGrid, 2 * numbers);
    values.setRange(0, most * plot / (plot - numbers));
  };
  QObject::connect(&chart, &QGraphicsWidget::geometryChanged, &values, fit);
  fit();
}

}  // namespace

std::unique_ptr<QChart> makeComparisonChart(const ComparisonRows& rows, Spread spread, const look::Palette& palette,
                                            const std::function<void(int)>& on_click) {
  auto chart = makeChart(palette);
  chart->legend()->hide();
  if (rows.rows.empty()) return chart;
  auto* bars = makeBars(rows, palette);
  chart->addSeries(bars);
  auto* categories = makeCategories(rows, palette);
  auto* values = makeValueAxis(axisTitle(rows), "%g", palette);
  chart->addAxis(categories, Qt::AlignLeft);
  chart->addAxis(values, Qt::AlignBottom);
  bars->attachAxis(categories);
  bars->attachAxis(values);
  makeRoomForTexts(*chart, *values, rows, spread);
  dropAxisWithoutRoom(*chart, *values, rows.rows.size());
  spreadTicks(*chart, *values, Qt::Horizontal);
  new SpreadMarks(chart.get(), palette, values, rows, spread);
  QObject::connect(bars, &QAbstractBarSeries::hovered, bars, [rows, spread](bool over, int category, QBarSet*) {
    const auto row = rows.rows.size() - 1 - static_cast<std::size_t>(category);
    QToolTip::showText(QCursor::pos(), over ? comparisonTip(rows.rows[row], spread, rows.measure) : QString());
  });
  if (on_click)
    QObject::connect(bars, &QAbstractBarSeries::clicked, bars,
                     [on_click, last = static_cast<int>(rows.rows.size()) - 1](int category, QBarSet*) {
                       on_click(last - category);
                     });
  return chart;
}

QString comparisonWords(const ComparisonRows& rows, Spread spread) {
  QStringList bars;
  for (const ComparisonRowData& row : rows.rows) {
    QString bar = ChartTexts::tr("%1 %2").arg(nameOf(row), numberOf(row, rows.measure));
    if (const auto whisker = whiskerOf(row, spread))
      bar = (spread == Spread::Ci95 ? ChartTexts::tr("%1, 95 % CI %2 to %3")
                                    : ChartTexts::tr("%1, one standard deviation %2 to %3"))
                .arg(bar, QString::fromStdString(formatFigures(whisker->low)),
                     QString::fromStdString(formatFigures(whisker->high)));
    bars << bar;
  }
  if (bars.isEmpty()) return {};
  const QString list = look::spokenList(bars, QStringLiteral("; "));
  return rows.measure == Measure::SecondsPerRepeat ? ChartTexts::tr("Mean time per repeat: %1.").arg(list)
                                                   : ChartTexts::tr("Throughput, more is faster: %1.").arg(list);
}

int leastComparisonHeight(const ComparisonRows& rows) {
  return static_cast<int>(std::ceil(static_cast<qreal>(rows.rows.size()) * lineHeight())) + 6 * look::kGrid;
}

QSizeF comparisonChartSize(const ComparisonRows& rows) {
  return {720, 72 + 44.0 * static_cast<double>(std::max<std::size_t>(rows.rows.size(), 2))};
}

}  // namespace lanelab
