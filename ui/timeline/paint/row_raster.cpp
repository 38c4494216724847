// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/row_raster.h"

#include <QPainter>
#include <algorithm>
#include <cstring>

#include "ui/timeline/paint/raster_surface.h"

namespace lanelab {
namespace {

constexpr int kTileWidth = 1024;
constexpr std::size_t kFewRows = 8;  ///< painted before another thread has woken up

PixelPlane planeOf(QImage& image) {
  return {reinterpret_cast<QRgb*>(image.bits()), image.bytesPerLine() / static_cast<std::ptrdiff_t>(sizeof(QRgb))};
}

/// The picture's background at line `y`, with what is idle over it. A row's lines differ by the place of the hatch
/// alone.
IdleLines idleLines(const PixelPlane& pixels, const QRect& body, int y, const RowPainter& rows,
                    const HatchTile& hatch) {
  IdleLines idle;
  idle.left = body.left();
  for (int phase = 0; phase < kIdleSpacing; ++phase) {
    std::vector<QRgb> line(pixels.at(body.left(), y), pixels.at(body.left(), y) + body.width());
    for (const auto& [x0, x1] : rows.idlePieces()) {
      const int from = std::max(x0, body.left()), to = std::min(x1, body.right() + 1);
      if (from < to) hatch.write(line.data() + (from - body.left()), from, phase, to - from);
    }
    idle.lines.push_back(std::move(line));
  }
  return idle;
}

}  // namespace

/// Drawn by look::hatch(), so that both look the same. The pattern repeats after `spacing` pixels, downwards and to the
/// right.
HatchTile::HatchTile(QRgb fill, const Hatch& hatch)
    : m_spacing(hatch.spacing), m_pixels(kTileWidth + hatch.spacing, hatch.spacing, QImage::Format_RGB32) {
  m_pixels.fill(fill);
  QPainter painter(&m_pixels);
  look::hatch(painter, m_pixels.rect(), QColor::fromRgb(hatch.lines), hatch.spacing);
}

void HatchTile::write(QRgb* to, int x, int y, int count) const {
  const auto* const line = reinterpret_cast<const QRgb*>(m_pixels.constScanLine(y % m_spacing));
  while (count > 0) {
    const int phase = x % m_spacing, run = std::min(count, kTileWidth);
    std::memcpy(to, line + phase, static_cast<std::size_t>(run) * sizeof(QRgb));
    to += run;
    x += run;
    count -= run;
  }
}

const HatchTile& RowRaster::tileOf(QRgb fill, const Hatch& hatch) {
  return m_tiles.try_emplace({fill, hatch.lines, hatch.spacing}, fill, hatch).first->second;
}

void RowRaster::clear(QImage& image, QRgb color) {
  const PixelPlane pixels = planeOf(image);
  const int width = image.width(), height = image.height();
  constexpr std::size_t kParts = 4;
  m_pool.run(kParts, [&](std::size_t part) {
    const int from = height * static_cast<int>(part) / static_cast<int>(kParts),
              to = height * static_cast<int>(part + 1) / static_cast<int>(kParts);
    if (from < to) std::fill_n(pixels.at(0, from), width, color);
    for (int y = from + 1; y < to; ++y)
      std::memcpy(pixels.at(0, y), pixels.at(0, from), static_cast<std::size_t>(width) * sizeof(QRgb));
  });
}

void RowRaster::paint(QImage& image, const QRect& clip, const RowPainter& rows, LabelCache& labels) {
  const std::vector<RowBox>& boxes = rows.visible();
  const QRect inside = clip & image.rect();
  const QRect body = rows.layout().body.toRect() & inside;
  const auto first =
      std::find_if(boxes.begin(), boxes.end(), [&](const RowBox& box) { return box.rect.toRect().intersects(body); });
  if (first == boxes.end()) return;
  const PixelPlane pixels = planeOf(image);
  for (const auto& [fill, hatch] : rows.hatched()) tileOf(fill, hatch);
  const int y = (first->rect.toRect() & body).top();
  const IdleLines idle =
      idleLines(pixels, body, y, rows,
                tileOf(rows.palette().idle_background.rgb(), {rows.palette().idle_hatch.rgb(), kIdleSpacing}));
  std::vector<std::vector<LabelOrder>> missing(boxes.size());
  const auto paintRow = [&](std::size_t place) {
    RasterSurface surface(pixels, inside, idle, m_tiles, labels);
    rows.paint(surface, boxes[place]);
    missing[place] = surface.missing();
  };
  if (boxes.size() < kFewRows) {
    for (std::size_t place = 0; place < boxes.size(); ++place) paintRow(place);
  } else {
    m_pool.run(boxes.size(), paintRow);
  }
  for (const std::vector<LabelOrder>& orders : missing) {
    for (const LabelOrder& order : orders) {
      labels.make(order.key, rows.data(), true);
      RasterSurface(pixels, inside, idle, m_tiles, labels).label(order);
    }
  }
}

}  // namespace lanelab
