// Cells that ask for some air beside their text, so that columns of numbers and words do not touch.
#pragma once

#include <QStyledItemDelegate>

#include "ui/look/theme.h"

namespace lanelab {

class RoomyDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(4 * look::kGrid, 0);
  }
};

}  // namespace lanelab
