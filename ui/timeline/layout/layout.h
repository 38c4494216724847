// SPDX-License-Identifier: GPL-3.0-only
// Where ruler, lanes, rows and counters lie: the same for screen, picture and hit test. Pure arithmetic in logical
// pixels.
#pragma once

#include <QRectF>
#include <optional>
#include <vector>

#include "ui/timeline/model/coordinates.h"
#include "ui/timeline/model/row_arrangement.h"
#include "ui/timeline/model/timeline_data.h"

namespace lanelab {

struct LaneBox {
  int lane = 0;  ///< -1: the counters of the whole run
  QRectF rect;   ///< over the full width
  QRectF title;  ///< the part of the headers where the lane's name stands; the names of other rows stand below
  bool collapsed = false;
  bool pinned = false;
};

struct RowBox {
  std::size_t row = 0;
  QRectF rect;  ///< within the body
  bool pinned = false;
};

struct CounterBox {
  std::size_t counter = 0;  ///< in TimelineData::counters()
  QRectF rect;              ///< within the body
  bool pinned = false;
};

/// Below a lane's actions: when each of them was expected.
struct PredictedBox {
  int lane = 0;
  QRectF rect;  ///< within the body
  bool pinned = false;
};

/// Above lanes of one replica that follow each other.
struct ReplicaBand {
  int replica = 0;
  QRectF rect;  ///< over the full width
  std::vector<int> lanes;
  bool collapsed = false;  ///< all of them
  bool pinned = false;
};

struct TimelineLayout {
  QRectF area;
  QRectF ruler;    ///< ticks
  QRectF steps;    ///< step names, below the ticks; in two strips where steps overlap
  QRectF headers;  ///< lane names, left of the body
  QRectF body;     ///< the lanes; what is scrolled out of it is clipped on screen
  QRectF legend;
  std::vector<LaneBox> lanes;  ///< from top to bottom, as the rows and counters are
  std::vector<RowBox> rows;
  std::vector<CounterBox> counters;
  std::vector<PredictedBox> predicted;
  std::vector<ReplicaBand> bands;
  bool shows_idle = true;     ///< hatching and causes between the actions
  double content_height = 0;  ///< of all lanes; above body.height() there is something to scroll
  double pinned_height = 0;   ///< of the body's top that does not scroll

  TimeScale scale(TimeRange range) const { return {range, body.left(), body.width()}; }
  /// The parts of the body that are clipped on their own: what scrolls, and what is pinned above it. Each is a layout
  /// whose body and headers are that part and whose lanes are those in it.
  std::vector<TimelineLayout> parts() const;
  /// The part of the body where a row can be seen.
  QRectF sightOf(const RowBox& row) const { return partOf(row.pinned); }
  std::optional<std::size_t> rowAt(double y) const;
  const LaneBox* laneAt(double y) const;
  const CounterBox* counterAt(double y) const;
  const ReplicaBand* bandAt(double y) const;
  const RowBox* boxOf(std::size_t row) const;
  const LaneBox* boxOfLane(int lane) const;

 private:
  QRectF partOf(bool pinned) const;
  template <class Box>
  const Box* boxAt(const std::vector<Box>& boxes, double y, double margin) const;
};

/// Lanes share the height there is, between a readable least and a calm most, or where only that lets all of them be
/// seen, less than readable; `scroll` pixels of them lie above the body.
TimelineLayout layOut(const TimelineData& data, const QRectF& area, const RowArrangement& arrangement, double scroll);
/// The height below which lanes must be scrolled.
double leastHeight(const TimelineData& data, const RowArrangement& arrangement);
/// The height below which they are too low for labels, or must be scrolled.
double readableHeight(const TimelineData& data, const RowArrangement& arrangement);
/// The height at which every lane has its natural size.
double naturalHeight(const TimelineData& data, const RowArrangement& arrangement);

/// Where a lane's triangle and pin are clicked.
QRectF triangleOf(const LaneBox& lane);
QRectF pinOf(const LaneBox& lane);

}  // namespace lanelab
