// SPDX-License-Identifier: GPL-3.0-only
// A Picture on the screen: painted over the whole widget in the palette in use, named for screen readers by its title
// and caption.
#pragma once

#include <QWidget>

#include "ui/export/picture.h"

namespace lanelab {

class PictureView : public QWidget {
 public:
  using QWidget::QWidget;

  void setPicture(const Picture& picture);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Picture m_picture;
};

}  // namespace lanelab
