// SPDX-License-Identifier: GPL-3.0-only
#include "ui/report/stages_picture.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "ui/charts/chart_canvas.h"
#include "ui/look/quantity_text.h"
#include "ui/look/spoken_list.h"

namespace lanelab {
namespace {

constexpr qreal kStagesWidth = 640;
constexpr qreal kStageHeight = 14 * look::kGrid;
constexpr qreal kStageBar = 3 * look::kGrid;
constexpr qreal kStageNames = 60 * look::kGrid;
constexpr qreal kBesideBar = 2 * look::kGrid;

struct StagesTexts {
  Q_DECLARE_TR_FUNCTIONS(StagesPicture)
};

QString macsText(const StageRow& row) { return StagesTexts::tr("%1 % of MACs").arg(row.macs_percent, 0, 'f', 1); }

QString memoryText(const StageRow& row) { return StagesTexts::tr("%1 of memory").arg(bytesText(row.memory_bytes)); }

QString sentText(const StageRow& row) {
  return row.sent_bytes > 0 ? StagesTexts::tr("%1, sends %2").arg(row.blocks, bytesText(row.sent_bytes)) : row.blocks;
}

QString stagesWords(const std::vector<StageRow>& rows) {
  QStringList words;
  for (const StageRow& row : rows)
    words << StagesTexts::tr("stage %1 on %2 with %3, %4")
                 .arg(QString::number(row.stage), row.lanes, macsText(row), memoryText(row));
  return words.isEmpty() ? QString()
                         : StagesTexts::tr("Stages: %1.").arg(look::spokenList(words, QStringLiteral("; ")));
}

/// Draws all rows into one rectangle.
class StagesPainter {
 public:
  StagesPainter(QPainter& painter, const QRectF& area, const look::Palette& palette, const std::vector<StageRow>& rows)
      : m_painter(painter),
        m_area(area),
        m_palette(palette),
        m_rows(rows),
        m_text(pixelFont(look::textFont())),
        m_small(pixelFont(look::smallFont())) {
    const QFontMetricsF small(m_small);
    for (const StageRow& row : rows) {
      m_most_percent = std::max(m_most_percent, row.macs_percent);
      m_most_bytes = std::max(m_most_bytes, static_cast<double>(row.memory_bytes));
      for (const QString& words : {macsText(row), memoryText(row)})
        m_figures = std::max(m_figures, small.horizontalAdvance(words));
    }
  }

  void paint() const {
    for (std::size_t i = 0; i < m_rows.size(); ++i)
      paintRow(m_rows[i], m_area.top() + kStageHeight * static_cast<qreal>(i));
  }

 private:
  void paintRow(const StageRow& row, qreal top) const {
    const QFontMetricsF text(m_text), small(m_small);
    const qreal room = kStageNames - kBesideBar;
    const qreal name = top + look::kGrid + text.ascent();
    m_painter.setFont(m_text);
    m_painter.setPen(m_palette.text);
    m_painter.drawText(QPointF(m_area.left(), name),
                       text.elidedText(StagesTexts::tr("Stage %1: %2").arg(QString::number(row.stage), row.lanes),
                                       Qt::ElideRight, room));
    m_painter.setFont(m_small);
    m_painter.setPen(m_palette.muted_text);
    m_painter.drawText(QPointF(m_area.left(), name + small.height()),
                       small.elidedText(sentText(row), Qt::ElideMiddle, room));
    paintBar(top + look::kGrid, row.macs_percent / m_most_percent, m_palette.accent, macsText(row));
    paintBar(top + look::kGrid + kStageBar + look::kGrid, static_cast<double>(row.memory_bytes) / m_most_bytes,
             m_palette.pale(m_palette.accent, 0.6), memoryText(row));
  }

  void paintBar(qreal top, double share, const QColor& fill, const QString& words) const {
    const QFontMetricsF small(m_small);
    const qreal left = m_area.left() + kStageNames;
    const QRectF bar(left, top, (m_area.right() - left - m_figures - kBesideBar) * share, kStageBar);
    m_painter.setPen(QPen(m_palette.outline, 1));
    m_painter.setBrush(fill);
    m_painter.drawRect(bar);
    m_painter.setFont(m_small);
    m_painter.setPen(m_palette.text);
    m_painter.drawText(QPointF(bar.right() + kBesideBar, bar.center().y() + small.capHeight() / 2), words);
  }

  QPainter& m_painter;
  QRectF m_area;
  const look::Palette& m_palette;
  const std::vector<StageRow>& m_rows;
  QFont m_text, m_small;
  double m_most_percent = 1e-9, m_most_bytes = 1;
  qreal m_figures = 0;
};

}  // namespace

Picture stagesPicture(const std::vector<StageRow>& rows, const QString& variant, const QString& caption,
                      const QString& metadata) {
  const auto paint = [rows](QPainter& painter, const QRectF& area, const look::Palette& palette) {
    StagesPainter(painter, area, palette, rows).paint();
  };
  const QSizeF size(kStagesWidth, kStageHeight * static_cast<qreal>(std::max<std::size_t>(rows.size(), 1)));
  return {StagesTexts::tr("Stages of %1").arg(variant),
          StagesTexts::tr("%1. Parameters and activations as the network has them, not measured.").arg(caption),
          size,
          paint,
          metadata,
          stagesWords(rows)};
}

}  // namespace lanelab
