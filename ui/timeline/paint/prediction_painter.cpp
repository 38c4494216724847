// SPDX-License-Identifier: GPL-3.0-only
#include <cmath>

#include "ui/timeline/layout/level_of_detail.h"
#include "ui/timeline/paint/layers.h"

namespace lanelab {
namespace {

/// Actions of less than a few pixels would be a blur, so they are left out.
void paintExpected(QPainter& painter, const TimelineScene& scene, const QRectF& row, TimeRange time, Phase phase) {
  const TimeRange seen = intersection(time, scene.scale.range);
  const double x0 = std::round(scene.scale.x(seen.start)), x1 = std::round(scene.scale.x(seen.end));
  if (seen.empty() || x1 - x0 < kNarrowestBar) return;
  const QColor color = scene.palette.phase(phase);
  const QRectF bar(x0, std::round(row.top()), x1 - x0, std::round(row.height()));
  painter.fillRect(bar, color);
  painter.fillRect(bar.adjusted(1, 1, -1, -1), look::mix(color, scene.palette.surface, kPredictedInside));
}

}  // namespace

void paintPredicted(QPainter& painter, const TimelineScene& scene) {
  const Prediction* const prediction = scene.data.prediction();
  if (!prediction) return;
  const look::PainterScope scope(painter, /*antialiased=*/false);
  for (const PredictedBox& box : scene.layout.predicted) {
    if (!scene.isSeen(box.rect)) continue;
    for (const StepWindow& step : scene.data.steps()) {
      const TimeRange expected_step{step.range.start, step.range.start + prediction->stepLength()};
      if (intersection(expected_step, scene.scale.range).empty()) continue;
      for (const Prediction::Expected& expected : prediction->ofLane(box.lane))
        paintExpected(painter, scene, box.rect, expected.range.movedBy(step.range.start), expected.phase);
    }
  }
}

}  // namespace lanelab
