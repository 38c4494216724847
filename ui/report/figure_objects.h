// SPDX-License-Identifier: GPL-3.0-only
// Draws figures where a rich text has images, as lines and text rather than pixels. Thread: GUI.
#pragma once

#include <QTextObjectInterface>
#include <vector>

#include "ui/export/picture.h"

namespace lanelab {

/// Register it at the layout of a document whose images have addresses of nameOf(); it must outlive the layout's use.
class FigureObjects : public QObject, public QTextObjectInterface {
  Q_OBJECT
  Q_INTERFACES(QTextObjectInterface)

 public:
  /// Figures larger than `room` are made smaller.
  FigureObjects(std::vector<Picture> figures, QSizeF room);

  /// The address of a figure, by its index.
  static QString nameOf(std::size_t figure);

  QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
  void drawObject(QPainter* painter, const QRectF& place, QTextDocument* document, int position,
                  const QTextFormat& format) override;

 private:
  /// Null for the address of no figure, and for one without a size.
  const Picture* figureOf(const QTextFormat& format) const;

  std::vector<Picture> m_figures;
  QSizeF m_room;
};

}  // namespace lanelab
