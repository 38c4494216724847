// SPDX-License-Identifier: GPL-3.0-only
// All that is known of one gap, as a value: how long, why, what it waited for, what usually shortens it. For the box
// beside the pointer, the status line, the details and the clipboard. Pure.
#pragma once

#include "ui/timeline/layout/detail_parts.h"
#include "ui/timeline/model/lane_gap.h"

namespace lanelab {

struct GapDetails {
  LaneGap gap;
  QString title;  ///< "Idle before Forward, micro-batch 3"
  QString why;    ///< by its largest cause; empty where causes are not known
  QString fix;    ///< what usually shortens it; empty as well
  QString lane;
  Nanoseconds since_begin = 0;  ///< from the begin of the trace
  DetailRows figures;
  CauseTimes causes;
  std::vector<SpanLink> waited_for, next;
  bool operator==(const GapDetails&) const = default;
};

GapDetails detailsOf(const TimelineData& data, const Dependencies& dependencies, const LaneGap& gap);

/// With the causes that were found elsewhere, of a trace that is too long for the window's thread.
GapDetails explainedBy(const IdleCauses& causes, GapDetails details);

/// Why the lane does nothing, in a sentence on its largest cause; empty where causes are not known.
QString whyText(const CauseTimes& causes);
/// What it ended with: "Idle before Forward, micro-batch 3", "Idle until the end of the step".
QString gapTitle(const TimelineData& data, const LaneGap& gap);
/// For a box: why, how long, and its causes from 1 % on if there are several.
DetailRows gapFacts(const TimelineData& data, const LaneGap& gap);
/// All of it on one line.
QString gapSentence(const TimelineData& data, const LaneGap& gap);
/// What the gap waited for that another lane did, or the last thing that it waited for; nothing where nobody knows.
std::optional<SpanRef> awaitedBy(const TimelineData& data, const Dependencies& dependencies, const LaneGap& gap);
/// Of a lane that neither computes nor is idle then: "cpu:1 has no work in this trace"; else empty.
QString emptyPlaceText(const TimelineData& data, int lane, Nanoseconds time);

QString detailsText(const GapDetails& details);
QString detailsJson(const GapDetails& details);  ///< an object; times in microseconds, as in exported traces

}  // namespace lanelab
