// SPDX-License-Identifier: GPL-3.0-only
// A Picture on the screen: painted over the whole widget in the palette in use, named for screen readers by its title
// and described by its words.
#pragma once

#include <QPainter>
#include <QWidget>

#include "ui/export/picture.h"

namespace lanelab {

class PictureView : public QWidget {
 public:
  using QWidget::QWidget;

  void setPicture(const Picture& picture) {
    m_picture = picture;
    setAccessibleName(picture.title);
    setAccessibleDescription(picture.words.isEmpty() ? picture.caption : picture.words);
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    if (!m_picture.paint) return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    m_picture.paint(painter, QRectF(rect()), look::current());
  }

 private:
  Picture m_picture;
};

}  // namespace lanelab
