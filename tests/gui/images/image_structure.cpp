// SPDX-License-Identifier: GPL-3.0-only
#include "tests/gui/images/image_structure.h"

#include <cmath>

namespace lanelab::test {

namespace {

constexpr int kTile = 10;               ///< cells across and down
constexpr double kMostBrightness = 14;  ///< of 255
constexpr double kMostSpread = 10;
constexpr double kMostSpreadShare = 0.4;  ///< of the stored spread, if that is more

struct TileFigures {
  double mean = 0, spread = 0;  ///< of the cells' luminance; the spread is a standard deviation
};

TileFigures figuresOf(const QImage& cells, const QRect& tile) {
  double sum = 0, squares = 0;
  for (int y = tile.top(); y <= tile.bottom(); ++y)
    for (int x = tile.left(); x <= tile.right(); ++x) {
      const double value = qGray(cells.pixel(x, y));
      sum += value;
      squares += value * value;
    }
  const double count = tile.width() * tile.height();
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean))};
}

QString fault(const QRect& tile, const char* what, double seen, double stored) {
  return QStringLiteral("at %1, %2: %3 %4 in place of %5")
      .arg(tile.x())
      .arg(tile.y())
      .arg(QLatin1String(what))
      .arg(seen, 0, 'f', 1)
      .arg(stored, 0, 'f', 1);
}

}  // namespace

QImage structureOf(const QImage& screenshot) {
  return screenshot.scaledToWidth(kCellsAcross, Qt::SmoothTransformation).convertToFormat(QImage::Format_Grayscale8);
}

QStringList structureFaults(const QImage& stored, const QImage& seen) {
  if (stored.size() != seen.size())
    return {QStringLiteral("%1x%2 in place of %3x%4")
                .arg(seen.width())
                .arg(seen.height())
                .arg(stored.width())
                .arg(stored.height())};
  QStringList faults;
  for (int y = 0; y < stored.height(); y += kTile)
    for (int x = 0; x < stored.width(); x += kTile) {
      const QRect tile = QRect(x, y, kTile, kTile).intersected(stored.rect());
      const TileFigures before = figuresOf(stored, tile), now = figuresOf(seen, tile);
      if (std::abs(now.mean - before.mean) > kMostBrightness)
        faults << fault(tile, "brightness", now.mean, before.mean);
      if (std::abs(now.spread - before.spread) > std::max(kMostSpread, kMostSpreadShare * before.spread))
        faults << fault(tile, "spread", now.spread, before.spread);
    }
  return faults;
}

}  // namespace lanelab::test
