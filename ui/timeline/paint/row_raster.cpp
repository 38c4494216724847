// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/paint/row_raster.h"

#include <emmintrin.h>

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace lanelab {
namespace {

constexpr int kTileWidth = 1024;
constexpr std::size_t kFewRows = 8;  ///< painted before another thread has woken up

/// Lines of 32-bit pixels that somebody else owns.
struct PixelPlane {
  QRgb* first = nullptr;
  std::ptrdiff_t stride = 0;  ///< pixels from a line to the next
  QRgb* at(int x, int y) const { return first + y * stride + x; }
};

/// What lies behind every row of a picture: a few whole lines, of which line y of the picture has the one of y modulo
/// their number.
struct IdleLines {
  int left = 0;
  std::vector<std::vector<QRgb>> lines;
};

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

/// One thread's hand on the pixels of an image.
class RasterSurface : public RowSurface {
 public:
  /// Reads `labels`, `tiles` and `idle`; writes only inside `clip`.
  RasterSurface(PixelPlane pixels, const QRect& clip, const IdleLines& idle, const HatchTiles& tiles,
                const LabelCache& labels)
      : m_pixels(pixels), m_clip(clip), m_idle(idle), m_tiles(tiles), m_labels(labels) {}

  void fill(const QRect& rect, QRgb color) override {
    const QRect seen = rect & m_clip;
    for (int y = seen.top(); y <= seen.bottom(); ++y) std::fill_n(m_pixels.at(seen.left(), y), seen.width(), color);
  }

  void idle(const QRect& row) override {
    const QRect seen = row & m_clip;
    if (seen.isEmpty() || m_idle.lines.empty()) return;
    for (int y = seen.top(); y <= seen.bottom(); ++y) {
      const std::vector<QRgb>& line = m_idle.lines[static_cast<std::size_t>(y) % m_idle.lines.size()];
      std::copy_n(line.data() + (seen.left() - m_idle.left), seen.width(), m_pixels.at(seen.left(), y));
    }
  }

  void bar(const QRect& rect, QRgb outline, const QRect& inner, QRgb color,
           const std::optional<Hatch>& hatch) override {
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

  void columns(const ColumnProfile& profile) override {
    const QRect seen = profile.area() & m_clip;
    if (seen.isEmpty() || profile.empty()) return;
    const int from = seen.left() - profile.area().left();
    for (int y = seen.top(); y <= seen.bottom(); ++y)
      writeHigher(m_pixels.at(seen.left(), y), profile.heights().data() + from, profile.colors().data() + from,
                  seen.width(), profile.area().bottom() + 1 - y);
  }

  void label(const LabelOrder& order) override {
    const LabelCache::Label* const label = m_labels.find(order.key);
    if (label == nullptr || label->whole.pixels.isNull()) return m_missing.push_back(order);
    const auto place = m_labels.place(*label, order.room, order.margin);
    if (!place) return;
    if (order.plate) fill(plateOf(order, *place), *order.plate);
    blend(place->text->pixels, static_cast<int>(std::round(place->left)), static_cast<int>(place->top));
  }

  /// Labels that the cache did not have yet.
  const std::vector<LabelOrder>& missing() const { return m_missing; }

 private:
  void blend(const QImage& image, int left, int top) {
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

  PixelPlane m_pixels;
  QRect m_clip;
  const IdleLines& m_idle;
  const HatchTiles& m_tiles;
  const LabelCache& m_labels;
  std::vector<LabelOrder> m_missing;
};

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
    std::copy_n(line + phase, run, to);
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
    for (int y = from + 1; y < to; ++y) std::copy_n(pixels.at(0, from), width, pixels.at(0, y));
  });
}

void RowRaster::paint(QImage& image, const QRect& clip, const RowPainter& rows, LabelCache& labels) {
  const std::vector<RowBox>& boxes = rows.visible();
  const QRect inside = clip & image.rect();
  const QRect body = rows.scene().layout.body.toRect() & inside;
  const auto first =
      std::find_if(boxes.begin(), boxes.end(), [&](const RowBox& box) { return box.rect.toRect().intersects(body); });
  if (first == boxes.end()) return;
  const PixelPlane pixels = planeOf(image);
  for (const auto& [fill, hatch] : rows.hatched()) tileOf(fill, hatch);
  const int y = (first->rect.toRect() & body).top();
  const IdleLines idle = idleLines(
      pixels, body, y, rows,
      tileOf(rows.scene().palette.idle_background.rgb(), {rows.scene().palette.idle_hatch.rgb(), kIdleSpacing}));
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
      labels.make(order.key, rows.scene().data, true);
      RasterSurface(pixels, inside, idle, m_tiles, labels).label(order);
    }
  }
}

}  // namespace lanelab
