// SPDX-License-Identifier: GPL-3.0-only
// The bars of a comparison as a QChart: horizontal, from 0, in the order of the experiment, so that long names are
// never cut.
#pragma once

#include <QChart>
#include <functional>
#include <memory>

#include "ui/charts/comparison_rows.h"
#include "ui/look/theme.h"

namespace lanelab {

/// `on_click` hears the index of a row whose bar was clicked.
std::unique_ptr<QChart> makeComparisonChart(const ComparisonRows& rows, Spread spread, const look::Palette& palette,
                                            const std::function<void(int)>& on_click = {});

/// "Mean time per repeat: Single (baseline) 2.00 s, 95 % CI 1.98 to 2.02 s; Pipeline 1.16 s, ..."
QString comparisonWords(const ComparisonRows& rows, Spread spread);

/// Below it the names of the rows would overlap.
int leastComparisonHeight(const ComparisonRows& rows);

/// Body size of an exported comparison.
QSizeF comparisonChartSize(const ComparisonRows& rows);

}  // namespace lanelab
