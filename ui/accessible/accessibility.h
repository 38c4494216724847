// SPDX-License-Identifier: GPL-3.0-only
// Makes board, timeline and charts known to screen readers, which is all that the window asks of this room. GUI thread.
#pragma once

namespace lanelab {

/// From now on screen readers get the interfaces of this room for board, timeline and charts. A second call changes
/// nothing. Names are worked out when somebody asks for them, and of the part that keys move to.
void installAccessibility();

}  // namespace lanelab
