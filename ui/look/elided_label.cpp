// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/elided_label.h"

#include <QPainter>

#include "ui/look/plain_text.h"

namespace lanelab {

ElidedLabel::ElidedLabel(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ElidedLabel::setText(const QString& text) {
  const QString shown = look::shownText(text);
  if (shown == m_text) return;
  m_text = shown;
  setToolTip(shown);
  setAccessibleName(shown);
  updateGeometry();
  update();
}

QSize ElidedLabel::sizeHint() const { return {fontMetrics().horizontalAdvance(m_text), fontMetrics().height()}; }
QSize ElidedLabel::minimumSizeHint() const { return {0, fontMetrics().height()}; }

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(palette().color(QPalette::WindowText));
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(m_text, Qt::ElideRight, width()));
}

}  // namespace lanelab
