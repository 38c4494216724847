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

/// What the bars show. Images/s when runs of unlike batches or lengths stand side by side, whose times do not compare.
enum class Measure { SecondsPerRepeat, SamplesPerSecond };

struct ComparisonRowData {
  QString label;               ///< "Pipeline", or "tutorial/Pipeline" of several runs
  std::vector<double> values;  ///< of the counted repeats, in the unit of the measure
  Summary summary;             ///< of these values
  double samples_per_second = 0;
  SampleUnit unit;                 ///< what these images are
  std::optional<double> accuracy;  ///< FinalAccuracy::value()
  bool in_accuracy = false;        ///< any row has one
  bool baseline = false;
  Ratio ratio;  ///< speed-up over the baseline
};

struct ComparisonRows {
  std::vector<ComparisonRowData> rows;
  Measure measure = Measure::SecondsPerRepeat;
  SampleUnit unit;  ///< of all rows
  QString headline;
  QString trust;                  ///< whether the times can be trusted (run_trust.h)
  bool doubtful = false;          ///< something speaks against them
  QString caption;                ///< what, n, spread, measured
  QStringList notes;              ///< what to know about the statistics: outliers, a wide spread, runs that ended early
  bool clear_difference = false;  ///< false: the headline is muted
};

using RunRecords = std::vector<std::shared_ptr<const RunRecord>>;

/// Fewer repeats than this give dots only: no whisker is honest.
inline constexpr int kFewestForSpread = 5;
/// Up to this many, every repeat is drawn as a dot.
inline constexpr int kMostDots = 10;

/// Several runs side by side, those of equal work next to each other.
struct CombinedRuns {
  std::optional<RunRecord> record;  ///< none of no runs, and of runs that do not compare
  Measure measure = Measure::SecondsPerRepeat;
  QString differ;  ///< "batch 16 and 32"; empty for equal work
  QStringList notes;
};

/// With the baseline's label; if that is empty or unknown, the first run's own baseline.
CombinedRuns combined(const RunRecords& runs, const QString& baseline);

ComparisonRows comparisonRows(const CombinedRuns& combined, Spread spread);
ComparisonRows comparisonRows(const RunRecord& record, Spread spread);

/// "s", "images/s" or "samples/s".
QString unitOf(Measure measure, const SampleUnit& unit);

/// The whisker of a row: mean and 95 % CI, or mean and one standard deviation to each side; none below
/// kFewestForSpread.
std::optional<Interval> whiskerOf(const ComparisonRowData& row, Spread spread);

/// All that is known of a row, a line each, and that a whisker was cut at 0 where it was.
QString comparisonTip(const ComparisonRowData& row, Spread spread, Measure measure);

QStringList comparisonTableHeader(const ComparisonRows& rows);
/// The cells of a row, units in the header, C locale.
QStringList comparisonTableCells(const ComparisonRowData& row, Measure measure);

}  // namespace lanelab
