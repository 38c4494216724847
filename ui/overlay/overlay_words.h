// SPDX-License-Identifier: GPL-3.0-only
// What the overlay of runs writes, in the words of the window. Pure; any thread.
#pragma once

#include <QString>

#include "engine/library/overlay/run_overlay.h"

namespace lanelab::overlay_words {

QString title(OverlayMetric metric);  ///< "Training loss"
QString title(OverlayAxis axis);      ///< "Micro-batch size"
/// "night (other data)".
QString name(const OverlayCurve& curve);
/// "Training loss against step".
QString heading(const OverlayChoice& choice);
/// What is drawn, of how many repeats, and what is to be known of it: below exported figures.
QString caption(const Overlay& overlay);
/// A sentence a line: what does not compare, and what is not drawn.
QString notes(const Overlay& overlay);
/// For screen readers: from where to where each curve goes.
QString spoken(const Overlay& overlay);
/// Of a point under the mouse: run and variant, where it is, and its value.
QString point(const Overlay& overlay, const OverlayCurve& curve, const OverlayPoint& point);

}  // namespace lanelab::overlay_words
