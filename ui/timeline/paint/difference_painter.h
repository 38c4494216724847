// SPDX-License-Identifier: GPL-3.0-only
// Tints each action by how much longer or shorter it took than its fellow: that of the first run where two are aligned,
// else the predicted one. The sign stands in the label, so that nothing hangs on colour alone. Painted over the bars of
// the body.
#pragma once

#include <QHash>
#include <QPainter>
#include <optional>

#include "ui/look/theme.h"
#include "ui/timeline/layout/action_difference.h"
#include "ui/timeline/layout/layout.h"
#include "ui/timeline/layout/level_of_detail.h"

namespace lanelab {

class DifferencePainter {
 public:
  DifferencePainter(const TimelineData& data, const TimelineLayout& layout, TimeRange range,
                    const look::Palette& palette);
  void paintBody(QPainter& painter);
  /// Of two runs: takes the idle hatch away where a run is through with a step that goes on in the other.
  void paintEnds(QPainter& painter) const;
  /// In the place of the usual one.
  void paintLegend(QPainter& painter) const;

 private:
  void paintRow(QPainter& painter, const RowBox& box);
  void paintBar(QPainter& painter, const QRectF& rect, SpanRef ref);
  double widthOf(const QString& label);
  QColor tintOf(std::optional<double> difference) const;

  const TimelineData& m_data;
  const TimelineLayout& m_layout;
  const look::Palette& m_palette;
  TimeScale m_scale;
  QHash<QString, double> m_widths;  ///< of labels
};

}  // namespace lanelab
