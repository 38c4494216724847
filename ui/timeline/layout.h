// Where ruler, lanes and rows lie: the same for screen, picture and hit test. Pure arithmetic in logical pixels.
#pragma once

#include <QRectF>
#include <optional>
#include <vector>

#include "ui/timeline/coordinates.h"
#include "ui/timeline/timeline_data.h"

namespace lanelab {

struct LaneBox {
  int lane = 0;
  QRectF rect;          ///< over the full width
};

struct RowBox {
  std::size_t row = 0;
  QRectF rect;          ///< within the body
};

struct TimelineLayout {
  QRectF area;
  QRectF ruler;         ///< ticks
  QRectF steps;         ///< step names, below the ticks
  QRectF headers;       ///< lane names, left of the body
  QRectF body;          ///< the lanes; what is scrolled out of it is clipped on screen
  QRectF legend;
  std::vector<LaneBox> lanes;
  std::vector<RowBox> rows;
  double content_height = 0;   ///< of all lanes; above body.height() there is something to scroll

  TimeScale scale(TimeRange range) const { return {range, body.left(), body.width()}; }
  std::optional<std::size_t> rowAt(double y) const;
  const RowBox* boxOf(std::size_t row) const;
};

/// Lanes share the height there is, between a readable least and a calm most; `scroll` pixels of them lie above the body.
TimelineLayout layOut(const TimelineData& data, const QRectF& area, bool details, double scroll);
/// The height at which every lane has its natural size.
double naturalHeight(const TimelineData& data, bool details);

}  // namespace lanelab
