// SPDX-License-Identifier: GPL-3.0-only
// The column that the board and the timeline share, so that their lanes begin at one x.
#pragma once

#include "ui/look/theme.h"

namespace lanelab::look {

/// Of what is written beside a lane, left of it, in logical pixels.
inline constexpr int kLaneColumn = 40 * kGrid;

}  // namespace lanelab::look
