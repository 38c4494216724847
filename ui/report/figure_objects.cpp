// SPDX-License-Identifier: GPL-3.0-only
#include "ui/report/figure_objects.h"

#include <QPainter>
#include <QTextFormat>
#include <utility>

namespace lanelab {

namespace {
const QString kFigureAddress = QStringLiteral("figure:");
}

FigureObjects::FigureObjects(std::vector<Picture> figures, QSizeF room) : m_figures(std::move(figures)), m_room(room) {}

QString FigureObjects::nameOf(std::size_t figure) { return kFigureAddress + QString::number(figure); }

QSizeF FigureObjects::intrinsicSize(QTextDocument*, int, const QTextFormat& format) {
  const Picture* const figure = figureOf(format);
  if (!figure) return {};
  const bool fits = figure->size.width() <= m_room.width() && figure->size.height() <= m_room.height();
  return fits ? figure->size : figure->size.scaled(m_room, Qt::KeepAspectRatio);
}

void FigureObjects::drawObject(QPainter* painter, const QRectF& place, QTextDocument*, int, const QTextFormat& format) {
  const Picture* const figure = figureOf(format);
  if (!figure) return;
  painter->save();
  painter->translate(place.topLeft());
  painter->scale(place.width() / figure->size.width(), place.height() / figure->size.height());
  figure->paint(*painter, QRectF(QPointF(), figure->size), look::printPalette());
  painter->restore();
}

const Picture* FigureObjects::figureOf(const QTextFormat& format) const {
  bool known = false;
  const auto index = format.toImageFormat().name().mid(kFigureAddress.size()).toULong(&known);
  if (!known || index >= m_figures.size()) return nullptr;
  const Picture& figure = m_figures[index];
  return figure.paint && !figure.size.isEmpty() ? &figure : nullptr;
}

}  // namespace lanelab
