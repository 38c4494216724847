// SPDX-License-Identifier: GPL-3.0-only
// All of a trace in a strip some pixels high: how busy its lanes were, and with what.
#pragma once

#include <QImage>

#include "ui/look/theme.h"
#include "ui/timeline/model/timeline_data.h"

namespace lanelab {

/// A line for each lane, in the colours of its spans, paler where it was less busy; where lanes would be lower than two
/// pixels one area for all, as high as they were busy. Costs a few groups of spans a pixel and lane, however many spans
/// there are.
QImage overviewPicture(const TimelineData& data, TimeRange range, QSize pixels, const look::Palette& palette);

}  // namespace lanelab
