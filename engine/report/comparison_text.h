// SPDX-License-Identifier: GPL-3.0-only
// The variants of a run beside each other: text tables, CSV, and the headline.
#pragma once

#include <string>
#include <vector>

#include "base/text_table.h"
#include "engine/record/run_record.h"

namespace lanelab {

/// Three significant figures; "-" for what is not known or not finite.
std::string figureOrDash(bool known, double value);
/// The comparison: the headers with their units, then a row a variant.
std::vector<TextRow> comparisonCells(const RunRecord& record);
/// The comparison as a text table for a terminal (fixed width, numbers right-aligned, units in headers).
std::string comparisonTable(const RunRecord& record);
/// Error of the forecast against the measured peak: "+1.2 %". Only with both.
std::string forecastError(const LaneRecord& lane);
/// Forecast of every lane's peak memory, by parts, beside the measured peak if there is one; empty for a record
/// without forecasts.
std::string memoryTable(const RunRecord& record);
/// RFC 4180:
/// variant,strategy,stages,split_size,micro_batches,n,mean_s,std_s,median_s,ci95_low_s,ci95_high_s,samples_per_second,ratio,ratio_ci95_low,ratio_ci95_high,verdict
std::string comparisonCsv(const RunRecord& record);
/// One sentence: what was compared with what, with interval and repeats ("Pipeline is 2.44x slower than Single (95 % CI
/// 2.13 to 2.86x; 5 repeats each)."; of runs compared per sample it says so).
Message headline(const RunRecord& record);

}  // namespace lanelab
