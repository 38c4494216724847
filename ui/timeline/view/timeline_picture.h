// SPDX-License-Identifier: GPL-3.0-only
// A timeline as a Picture, for export.
#pragma once

#include <memory>
#include <optional>

#include "profiler/trace/trace.h"
#include "ui/export/picture.h"
#include "ui/timeline/model/row_arrangement.h"

namespace lanelab {

class TimelineData;

/// The part that a view shows; the caption says measured or predicted, lanes, range. Empty without data.
Picture timelinePicture(std::shared_ptr<const TimelineData> data, TimeRange range, const RowArrangement& arrangement,
                        bool differences);

/// A whole trace or a range of it, for the report and the command line.
Picture timelinePicture(std::shared_ptr<const Trace> trace, std::optional<TimeRange> range = {});

}  // namespace lanelab
