// SPDX-License-Identifier: GPL-3.0-only
// The rows that chart and table of a comparison share: one a variant, of one run or of several side by side. Pure
// values.
#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "engine/record/run_record.h"
#include "ui/charts/comparison_view.h"

namespace lanelab {

struct ComparisonRowData {
  QString label;                ///< "Pipeline", or "tutorial-0912/Pipeline" of several runs
  std::vector<double> seconds;  ///< of the counted repeats
  Summary summary;
  double images_per_second = 0;
  bool baseline = false;
  Ratio ratio;  ///< against the baseline
};

struct ComparisonRows {
  std::vector<ComparisonRowData> rows;
  QString headline;
  QString caption;    ///< what, n, spread, measured
  QStringList notes;  ///< what to know about the statistics: outliers, a wide spread, runs that did other work
  bool clear_difference = false;  ///< false: the headline is grey
};

using RunRecords = std::vector<std::shared_ptr<const RunRecord>>;

/// Fewer repeats than this give dots only: no whisker is honest.
inline constexpr int kFewestForSpread = 5;
/// Up to this many, every repeat is drawn as a dot.
inline constexpr int kMostDots = 10;

/// Several runs as one record with the baseline's label (empty or unknown: the first run's own); none of no runs.
std::optional<RunRecord> combined(const RunRecords& runs, const QString& baseline, QStringList& notes);

ComparisonRows comparisonRows(const RunRecord& record, Spread spread, QStringList notes = {});

/// The whisker of a row: mean and 95 % CI, or mean and one standard deviation to each side; none below
/// kFewestForSpread.
std::optional<Interval> whiskerOf(const ComparisonRowData& row, Spread spread);

/// All that is known of a row, a line each, and that a whisker was cut at 0 where it was.
QString comparisonTip(const ComparisonRowData& row, Spread spread);

QStringList comparisonTableHeader(const ComparisonRows& rows);
/// The cells of a row, units in the header, C locale.
QStringList comparisonTableCells(const ComparisonRowData& row);

}  // namespace lanelab
