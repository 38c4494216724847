// SPDX-License-Identifier: GPL-3.0-only
// The one way from a scene to PNG, SVG and PDF: a Picture paints itself at any size with any palette; exports are on
// white, with caption.
#pragma once

#include <QImage>
#include <QSizeF>
#include <QString>
#include <functional>

#include "base/result.h"
#include "ui/look/theme.h"

class QPainter;
class QRectF;

namespace lanelab {

struct Picture {
  QString title;
  QString caption;  ///< what, n, spread, measured or predicted: drawn under the picture in every export
  QSizeF size;      ///< of the body in logical pixels (96 a inch)
  std::function<void(QPainter&, const QRectF&, const look::Palette&)> paint;
  QString metadata;  ///< the experiment's JSON, kept as text chunk "lanelab" in a PNG
  /// For screen readers: what is drawn, in one to three sentences with figures; empty: the caption says it.
  QString words = {};
};

enum class PictureFormat { Png, Svg, Pdf };

/// The picture as exported: white, title above, caption below. Aside first, then renamed, so a failure leaves an older
/// file whole. PNG has 300 dpi and 3 device pixels a logical pixel. SVG and PDF hold lines and real text; as Qt's SVG
/// knows no clipping, `paint` must stay inside its rectangle by itself. GUI thread.
Status savePicture(const Picture& picture, PictureFormat format, const QString& path);
/// By the file extension; BadInput when it is none of png, svg, pdf.
Result<PictureFormat> pictureFormatOf(const QString& path);
/// The <svg> element, for the HTML report.
QString svgElement(const Picture& picture);
/// The same page, title and caption included, in any palette: for tests and screenshots.
QImage render(const Picture& picture, const look::Palette& palette, qreal scale = 1);

}  // namespace lanelab
