// SPDX-License-Identifier: GPL-3.0-only
// Cells that ask for some air beside their text, so that columns of numbers and words do not touch.
#pragma once

#include <QStyledItemDelegate>

#include "ui/look/theme.h"

namespace lanelab {

class RoomyDelegate : public QStyledItemDelegate {
 public:
  explicit RoomyDelegate(QObject* parent, int air = 4 * look::kGrid) : QStyledItemDelegate(parent), m_air(air) {}
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(m_air, 0);
  }

 private:
  int m_air;
};

}  // namespace lanelab
