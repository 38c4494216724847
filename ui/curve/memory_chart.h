// SPDX-License-Identifier: GPL-3.0-only
// Peak memory and step time of a curve as a QChart: predicted points hollow, measured ones filled, the front as a line,
// limits as dotted lines; points that do not fit are pale.
#pragma once

#include <QChart>
#include <memory>
#include <optional>

#include "ui/curve/shown_curve.h"
#include "ui/export/picture.h"
#include "ui/look/theme.h"

namespace lanelab {

/// `chosen` gets a ring and its name.
std::unique_ptr<QChart> makeMemoryChart(const ShownCurve& curve, const look::Palette& palette,
                                        std::optional<std::size_t> chosen = {});

/// "Peak memory and step time of 12 combinations: ... On the front: GPipe 120 MiB 12.3 ms, ..."
QString memoryWords(const ShownCurve& curve, std::optional<std::size_t> chosen = {});

/// The point whose predicted or measured mark is nearest to `at`, in the chart's coordinates; none within reach.
std::optional<std::size_t> pointNear(const ShownCurve& curve, const QChart& chart, QPointF at);
/// Where the predicted mark of a point is, in the chart's coordinates.
QPointF markOf(const ShownCurve& curve, const QChart& chart, std::size_t point);

Picture curvePicture(const ShownCurve& curve, const QString& metadata);

}  // namespace lanelab
