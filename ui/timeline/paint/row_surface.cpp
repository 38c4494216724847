// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/row_surface.h"

#include <algorithm>
#include <cmath>

namespace lanelab {
namespace {

constexpr int kPlateHeight = 16;

}  // namespace

void ColumnProfile::set(int x0, int x1, int height, QRgb color) {
  const int from = std::max(x0, m_area.left()), to = std::min(x1, m_area.right() + 1),
            high = std::min(height, m_area.height());
  if (from >= to || high <= 0) return;
  if (m_heights.empty()) {
    m_heights.resize(static_cast<std::size_t>(m_area.width()));
    m_colors.resize(m_heights.size());
  }
  std::fill_n(m_heights.begin() + (from - m_area.left()), to - from, high);
  std::fill_n(m_colors.begin() + (from - m_area.left()), to - from, color);
}

QRect plateOf(const LabelOrder& order, const LabelPlace& place) {
  return QRectF(std::round(place.left) - order.margin / 2, order.room.center().y() - kPlateHeight / 2.0,
                place.text->width + order.margin, kPlateHeight)
      .toRect();
}

}  // namespace lanelab
