// SPDX-License-Identifier: GPL-3.0-only
// One metric of many runs as curves, with sentences on what does not compare and what is not drawn. Window and command
// line show the same. Pure; any thread; linear in what the runs measured.
#pragma once

#include <string>
#include <vector>

#include "base/message.h"
#include "engine/library/overlay/overlaid_run.h"
#include "engine/library/overlay/overlay_metric.h"

namespace lanelab {

struct OverlayChoice {
  OverlayMetric metric = OverlayMetric::Loss;
  OverlayAxis axis = OverlayAxis::Step;  ///< one of axesOf(metric)
  bool all_variants = false;             ///< else that which the list of runs shows; of joinsVariants() always all
  double smoothing = 0;                  ///< weight of the past, from 0 to below 1; of joinsVariants() none
  bool operator==(const OverlayChoice&) const = default;
};

/// The variant of a run that a point is of.
struct OverlaySource {
  std::string run;  ///< OverlaidRun::name
  std::string id;
  std::string variant;
  int repeats = 0;  ///< that the value is a mean over; 1: it is of one repeat, the newest
  bool operator==(const OverlaySource&) const = default;
};

struct OverlayPoint {
  double x = 0;
  double value = 0;        ///< may be not finite, as a loss that diverged
  double smoothed = 0;     ///< value without smoothing
  std::size_t source = 0;  ///< of the curve's sources
  bool operator==(const OverlayPoint&) const = default;
};

struct OverlayCurve {
  std::string name;  ///< "night", "night/Pipeline"; if it joins variants "resnet18, 1F1B, 2 lanes"
  /// Why it does not compare with the first curve: "other data"; empty: it does.
  Message differs;
  bool unfinished = false;  ///< of a repeat that failed or was cancelled, as no other is there
  std::vector<OverlaySource> sources;
  std::vector<OverlayPoint> points;  ///< by x
};

struct Overlay {
  OverlayChoice choice;
  std::vector<OverlayCurve> curves;
  std::vector<Message> notes;  ///< what does not compare, what is not drawn and for what reason: all runs are named
};

/// Curves in the order of the runs.
Overlay overlayOf(const std::vector<OverlaidRun>& runs, const OverlayChoice& choice);

}  // namespace lanelab
