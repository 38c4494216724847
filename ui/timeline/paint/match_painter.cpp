// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/layers.h"

#include <algorithm>
#include <cmath>

#include "ui/timeline/model/found_spans.h"

namespace lanelab {
namespace {

const QColor kFound(0xf5, 0xc7, 0x10);  ///< Okabe-Ito's amber: of no action, and seen on all of them
constexpr double kNearestOutlines = 3;  ///< pixels between two outlines
constexpr double kMarkHeight = 3;

struct Piece {
  double x0 = 0;
  double x1 = 0;
};

/// Whole pixels, in order, apart by at least a few.
std::vector<Piece> piecesOf(const TimelineScene& scene, const FoundSpans& found, std::size_t row_index) {
  const std::vector<std::uint32_t>& positions = found.ofRow(row_index);
  std::vector<Piece> pieces;
  if (positions.empty() || scene.scale.degenerate()) return pieces;
  const Row& row = scene.data.rows()[row_index];
  const Track& track = scene.data.track(row);
  const auto seen = visibleSpans(row, track, scene.scale.range);
  auto match = std::lower_bound(positions.begin(), positions.end(), seen.first);
  while (match != positions.end() && *match < seen.last) {
    const TimeRange range = intersection(scene.data.span({row_index, *match}).range(), scene.scale.range);
    const double x0 = std::round(scene.scale.x(range.start)),
                 x1 = std::max(std::round(scene.scale.x(range.end)), x0 + 1);
    if (pieces.empty() || x0 - pieces.back().x1 >= kNearestOutlines)
      pieces.push_back({x0, x1});
    else
      pieces.back().x1 = std::max(pieces.back().x1, x1);
    ++match;
    // All that ends within this pixel changes nothing.
    if (match == positions.end() || scene.scale.x(scene.data.span({row_index, *match}).end) > x1) continue;
    const Nanoseconds beyond = std::max(scene.scale.time(x1), scene.scale.range.start);
    match = std::lower_bound(match, positions.end(), visibleSpans(row, track, {beyond, scene.scale.range.end}).first);
  }
  return pieces;
}

}  // namespace

void paintMatches(QPainter& painter, const TimelineScene& scene, const FoundSpans& found) {
  const look::PainterScope scope(painter, /*antialiased=*/false);
  painter.setBrush(Qt::NoBrush);
  for (std::size_t row = 0; row < scene.data.rows().size(); ++row) {
    const RowBox* box = scene.shownBoxOf(row);
    if (!box || !scene.isSeen(box->rect)) continue;
    const bool hidden = box->row != row;
    for (const Piece& piece : piecesOf(scene, found, row)) {
      const QRectF rect(piece.x0, box->rect.top(), piece.x1 - piece.x0, box->rect.height());
      if (hidden || rect.width() < 2 * kNearestOutlines) {
        const QRectF mark =
            hidden ? QRectF(rect.left(), rect.bottom() - kMarkHeight, std::max(rect.width(), 2.0), kMarkHeight) : rect;
        painter.fillRect(mark.adjusted(-1, -1, 1, 1), scene.palette.outline);
        painter.fillRect(mark, kFound);
        continue;
      }
      painter.setPen(QPen(scene.palette.outline, 1));
      painter.drawRect(rect.adjusted(0, 0, -1, -1));
      painter.drawRect(rect.adjusted(3, 3, -4, -4));
      painter.setPen(QPen(kFound, 2, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
      painter.drawRect(rect.adjusted(2, 2, -2, -2));
    }
  }
}

}  // namespace lanelab
