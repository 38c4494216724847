// SPDX-License-Identifier: GPL-3.0-only
// The loss by step of each variant, and its accuracy by epoch, as QCharts of lines.
#pragma once

#include <QChart>
#include <memory>

#include "ui/charts/comparison_view.h"

namespace lanelab {

std::unique_ptr<QChart> makeLossChart(const std::vector<LossView::Curve>& curves, const look::Palette& palette);

/// "Loss over 60 steps: Single 2.31 to 0.42, Pipeline 2.31 to 0.44."
QString lossWords(const std::vector<LossView::Curve>& curves);

/// The accuracy by epoch in percent: validation as a line, training dashed in the same colour. Some losses know none.
std::unique_ptr<QChart> makeAccuracyChart(const std::vector<LossView::Curve>& curves, const look::Palette& palette);
/// "Accuracy over 3 epochs: Single 45.1 % to 92.2 % in validation."
QString accuracyWords(const std::vector<LossView::Curve>& curves);
bool haveEpochs(const std::vector<LossView::Curve>& curves);
bool haveAccuracy(const std::vector<LossView::Curve>& curves);

/// The newest repeat of each variant that has losses.
std::vector<LossView::Curve> lossCurves(const RunRecord& record);

}  // namespace lanelab
