// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/flow_layout.h"

#include <algorithm>
#include <cstddef>

namespace lanelab::look {

QLayoutItem* FlowLayout::itemAt(int index) const {
  return index < 0 || index >= count() ? nullptr : m_items[static_cast<std::size_t>(index)].get();
}

QLayoutItem* FlowLayout::takeAt(int index) {
  if (index < 0 || index >= count()) return nullptr;
  QLayoutItem* const item = m_items[static_cast<std::size_t>(index)].release();
  m_items.erase(m_items.begin() + index);
  return item;
}

void FlowLayout::setGeometry(const QRect& area) {
  QLayout::setGeometry(area);
  arrange(area, /*move=*/true);
}

QSize FlowLayout::sizeHint() const {
  QSize size(0, 0);
  for (const auto& item : m_items) {
    if (item->isEmpty()) continue;
    const QSize hint = item->sizeHint();
    size = {size.width() + (size.width() > 0 ? m_between : 0) + hint.width(), std::max(size.height(), hint.height())};
  }
  return size;
}

QSize FlowLayout::minimumSize() const {
  QSize size(0, 0);
  for (const auto& item : m_items)
    if (!item->isEmpty()) size = size.expandedTo(item->minimumSize());
  return size;
}

int FlowLayout::arrange(const QRect& area, bool move) const {
  QPoint at = area.topLeft();
  int height = 0;  // of the row
  for (const auto& item : m_items) {
    if (item->isEmpty()) continue;
    const QSize size = item->sizeHint();
    if (at.x() > area.x() && at.x() + size.width() > area.x() + area.width()) {
      at = {area.x(), at.y() + height + m_between_rows};
      height = 0;
    }
    if (move) item->setGeometry({at, size});
    at.rx() += size.width() + m_between;
    height = std::max(height, size.height());
  }
  return at.y() + height - area.y();
}

}  // namespace lanelab::look
