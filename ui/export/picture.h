// The one way from a scene to PNG, SVG and PDF: a Picture paints itself at any size with any palette; exports are on white, with caption.
#pragma once

#include <QImage>
#include <QSizeF>
#include <QString>
#include <functional>

#include "engine/base/result.h"
#include "ui/look/theme.h"

class QPainter;
class QRectF;

namespace lanelab {

struct Picture {
  QString title;
  QString caption;   ///< what, n, spread, measured or predicted: drawn under the picture in every export
  QSizeF size;       ///< of the body in logical pixels (96 a inch)
  std::function<void(QPainter&, const QRectF&, const look::Palette&)> paint;
  QString metadata;  ///< the experiment's JSON, kept as text chunk "lanelab" in a PNG
};

enum class PictureFormat { Png, Svg, Pdf };

/// Aside first, then renamed. PNG has 300 dpi and 3 device pixels a logical pixel.
Status savePicture(const Picture& picture, PictureFormat format, const QString& path);
/// By the file's ending; BadInput when it is none of png, svg, pdf.
Result<PictureFormat> pictureFormatOf(const QString& path);
/// The <svg> element, for the HTML report.
QString svgElement(const Picture& picture);
/// As shown, for tests and screenshots.
QImage render(const Picture& picture, const look::Palette& palette, qreal scale = 1);

}  // namespace lanelab
