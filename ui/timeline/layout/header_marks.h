// SPDX-License-Identifier: GPL-3.0-only
// Small marks in the column left of the lanes.
#pragma once

#include <QPainter>

#include "ui/look/theme.h"

namespace lanelab {

/// Left of the names, where triangles stand, and right of the shares, where pins do.
inline constexpr double kHeaderMargin = 4 * look::kGrid;

/// In the painter's brush; it points right where what it stands for is collapsed.
void paintTriangle(QPainter& painter, QPointF at, bool collapsed);
/// A drawing pin from the side.
void paintPin(QPainter& painter, QPointF at);

}  // namespace lanelab
