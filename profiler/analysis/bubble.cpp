// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/bubble.h"

namespace lanelab {

namespace {

double share(Nanoseconds part, Nanoseconds whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace

BubbleShares bubbleShares(const IdleCauses& causes) {
  Nanoseconds bubble = 0;
  Nanoseconds window = 0;
  Nanoseconds busy = 0;
  for (const LaneCauses& lane : causes.lanes) {
    if (!lane.hasWork()) continue;
    bubble += lane.causes[Cause::Fill] + lane.causes[Cause::Drain];
    window += lane.window;
    busy += lane.busy;
  }
  return {share(bubble, window), share(bubble, busy)};
}

double utilisation(const LaneCauses& lane) { return share(lane.busy, lane.window); }

}  // namespace lanelab
