// SPDX-License-Identifier: GPL-3.0-only
// In high contrast each cause of idle time has a hatch of its own.
#include "ui/timeline/paint/cause_pattern.h"

#include <gtest/gtest.h>

#include <QImage>
#include <string>
#include <vector>

#include "tests/gui/timeline/timeline_world.h"
#include "ui/timeline/model/timeline_data.h"

namespace lanelab {
namespace {

constexpr QRgb kBehind = 0xff000000, kLines = 0xff9c9c9c;

/// Keeps what is filled.
class ImageSurface : public RowSurface {
 public:
  explicit ImageSurface(QSize size) : image(size, QImage::Format_RGB32) { image.fill(0xffff0000); }
  void fill(const QRect& rect, QRgb color) override {
    for (int y = rect.top(); y <= rect.bottom(); ++y)
      for (int x = rect.left(); x <= rect.right(); ++x) image.setPixel(x, y, color);
  }
  void idle(const QRect&) override {}
  void bar(const QRect&, QRgb, const QRect&, QRgb, const std::optional<Hatch>&) override {}
  void columns(const ColumnProfile&) override {}
  void label(const LabelOrder&) override {}

  QImage image;
};

QImage patternIn(QSize size, const QRect& rect, Cause cause) {
  ImageSurface surface(size);
  paintPattern(surface, rect, patternOf(cause), kBehind, kLines);
  return surface.image;
}

std::string nameOf(std::size_t cause) { return std::string(kCauseTexts[cause]); }

TEST(CausePattern, EachCauseLooksDifferentAndLeavesMostOfItsPlaceDark) {
  const QRect all(0, 0, 44, 33);
  std::vector<QImage> seen;
  for (std::size_t i = 0; i < kCauseCount; ++i) {
    const QImage image = patternIn(all.size(), all, static_cast<Cause>(i));
    int lines = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) lines += image.pixel(x, y) == kLines;
    EXPECT_GT(lines, all.width() * all.height() / 20) << nameOf(i);
    EXPECT_LT(lines, all.width() * all.height() / 2) << nameOf(i);
    for (std::size_t other = 0; other < seen.size(); ++other)
      EXPECT_NE(seen[other], image) << nameOf(i) << " and " << nameOf(other);
    seen.push_back(image);
  }
}

TEST(CausePattern, FillsItsPlaceAndNothingElseAndJoinsItsNeighbour) {
  const QSize size(60, 40);
  for (std::size_t i = 0; i < kCauseCount; ++i) {
    const auto cause = static_cast<Cause>(i);
    const QImage part = patternIn(size, QRect(13, 9, 21, 17), cause),
                 all = patternIn(size, QRect(QPoint(), size), cause);
    for (int y = 0; y < size.height(); ++y)
      for (int x = 0; x < size.width(); ++x)
        ASSERT_EQ(part.pixel(x, y), QRect(13, 9, 21, 17).contains(x, y) ? all.pixel(x, y) : 0xffff0000)
            << nameOf(i) << " at " << x << ", " << y;
  }
}

TEST(CausePattern, IsDrawnInHighContrastAlone) {
  const TimelineData data(testworld::pipelineTrace());
  const TimelineLayout layout = layOut(data, QRectF(0, 0, 800, 240), RowArrangement(), 0);
  const struct {
    const look::Palette& palette;
    bool drawn;
  } rows[] = {{look::lightPalette(), false}, {look::darkPalette(), false}, {look::highContrastPalette(), true}};
  for (const auto& [palette, drawn] : rows) {
    const TimelineScene scene{data, layout, layout.scale(data.range()), palette};
    ImageSurface surface(QSize(800, 240));
    const QImage before = surface.image.copy();
    RowPainter(scene).paint(surface, layout.rows.front());
    EXPECT_EQ(surface.image != before, drawn);
  }
}

}  // namespace
}  // namespace lanelab
