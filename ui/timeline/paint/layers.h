// SPDX-License-Identifier: GPL-3.0-only
// What is painted of a timeline, layer by layer, from the lanes to what changes with the pointer. The same code for
// screen, PNG, SVG and PDF, so it cuts at the body's left and right edges by arithmetic and sets no clip; what is
// scrolled out of the body upwards or downwards is the caller's to clip.
#pragma once

#include <QPainter>
#include <QPointF>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "profiler/analysis/critical_path.h"
#include "ui/look/theme.h"
#include "ui/timeline/layout/layout.h"
#include "ui/timeline/layout/legend.h"
#include "ui/timeline/model/dependencies.h"
#include "ui/timeline/model/lane_gap.h"

namespace lanelab {

class ChangedTimeline;
class FoundSpans;
class LabelCache;
class RowRaster;

inline constexpr double kTickPixels = 90;        ///< the least between two ticks of the ruler
inline constexpr int kBackwardSpacing = 5;       ///< pixels between the lines of backward actions
inline constexpr double kPredictedInside = 0.8;  ///< of what was predicted, from its outline to the surface
inline constexpr int kLowestLabel = 3 * look::kGrid;

/// Whether a step has the muted tone and the lower strip where steps overlap: readers count from 1, so it is even to
/// them.
constexpr bool isSecondOfTwo(int step) { return step % 2 == 1; }

/// What every layer is painted from. All but the scale must outlive it.
struct TimelineScene {
  const TimelineData& data;
  const TimelineLayout& layout;
  TimeScale scale;
  const look::Palette& palette;

  /// Not scrolled out of the body.
  bool isSeen(const QRectF& rect) const {
    return rect.bottom() >= layout.body.top() && rect.top() <= layout.body.bottom();
  }
  /// Whether a line of text in the middle of `middle` would be seen whole, and not cut by what lies above or below.
  bool showsLine(double middle) const {
    constexpr double kHalf = 5;
    return middle - kHalf >= layout.body.top() && middle + kHalf <= layout.body.bottom();
  }
  /// The row's own place, or while that is hidden its lane's first one.
  const RowBox* shownBoxOf(std::size_t row) const;
};

/// Grid, rows, steps, and a flag at each failed action, so that it is seen at every zoom.
void paintLanes(QPainter& painter, const TimelineScene& scene);
/// The same by way of an image's pixels, many times as fast: Format_RGB32, one device pixel a logical one, filled with
/// the palette's surface.
void paintLanes(QImage& image, const QRect& clip, const TimelineScene& scene, RowRaster& raster, LabelCache& labels);

/// Below the actions of their lanes: outlines where each action was expected, so that nobody takes them for measured.
void paintPredicted(QPainter& painter, const TimelineScene& scene);

/// Below their lanes: a thin area chart each, its least and greatest where a pixel holds several values, and the
/// greatest that is in sight.
void paintCounters(QPainter& painter, const TimelineScene& scene);

/// Of two runs: takes the idle hatch away where a run is through with a step that the other is in.
void paintRunEnds(QPainter& painter, const TimelineScene& scene);
/// Tints each action by how much longer or shorter it took than its fellow: that of the first run where two are
/// aligned, else the predicted one. The sign stands in the label, so that nothing hangs on colour alone.
void paintDifferences(QPainter& painter, const TimelineScene& scene);
/// In the place of the usual one.
void paintDifferenceLegend(QPainter& painter, const TimelineScene& scene);

/// Of the steps in view one line along each lane while it computes, across to the next one where it waits for that.
void paintCriticalPaths(QPainter& painter, const TimelineScene& scene, const std::vector<CriticalPath>& paths);

/// Over changed steps: where the changed spans were measured, as dashed outlines, and a line round each of them now;
/// dashed lines where the measured steps ended. `measured` and `now` are of one place.
void paintChanges(QPainter& painter, const TimelineScene& measured, const TimelineScene& now,
                  const ChangedTimeline& changed);
/// What a change makes of the steps, in a box beside the pointer: the first line is its title.
void paintChangeCard(QPainter& painter, const TimelineLayout& layout, QPointF pointer, const QStringList& lines);

/// Outlines what a search found. Where matches are closer than a reader can distinguish, one outline goes round them
/// all; a match whose row is hidden is marked below its lane's actions. Costs a few binary searches a pixel column at
/// most, however many there are.
void paintMatches(QPainter& painter, const TimelineScene& scene, const FoundSpans& found);

/// What stands above and below the lanes and does not scroll: ruler, step names and legend.
void paintFrame(QPainter& painter, const TimelineScene& scene, const std::vector<LegendEntry>& legend);
/// Of an action of that colour while it is in progress.
QColor runningColor(const look::Palette& palette, const QColor& action);

struct TimelineBookmark {
  QString name;
  TimeRange range;
};

/// A time on the ruler, in pixels.
struct TickLabel {
  double left = 0;
  double right = 0;
  QString text;
};
/// Those that are written: a label that would touch the one before is left out.
std::vector<TickLabel> tickLabels(const TimelineScene& scene);
/// Thin labelled bands on the ruler. The narrow ones lie over the wide ones; a label stands where it fits.
void paintBookmarks(QPainter& painter, const TimelineScene& scene, const std::vector<TimelineBookmark>& bookmarks);
/// The one that is seen at a point; null if there is none.
const TimelineBookmark* bookmarkAt(const TimelineScene& scene, QPointF point,
                                   const std::vector<TimelineBookmark>& bookmarks);

/// What of the headers changes while one looks; an export has none of it.
struct HeaderMarks {
  bool clickable = false;        ///< triangles that collapse, and pins under the pointer
  std::vector<double> selected;  ///< each lane's utilization of the selection, or nothing
  std::optional<int> current_lane;
  std::optional<int> hovered_lane;
  std::optional<Nanoseconds> time;  ///< under the pointer: counters tell their value there
  std::optional<double> drop_line;  ///< y of where a lane that is dragged would go
  bool operator==(const HeaderMarks&) const = default;
};

/// Left of the lanes: names, busy shares and marks of lanes and replicas, the names of rows and the values of counters.
void paintHeaders(QPainter& painter, const TimelineScene& scene, const HeaderMarks& marks = {});
/// Behind what is written of a replica, in the headers and over the body.
QColor replicaTint(const look::Palette& palette);

struct TimelineMarks {
  std::optional<TimeRange> selection;
  std::optional<SpanRef> hovered;
  std::optional<SpanRef> current;                   ///< the one that keys move
  std::optional<LaneGap> hovered_gap, current_gap;  ///< while there is no such span
  std::vector<Arrow> arrows;                        ///< of the hovered span, else of the current one
  QString failure;                                  ///< why the failed action failed
  std::optional<QPointF> pointer;                   ///< where the box with facts goes; none: beside the current span
  bool facts = true;                                ///< also of a current span that is not hovered
  bool boxes = true;                                ///< boxes with facts at all
};

/// Where a box with facts goes within `area`, at `x` if it can: below the span's lane, else above it, else beside the
/// span. The first of these places that hides nothing of the span and of `explained` (what its facts are about), else
/// the one that hides least of them.
QRectF placedClear(const QRectF& lane, const QRectF& span, double x, QSizeF size, const QRectF& area,
                   const std::vector<QRectF>& explained = {});

/// What lies over the lanes and changes with the pointer: selection, hovered and current span, the box with a span's
/// facts. Never exported.
void paintMarks(QPainter& painter, const TimelineScene& scene, const TimelineMarks& marks);

}  // namespace lanelab
