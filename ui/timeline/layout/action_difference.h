// SPDX-License-Identifier: GPL-3.0-only
// By how much an action took longer or shorter than its counterpart: that of the first run if two are aligned, else the
// predicted one.
#pragma once

#include <QString>
#include <optional>

#include "ui/timeline/model/timeline_data.h"

namespace lanelab {

/// Whether there is anything to compare with.
bool hasDifferences(const TimelineData& data);
/// Whether actions of this row have counterparts: compute rows, of two aligned runs those of the second.
bool tinted(const TimelineData& data, const Row& row);
/// Of an action its length over its fellow's, less one; nothing for the first of two runs, and where it has no fellow.
std::optional<double> differenceOf(const TimelineData& data, SpanRef ref);
/// "+12 %", "-0.4 %", "0 %".
QString differenceText(double difference);

}  // namespace lanelab
