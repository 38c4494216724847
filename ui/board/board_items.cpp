// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/board_items.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "ui/look/quantity_text.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr qreal kRadius = 4;

/// Dark on light fills, light on dark ones.
QColor inkOn(const QColor& fill) {
  return fill.lightnessF() > 0.5F ? QColor(0x1a, 0x1a, 0x1a) : QColor(0xf5, 0xf5, 0xf5);
}

struct FittedName {
  QString text;
  QFont font;
};

/// The whole name where it fits, else the short one, else that in the small font, cut at last.
FittedName fitting(const QString& name, qreal width) {
  const QString shorter = shortBlockName(name);
  const FittedName tries[] = {{name, look::textFont()}, {shorter, look::textFont()}, {shorter, look::smallFont()}};
  for (const FittedName& fitted : tries) {
    if (QFontMetricsF(fitted.font).horizontalAdvance(fitted.text) <= width) return fitted;
  }
  return {QFontMetricsF(look::smallFont()).elidedText(shorter, Qt::ElideRight, width), look::smallFont()};
}

}  // namespace

QString shortBlockName(const QString& name) { return name.startsWith("layer") ? name.mid(5) : name; }

ChipItem::ChipItem() { setZValue(1); }

void ChipItem::show(const QRectF& rect, const Look& look, const QString& tip) {
  if (rect != m_rect) prepareGeometryChange();
  m_rect = rect;
  m_look = look;
  setToolTip(tip);
  setZValue(look.focused ? 1.5 : 1);
  update();
}

QRectF ChipItem::boundingRect() const { return m_rect.adjusted(-3, -3, 3, 3); }

void ChipItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  const look::Palette& palette = look::current();
  const QColor fill = palette.group(m_look.group);
  painter->setRenderHint(QPainter::Antialiasing);
  QPen pen(m_look.selected || m_look.moved ? palette.accent : palette.outline, m_look.selected || m_look.moved ? 2 : 1);
  if (m_look.moved) pen.setStyle(Qt::DashLine);
  painter->setPen(pen);
  painter->setBrush(fill);
  const qreal inset = pen.widthF() / 2;
  painter->drawRoundedRect(m_rect.adjusted(inset, inset, -inset, -inset), kRadius, kRadius);
  if (m_look.focused) {
    painter->setPen(QPen(palette.accent, 1, Qt::DotLine));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(m_rect.adjusted(-2, -2, 2, 2), kRadius + 2, kRadius + 2);
  }
  const QFontMetricsF name_metrics(look::textFont());
  const QFontMetricsF share_metrics(look::smallFont());
  const QString share = QObject::tr("%1 %").arg(qRound(m_look.share * 100));
  const QRectF inside = m_rect.adjusted(2, 0, -2, 0);
  const bool two_lines = m_rect.height() >= name_metrics.height() + share_metrics.height() + 2 &&
                         share_metrics.horizontalAdvance(share) <= inside.width();
  const qreal text_height = name_metrics.height() + (two_lines ? share_metrics.height() : 0);
  const qreal top = m_rect.center().y() - text_height / 2;
  QColor ink = inkOn(fill);
  painter->setPen(ink);
  const FittedName name = fitting(m_look.name, inside.width());
  painter->setFont(name.font);
  painter->drawText(QRectF(inside.left(), top, inside.width(), name_metrics.height()), Qt::AlignCenter, name.text);
  if (!two_lines) return;
  ink.setAlphaF(0.75F);
  painter->setPen(ink);
  painter->setFont(look::smallFont());
  painter->drawText(QRectF(inside.left(), top + name_metrics.height(), inside.width(), share_metrics.height()),
                    Qt::AlignCenter, share);
}

CutItem::CutItem(const BoardGeometry::Cut& cut, bool active) : m_cut(cut), m_active(active) {
  setZValue(active ? 3 : 2);
  setToolTip(QObject::tr("%1 a micro-batch from lane %2 to lane %3. Drag sideways to move the cut.")
                 .arg(bytesText(cut.bytes))
                 .arg(cut.from.value)
                 .arg(cut.to.value));
}

QRectF CutItem::boundingRect() const {
  const QRectF line = QRectF(m_cut.line.p1(), m_cut.line.p2()).normalized();
  return line.united(m_cut.handle).adjusted(-3, -3, 3, 3);
}

void CutItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  const look::Palette& palette = look::current();
  const QColor color = m_active ? palette.accent : palette.muted_text;
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(QPen(color, m_active ? 2 : 1.5));
  painter->drawLine(m_cut.line);
  painter->setPen(QPen(color, 1));
  painter->setBrush(palette.surface);
  const qreal radius = m_cut.handle.height() / 2;
  painter->drawRoundedRect(m_cut.handle, radius, radius);
  painter->setPen(palette.text);
  painter->setFont(look::smallFont());
  if (m_cut.labelled) {
    painter->drawText(m_cut.handle, Qt::AlignCenter, bytesText(m_cut.bytes));
  } else {
    const QPointF centre = m_cut.handle.center();
    for (const qreal x : {-2.0, 2.0}) painter->drawLine(centre + QPointF(x, -3), centre + QPointF(x, 3));
  }
}

GhostItem::GhostItem() {
  setZValue(4);
  setVisible(false);
}

void GhostItem::show(const std::vector<QRectF>& origins, const std::vector<QString>& groups, QPointF offset) {
  prepareGeometryChange();
  m_origins = origins;
  m_groups = groups;
  m_offset = offset;
  setVisible(!origins.empty());
  update();
}

QRectF GhostItem::boundingRect() const {
  QRectF all;
  for (const QRectF& rect : m_origins) all = all.united(rect).united(rect.translated(m_offset));
  return all.adjusted(-2, -2, 2, 2);
}

void GhostItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  const look::Palette& palette = look::current();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(QPen(palette.muted_text, 1, Qt::DashLine));
  painter->setBrush(Qt::NoBrush);
  for (const QRectF& rect : m_origins) painter->drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
  painter->setOpacity(0.45);
  painter->setPen(QPen(palette.outline, 1));
  for (std::size_t i = 0; i < m_origins.size(); ++i) {
    painter->setBrush(palette.group(m_groups[i]));
    painter->drawRoundedRect(m_origins[i].translated(m_offset).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
  }
}

}  // namespace lanelab
