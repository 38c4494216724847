// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/view/flat_bar.h"

#include <QPainter>
#include <QStyle>
#include <QStyleOptionSlider>

#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr int kArrow = 8;

}  // namespace

FlatBar::FlatBar(Qt::Orientation orientation, QWidget* parent) : QScrollBar(orientation, parent) {
  setAttribute(Qt::WA_OpaquePaintEvent);
}

void FlatBar::paintEvent(QPaintEvent*) {
  QStyleOptionSlider option;
  initStyleOption(&option);
  const auto part = [&](QStyle::SubControl control) {
    return style()->subControlRect(QStyle::CC_ScrollBar, &option, control, this);
  };
  const look::Palette& palette = look::current();
  QPainter painter(this);
  painter.fillRect(rect(), palette.window);
  painter.fillRect(orientation() == Qt::Horizontal ? QRect(0, 0, width(), 1) : QRect(0, 0, 1, height()), palette.line);
  const bool held = isSliderDown() || underMouse();
  painter.fillRect(part(QStyle::SC_ScrollBarSlider).adjusted(2, 3, -2, -2),
                   look::mix(palette.line, palette.muted_text, held ? 0.7 : 0.4));
  paintArrow(painter, part(QStyle::SC_ScrollBarSubLine), false);
  paintArrow(painter, part(QStyle::SC_ScrollBarAddLine), true);
}

void FlatBar::paintArrow(QPainter& painter, const QRect& button, bool forwards) const {
  QStyleOption option;
  option.initFrom(this);
  option.rect = QRect(0, 0, kArrow, kArrow);
  option.rect.moveCenter(button.center());
  const bool across = orientation() == Qt::Horizontal;
  const QStyle::PrimitiveElement arrow =
      across ? (forwards ? QStyle::PE_IndicatorArrowRight : QStyle::PE_IndicatorArrowLeft)
             : (forwards ? QStyle::PE_IndicatorArrowDown : QStyle::PE_IndicatorArrowUp);
  style()->drawPrimitive(arrow, &option, &painter, this);
}

}  // namespace lanelab
