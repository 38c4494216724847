// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/match_painter.h"

#include <algorithm>
#include <cmath>

namespace lanelab {
namespace {

const QColor kFound(0xf5, 0xc7, 0x10);  ///< Okabe-Ito's amber: of no action, and seen on all of them
constexpr double kNearest = 3;          ///< pixels between two outlines
constexpr double kMarkHeight = 3;

}  // namespace

MatchPainter::MatchPainter(const FoundSpans& found, const TimelineLayout& layout, TimeRange range,
                           const look::Palette& palette)
    : m_found(found), m_layout(layout), m_palette(palette), m_scale(layout.scale(range)) {}

std::vector<MatchPainter::Piece> MatchPainter::piecesOf(std::size_t row_index) const {
  const std::vector<std::uint32_t>& positions = m_found.ofRow(row_index);
  std::vector<Piece> pieces;
  if (positions.empty() || m_scale.degenerate()) return pieces;
  const Row& row = m_found.data().rows()[row_index];
  const Track& track = m_found.data().track(row);
  const auto seen = visibleSpans(row, track, m_scale.range);
  auto match = std::lower_bound(positions.begin(), positions.end(), seen.first);
  while (match != positions.end() && *match < seen.last) {
    const TimeRange range = intersection(m_found.data().span({row_index, *match}).range(), m_scale.range);
    const double x0 = std::round(m_scale.x(range.start)), x1 = std::max(std::round(m_scale.x(range.end)), x0 + 1);
    if (pieces.empty() || x0 - pieces.back().x1 >= kNearest)
      pieces.push_back({x0, x1});
    else
      pieces.back().x1 = std::max(pieces.back().x1, x1);
    ++match;
    // All that ends within this pixel changes nothing.
    if (match == positions.end() || m_scale.x(m_found.data().span({row_index, *match}).end) > x1) continue;
    const Nanoseconds beyond = std::max(m_scale.time(x1), m_scale.range.start);
    match = std::lower_bound(match, positions.end(), visibleSpans(row, track, {beyond, m_scale.range.end}).first);
  }
  return pieces;
}

const RowBox* MatchPainter::shownBoxOf(std::size_t row) const {
  if (const RowBox* box = m_layout.boxOf(row)) return box;
  const int lane = m_found.data().rows()[row].lane;
  for (const RowBox& box : m_layout.rows)
    if (m_found.data().rows()[box.row].lane == lane) return &box;
  return nullptr;
}

void MatchPainter::paint(QPainter& painter) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setBrush(Qt::NoBrush);
  for (std::size_t row = 0; row < m_found.data().rows().size(); ++row) {
    const RowBox* box = shownBoxOf(row);
    if (!box || box->rect.bottom() < m_layout.body.top() || box->rect.top() > m_layout.body.bottom()) continue;
    const bool hidden = box->row != row;
    for (const Piece& piece : piecesOf(row)) {
      const QRectF rect(piece.x0, box->rect.top(), piece.x1 - piece.x0, box->rect.height());
      if (hidden || rect.width() < 2 * kNearest) {
        const QRectF mark =
            hidden ? QRectF(rect.left(), rect.bottom() - kMarkHeight, std::max(rect.width(), 2.0), kMarkHeight) : rect;
        painter.fillRect(mark.adjusted(-1, -1, 1, 1), m_palette.outline);
        painter.fillRect(mark, kFound);
        continue;
      }
      painter.setPen(QPen(m_palette.outline, 1));
      painter.drawRect(rect.adjusted(0, 0, -1, -1));
      painter.drawRect(rect.adjusted(3, 3, -4, -4));
      painter.setPen(QPen(kFound, 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
      painter.drawRect(rect.adjusted(2, 2, -2, -2));
    }
  }
  painter.restore();
}

}  // namespace lanelab
