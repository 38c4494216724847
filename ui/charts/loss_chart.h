// The loss by step of each variant as a QChart of lines.
#pragma once

#include <QChart>
#include <memory>

#include "ui/charts/comparison_view.h"

namespace lanelab {

std::unique_ptr<QChart> makeLossChart(const std::vector<LossView::Curve>& curves, const look::Palette& palette);

/// The newest repeat of each variant that has losses.
std::vector<LossView::Curve> lossCurves(const RunRecord& record);

}  // namespace lanelab
