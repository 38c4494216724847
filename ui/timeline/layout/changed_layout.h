// SPDX-License-Identifier: GPL-3.0-only
// Where the rows of changed steps are: in the places of the measured ones, so that nothing jumps. Pure.
#pragma once

#include "ui/timeline/layout/layout.h"
#include "ui/timeline/model/changed_timeline.h"

namespace lanelab {

/// For ChangedTimeline::data(), which has no counters. Rows that a replay leaves out remain empty.
TimelineLayout changedLayout(TimelineLayout measured, const ChangedTimeline& changed);

}  // namespace lanelab
