// Short labels, centred in spans. A timeline repeats few different ones many times, so on a screen each is drawn once and copied from then on;
// elsewhere (SVG, PDF, scaled pictures) they are real text.
#pragma once

#include <QFont>
#include <QHash>
#include <QPainter>
#include <QPixmap>

namespace lanelab {

class LabelPainter {
 public:
  explicit LabelPainter(const QFont& font);
  double widthOf(const QString& label);
  /// `left` and `middle` of the text in logical pixels; the text's capitals are centred on `middle`.
  void draw(QPainter& painter, double left, double middle, const QString& label, const QColor& ink);

 private:
  QPixmap pixmapOf(const QString& label, const QColor& ink, qreal ratio);

  QFont m_font;
  double m_ascent;
  double m_height;
  double m_capitals;
  QHash<QString, double> m_widths;
  QHash<QPair<QString, QRgb>, QPixmap> m_pixmaps;
};

}  // namespace lanelab
