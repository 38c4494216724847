// SPDX-License-Identifier: GPL-3.0-only
#include "ui/export/picture_view.h"

#include <QPainter>

namespace lanelab {

void PictureView::setPicture(const Picture& picture) {
  m_picture = picture;
  setAccessibleName(picture.title);
  setAccessibleDescription(picture.caption);
  update();
}

void PictureView::paintEvent(QPaintEvent*) {
  if (!m_picture.paint) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  m_picture.paint(painter, QRectF(rect()), look::current());
}

}  // namespace lanelab
