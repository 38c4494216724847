// SPDX-License-Identifier: GPL-3.0-only
// What a turn of the wheel, or two fingers on a touchpad, mean in a timeline. Pure; logical pixels.
#pragma once

#include <QPointF>

#include "ui/look/wheel.h"

namespace lanelab {

struct WheelTurn {
  QPointF notches;             ///< of a wheel; those of a touchpad are as far as its zoom goes
  QPointF pixels;              ///< of a touchpad
  Qt::KeyboardModifiers held;  ///< Alt makes a vertical wheel a horizontal one, which Qt has done by then
  bool from_touchpad = false;  ///< which moves what is seen as its fingers go, whatever the wheel does
  bool over_headers = false;   ///< there a vertical wheel scrolls
  double width = 0;            ///< of the body
};

struct WheelMove {
  double zoom = 1;    ///< of the length of what is seen
  double pan = 0;     ///< through time, as a share of what is seen
  double scroll = 0;  ///< of the lanes, in pixels
  bool operator==(const WheelMove&) const = default;
};

/// Shift makes a vertical wheel pan, a horizontal one pans anyway; Ctrl does what the wheel does not do without it.
WheelMove wheelMove(const WheelTurn& turn, look::WheelUse use);

}  // namespace lanelab
