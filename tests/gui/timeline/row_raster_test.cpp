// SPDX-License-Identifier: GPL-3.0-only
#include <gtest/gtest.h>

#include <QPainter>
#include <algorithm>
#include <numeric>

#include "tests/gui/timeline/timeline_world.h"
#include "ui/timeline/paint/paint_pool.h"
#include "ui/timeline/paint/row_raster.h"

namespace lanelab {
namespace {

using testworld::denseTrace;
using testworld::kMs;
using testworld::pipelineTrace;
using testworld::traceThatFailed;

struct Scene {
  const char* name;
  std::shared_ptr<const Trace> trace;
  QSize size;
  double from, to;  ///< shares of the trace
  bool details = false;
  double scroll = 0;
};

/// In the middle of a backward of lane 0, while what lane 1 does is not known.
std::shared_ptr<const Trace> runningTrace() {
  auto trace = std::make_shared<Trace>(*pipelineTrace({.lanes = 2, .steps = 1}));
  std::erase_if(trace->tracks, [](const Track& track) { return track.kind == Track::Kind::Step; });
  for (Track& track : trace->tracks) {
    if (track.kind != Track::Kind::Compute) continue;
    track.spans.truncate(track.lane == 0 ? 10 : 5);
    const Span last = track.spans.back();
    trace->live.push_back({track.lane, last.end, track.lane == 0 ? std::optional(last.start) : std::nullopt});
  }
  return trace;
}

std::vector<Scene> scenes() {
  return {{"all of a pipeline", pipelineTrace(), {1000, 300}, 0, 1},
          {"a part, cut at both ends", pipelineTrace(), {1000, 300}, 0.31, 0.64},
          {"blocks", pipelineTrace(), {1280, 500}, 0.31, 0.5, true},
          {"close by", pipelineTrace(), {1280, 500}, 0.41, 0.43, true},
          {"running", runningTrace(), {1000, 300}, 0, 1},
          {"failed", traceThatFailed(), {700, 200}, 0, 1},
          {"many steps", pipelineTrace({.lanes = 3, .steps = 150}), {1000, 300}, 0, 1},
          {"many lanes, scrolled", pipelineTrace({.lanes = 20, .steps = 2}), {1001, 301}, 0.2, 0.9, false, 137},
          {"dense", denseTrace(20'000, 1000, 600, 10), {1201, 500}, 0, 1},
          {"less dense", denseTrace(20'000, 1000, 600, 10), {1201, 500}, 0.3, 0.4},
          {"narrow bars", denseTrace(20'000, 1000, 600, 10), {1201, 500}, 0.3, 0.31},
          {"nowhere to paint", pipelineTrace(), {100, 60}, 0, 1}};
}

/// A scene laid out, and its body painted either way.
class Painted {
 public:
  Painted(const Scene& scene, const look::Palette& palette)
      : m_data(scene.trace),
        m_layout(layOut(m_data, QRectF(QPointF(0, 0), scene.size), rowsOf(scene), scene.scroll)),
        m_range(partOf(scene)),
        m_palette(palette),
        m_blank(scene.size, QImage::Format_RGB32) {
    m_blank.fill(palette.surface);
  }

  QImage byPainter() const {
    QImage image = m_blank;
    QPainter painter(&image);
    painter.setClipRect(clip());
    paintLanes(painter, scene());
    return image;
  }
  QImage byPixels(RowRaster& raster, LabelCache& labels) const {
    QImage image = m_blank;
    raster.clear(image, m_palette.surface.rgb());
    paintLanes(image, clip(), scene(), raster, labels);
    return image;
  }

 private:
  TimelineScene scene() const { return {m_data, m_layout, m_layout.scale(m_range), m_palette}; }
  static RowArrangement rowsOf(const Scene& scene) {
    RowArrangement rows;
    rows.showDetails(scene.details);
    return rows;
  }
  static TimeRange partOf(const Scene& scene) {
    const TimeRange all = scene.trace->range();
    const auto at = [&](double share) {
      return all.start + static_cast<Nanoseconds>(share * static_cast<double>(all.length()));
    };
    return {at(scene.from), at(scene.to)};
  }
  QRect clip() const {
    return QRectF(m_layout.area.left(), m_layout.body.top(), m_layout.area.width(), m_layout.body.height() + 1)
        .toRect();
  }

  TimelineData m_data;
  TimelineLayout m_layout;
  TimeRange m_range;
  const look::Palette& m_palette;
  QImage m_blank;
};

int differing(const QImage& a, const QImage& b) {
  int count = 0;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) count += a.pixel(x, y) != b.pixel(x, y);
  }
  return count;
}

TEST(RowRaster, PaintsTheVeryPixelsThatAPainterDoes) {
  for (const look::Palette* palette : {&look::lightPalette(), &look::darkPalette(), &look::highContrastPalette()}) {
    RowRaster raster;
    LabelCache labels(look::smallFont());
    for (const Scene& scene : scenes()) {
      const Painted painted(scene, *palette);
      const QImage expected = painted.byPainter();
      labels.clear();
      EXPECT_EQ(differing(painted.byPixels(raster, labels), expected), 0)
          << scene.name << ", labels drawn for the first time";
      EXPECT_EQ(differing(painted.byPixels(raster, labels), expected), 0) << scene.name << ", labels copied";
    }
  }
}

TEST(RowRaster, AScenePaintsMoreThanItsBackground) {
  RowRaster raster;
  LabelCache labels(look::smallFont());
  const Scene scene = scenes().front();
  QImage blank(scene.size, QImage::Format_RGB32);
  blank.fill(look::lightPalette().surface);
  EXPECT_GT(differing(Painted(scene, look::lightPalette()).byPixels(raster, labels), blank), 10'000);
}

TEST(PaintPool, DoesEveryPieceOnceWhateverTheHelpers) {
  for (const unsigned helpers : {0U, 1U, 3U}) {
    PaintPool pool(helpers);
    for (const std::size_t pieces : {0U, 1U, 2U, 7U, 1000U}) {
      for (int round = 0; round < 50; ++round) {
        std::vector<int> done(pieces, 0);
        pool.run(pieces, [&](std::size_t piece) { ++done[piece]; });
        ASSERT_EQ(std::count(done.begin(), done.end(), 1), static_cast<std::ptrdiff_t>(pieces))
            << helpers << " helpers";
      }
    }
  }
}

}  // namespace
}  // namespace lanelab
