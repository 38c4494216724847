// SPDX-License-Identifier: GPL-3.0-only
#include "ui/timeline/layout/wheel_move.h"

#include <cmath>

namespace lanelab {
namespace {

constexpr double kNotchZoom = 1.2;
constexpr double kNotchPan = 0.15;   ///< of what is seen
constexpr double kNotchScroll = 30;  ///< pixels

/// In notches: fingers that zoom do not go straight down.
double sideways(const WheelTurn& turn) {
  const double x = turn.notches.x(), y = turn.notches.y();
  if (turn.held & Qt::ShiftModifier) return x != 0 ? x : y;
  return std::abs(x) > std::abs(y) ? x : 0;
}

}  // namespace

WheelMove wheelMove(const WheelTurn& turn, look::WheelUse use) {
  const bool control = turn.held & Qt::ControlModifier;
  const double y = turn.notches.y();
  if (turn.from_touchpad && !(turn.held & (Qt::ControlModifier | Qt::ShiftModifier)))
    return {1, turn.width > 0 ? -turn.pixels.x() / turn.width : 0, -turn.pixels.y()};
  if (turn.over_headers && y != 0) return {1, 0, -kNotchScroll * y};
  if (const double x = sideways(turn); x != 0) return {1, -kNotchPan * x, 0};
  const bool zooms = turn.from_touchpad || control != (use == look::WheelUse::Zooms);
  return zooms ? WheelMove{std::pow(kNotchZoom, -y), 0, 0} : WheelMove{1, 0, -kNotchScroll * y};
}

}  // namespace lanelab
