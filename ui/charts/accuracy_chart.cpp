// SPDX-License-Identifier: GPL-3.0-only
#include <QLegend>
#include <QLegendMarker>
#include <QLineSeries>
#include <QValueAxis>
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/loss_chart.h"
#include "ui/look/plain_text.h"
#include "ui/look/spoken_list.h"

namespace lanelab {

namespace {

/// Validation is the line that counts; training is dashed, or the only one.
QLineSeries* makeLine(const QString& name, const std::vector<std::optional<double>>& shares, QPen pen, bool dashed) {
  auto* line = new QLineSeries;
  line->setName(look::shownName(name).toHtmlEscaped());
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (shares[i] && std::isfinite(*shares[i])) line->append(static_cast<double>(i + 1), 100 * *shares[i]);
  if (dashed) pen.setStyle(Qt::DashLine);
  line->setPen(pen);
  line->setMarkerSize(pen.widthF() + 2);
  line->setPointsVisible(!dashed);
  return line;
}

bool isValidated(const LossView::Curve& curve) {
  return std::ranges::any_of(curve.epochs,
                             [](const EpochResult& epoch) { return epoch.validation_accuracy.has_value(); });
}

QValueAxis* makeEpochs(std::size_t epochs, bool validated, const look::Palette& palette) {
  auto* axis =
      makeCountAxis(validated ? ChartTexts::tr("Epoch (dashed: training, solid: validation)") : ChartTexts::tr("Epoch"),
                    epochs, palette);
  axis->setTickInterval(std::max(1.0, std::ceil(static_cast<double>(epochs) / 10)));
  return axis;
}

QValueAxis* makePercent(double lowest, const look::Palette& palette) {
  auto* axis = makeValueAxis(ChartTexts::tr("Accuracy (%)"), "%d", palette);
  const double low = std::max(0.0, std::floor(lowest / 10) * 10);
  axis->setRange(low, 100);
  axis->setTickInterval(niceInterval(std::max(100 - low, 1.0), 5));
  return axis;
}

/// Of the line that counts, its first and its last epoch; empty where none is known.
QString accuracyOf(const LossView::Curve& curve) {
  const bool validated = isValidated(curve);
  std::vector<double> shares;
  for (const EpochResult& epoch : curve.epochs)
    if (const auto share = validated ? epoch.validation_accuracy : epoch.accuracy) shares.push_back(*share);
  if (shares.empty()) return {};
  const QString words = ChartTexts::tr("%1 %2 to %3")
                            .arg(look::shownName(curve.name), QString::fromStdString(formatPercent(shares.front())),
                                 QString::fromStdString(formatPercent(shares.back())));
  return validated ? ChartTexts::tr("%1 in validation").arg(words) : ChartTexts::tr("%1 in training").arg(words);
}

/// Two entries a variant would be cut in a narrow pane, so the axis says what dashed lines are.
void showNoEntry(const QChart& chart, QLineSeries* line) {
  for (QLegendMarker* marker : chart.legend()->markers(line)) marker->setVisible(false);
}

}  // namespace

QString accuracyWords(const std::vector<LossView::Curve>& curves) {
  std::size_t epochs = 0;
  QStringList words;
  for (const LossView::Curve& curve : curves) {
    epochs = std::max(epochs, curve.epochs.size());
    if (const QString of_curve = accuracyOf(curve); !of_curve.isEmpty()) words << of_curve;
  }
  if (words.isEmpty()) return {};
  return ChartTexts::tr("Accuracy over %1: %2.")
      .arg(ChartTexts::tr("%n epoch(s)", nullptr, static_cast<int>(epochs)), look::spokenList(words));
}

bool haveEpochs(const std::vector<LossView::Curve>& curves) {
  return std::ranges::any_of(curves, [](const auto& curve) { return !curve.epochs.empty(); });
}

bool haveAccuracy(const std::vector<LossView::Curve>& curves) {
  const auto has = [](const EpochResult& epoch) { return epoch.accuracy.has_value(); };
  return std::ranges::any_of(curves, [&](const auto& curve) { return std::ranges::any_of(curve.epochs, has); });
}

std::unique_ptr<QChart> makeAccuracyChart(const std::vector<LossView::Curve>& curves, const look::Palette& palette) {
  auto chart = makeChart(palette);
  chart->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);  // dashed or not
  std::size_t epochs = 1;
  double lowest = 100;
  for (const auto& curve : curves) {
    epochs = std::max(epochs, curve.epochs.size());
    for (const EpochResult& epoch : curve.epochs)
      lowest = std::min({lowest, 100 * epoch.accuracy.value_or(1), 100 * epoch.validation_accuracy.value_or(1)});
  }
  chart->addAxis(makeEpochs(epochs, std::ranges::any_of(curves, isValidated), palette), Qt::AlignBottom);
  chart->addAxis(makePercent(lowest, palette), Qt::AlignLeft);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    std::vector<std::optional<double>> training, validation;
    for (const EpochResult& epoch : curves[i].epochs) {
      training.push_back(epoch.accuracy);
      validation.push_back(epoch.validation_accuracy);
    }
    const QPen pen(palette.series(static_cast<int>(i)), 2);
    const bool validated = isValidated(curves[i]);
    QLineSeries* const trained = makeLine(curves[i].name, training, pen, validated);
    addSeries(*chart, trained);
    if (!validated) continue;
    showNoEntry(*chart, trained);
    addSeries(*chart, makeLine(curves[i].name, validation, pen, false));
  }
  return chart;
}

}  // namespace lanelab
