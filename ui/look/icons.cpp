// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

#include "ui/look/theme.h"

namespace lanelab::look {
namespace {

/// Draws the SVG again for each request, so that one icon serves every scheme, state and pixel ratio.
class LineIconEngine : public QIconEngine {
 public:
  explicit LineIconEngine(QByteArray svg) : m_svg(std::move(svg)) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    QByteArray svg = m_svg;
    svg.replace("currentColor", colorFor(mode).name().toLatin1());
    QSvgRenderer renderer(svg);
    renderer.setAspectRatioMode(Qt::KeepAspectRatio);
    const PainterScope scope(*painter, /*antialiased=*/true);
    renderer.render(painter, rect);
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(0, 0), size), mode, state);
    return pixmap;
  }

  QIconEngine* clone() const override { return new LineIconEngine(m_svg); }

 private:
  static QColor colorFor(QIcon::Mode mode) {
    const Palette& palette = current();
    if (mode == QIcon::Disabled) return mix(palette.muted_text, palette.window, 0.5);
    if (mode == QIcon::Selected) return inkOn(palette.accent);
    return palette.text;
  }

  QByteArray m_svg;
};

}  // namespace

QIcon icon(const QString& name) {
  QFile file(QStringLiteral(":/lanelab/icons/%1.svg").arg(name));
  return file.open(QIODevice::ReadOnly) ? QIcon(new LineIconEngine(file.readAll())) : QIcon();
}

QIcon dotMark(bool shown) {
  constexpr double kRadius = 4;
  QPixmap pixels(kDotSize, kDotSize);
  pixels.fill(Qt::transparent);
  if (!shown) return QIcon(pixels);
  QPainter painter(&pixels);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(current().accent);
  painter.drawEllipse(QPointF(kDotSize / 2.0, kDotSize / 2.0), kRadius, kRadius);
  painter.end();
  return QIcon(pixels);
}

QIcon programIcon() { return icon(QStringLiteral("lanelab")); }

}  // namespace lanelab::look
