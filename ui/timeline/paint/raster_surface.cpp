// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/raster_surface.h"

#include <emmintrin.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ui/timeline/paint/row_raster.h"

namespace lanelab {
namespace {

void copy(QRgb* to, const QRgb* from, int count) {
  std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(QRgb));
}

/// The colours of the columns that are at least `height` high, four at a time.
void writeHigher(QRgb* to, const int* heights, const QRgb* colors, int count, int height) {
  const __m128i below = _mm_set1_epi32(height - 1);
  int x = 0;
  for (; x + 4 <= count; x += 4) {
    const __m128i high = _mm_cmpgt_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(heights + x)), below);
    const __m128i color = _mm_loadu_si128(reinterpret_cast<const __m128i*>(colors + x));
    auto* const place = reinterpret_cast<__m128i*>(to + x);
    _mm_storeu_si128(place, _mm_or_si128(_mm_and_si128(high, color), _mm_andnot_si128(high, _mm_loadu_si128(place))));
  }
  for (; x < count; ++x) to[x] = heights[x] >= height ? colors[x] : to[x];
}

/// `color` times a/255, each channel rounded as QPainter rounds it.
QRgb scaled(QRgb color, unsigned a) {
  unsigned even = (color & 0xff00ff) * a;
  even = (even + ((even >> 8) & 0xff00ff) + 0x800080) >> 8 & 0xff00ff;
  unsigned odd = (color >> 8 & 0xff00ff) * a;
  odd = (odd + ((odd >> 8) & 0xff00ff) + 0x800080) & 0xff00ff00;
  return even | odd;
}

}  // namespace

RasterSurface::RasterSurface(PixelPlane pixels, const QRect& clip, const IdleLines& idle, const HatchTiles& tiles,
                             const LabelCache& labels)
    : m_pixels(pixels), m_clip(clip), m_idle(idle), m_tiles(tiles), m_labels(labels) {}

void RasterSurface::fill(const QRect& rect, QRgb color) {
  const QRect seen = rect & m_clip;
  for (int y = seen.top(); y <= seen.bottom(); ++y) std::fill_n(m_pixels.at(seen.left(), y), seen.width(), color);
}

void RasterSurface::idle(const QRect& row) {
  const QRect seen = row & m_clip;
  if (seen.isEmpty() || m_idle.lines.empty()) return;
  for (int y = seen.top(); y <= seen.bottom(); ++y) {
    const std::vector<QRgb>& line = m_idle.lines[static_cast<std::size_t>(y) % m_idle.lines.size()];
    copy(m_pixels.at(seen.left(), y), line.data() + (seen.left() - m_idle.left), seen.width());
  }
}

void RasterSurface::bar(const QRect& rect, QRgb outline, const QRect& inner, QRgb color,
                        const std::optional<Hatch>& hatch) {
  const QRect seen = rect & m_clip;
  if (seen.isEmpty()) return;
  const QRect inside = inner & m_clip;
  const auto tile = hatch ? m_tiles.find({color, hatch->lines, hatch->spacing}) : m_tiles.end();
  for (int y = seen.top(); y <= seen.bottom(); ++y) {
    QRgb* const line = m_pixels.at(0, y);
    if (y < inside.top() || y > inside.bottom() || inside.isEmpty()) {
      std::fill(line + seen.left(), line + seen.right() + 1, outline);
      continue;
    }
    std::fill(line + seen.left(), line + inside.left(), outline);
    if (tile != m_tiles.end())
      tile->second.write(line + inside.left(), inside.left(), y, inside.width());
    else
      std::fill(line + inside.left(), line + inside.right() + 1, color);
    std::fill(line + inside.right() + 1, line + seen.right() + 1, outline);
  }
}

void RasterSurface::columns(const ColumnProfile& profile) {
  const QRect seen = profile.area() & m_clip;
  if (seen.isEmpty() || profile.empty()) return;
  const int from = seen.left() - profile.area().left();
  for (int y = seen.top(); y <= seen.bottom(); ++y)
    writeHigher(m_pixels.at(seen.left(), y), profile.heights().data() + from, profile.colors().data() + from,
                seen.width(), profile.area().bottom() + 1 - y);
}

void RasterSurface::label(const LabelOrder& order) {
  const LabelCache::Label* const label = m_labels.find(order.key);
  if (label == nullptr || label->whole().pixels.isNull()) return m_missing.push_back(order);
  const auto place = m_labels.place(*label, order.room, order.margin);
  if (!place) return;
  if (order.plate) fill(plateOf(order, *place), *order.plate);
  blend(place->text->pixels, static_cast<int>(std::round(place->left)), static_cast<int>(place->top));
}

void RasterSurface::blend(const QImage& image, int left, int top) {
  const QRect seen = QRect(QPoint(left, top), image.size()) & m_clip;
  for (int y = seen.top(); y <= seen.bottom(); ++y) {
    const auto* from = reinterpret_cast<const QRgb*>(image.constScanLine(y - top)) + (seen.left() - left);
    QRgb* to = m_pixels.at(seen.left(), y);
    for (const QRgb* const end = from + seen.width(); from < end; ++from, ++to) {
      const unsigned alpha = *from >> 24;
      if (alpha != 0) *to = *from + scaled(*to, 255 - alpha);
    }
  }
}

}  // namespace lanelab
