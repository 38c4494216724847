// SPDX-License-Identifier: GPL-3.0-only
#include <QHBoxLayout>
#include <QPainter>
#include <QStackedLayout>
#include <algorithm>

#include "base/csv.h"
#include "base/text.h"
#include "ui/charts/chart_canvas.h"
#include "ui/charts/comparison_view.h"
#include "ui/charts/loss_chart.h"
#include "ui/look/parts.h"

namespace lanelab {

namespace {

Picture pictureOf(const std::vector<LossView::Curve>& curves, const QString& metadata) {
  const bool accuracy = haveAccuracy(curves);
  QString caption = LossView::tr(
      "Loss of each step of one repeat (n = 1, the newest), by variant; measured. Lines that coincide alternate.");
  if (accuracy)
    caption += LossView::tr(
        " Accuracy in training (dashed) is counted while the weights change, accuracy in validation after each epoch.");
  const auto paint = [curves, accuracy](QPainter& painter, const QRectF& rect, const look::Palette& palette) {
    const QRectF left = accuracy ? QRectF(rect.topLeft(), QSizeF(rect.width() / 2, rect.height())) : rect;
    paintChart(makeLossChart(curves, palette), painter, left);
    if (accuracy) paintChart(makeAccuracyChart(curves, palette), painter, left.translated(left.width(), 0));
  };
  return {accuracy ? LossView::tr("Loss by step, accuracy by epoch") : LossView::tr("Loss by step"), caption,
          accuracy ? QSizeF(960, 320) : QSizeF(720, 300), paint, metadata};
}

/// Filled in the row of an epoch's last step; a curve that goes has its finished epochs only.
void addEpochCells(CsvTable& table, const LossView::Curve& curve, std::size_t step) {
  for (std::size_t e = 0; e < curve.epochs.size(); ++e) {
    if (curve.epochs[e].last_step != static_cast<int>(step)) continue;
    table.index(e);
    for (const std::optional<double>& share : {curve.epochs[e].accuracy, curve.epochs[e].validation_accuracy})
      table.number(share ? exactNumber(*share) : std::string());
    return;
  }
  table.number("").number("").number("");
}

}  // namespace

Picture lossPicture(const RunRecord& record) {
  return pictureOf(lossCurves(record), QString::fromStdString(toJson(record.experiment)));
}

LossView::LossView(QWidget* parent)
    : QWidget(parent),
      m_pages(new QStackedLayout(this)),
      m_empty(look::emptyLabel("lossEmpty", {})),
      m_losses(new ChartCanvas("lossChart", tr("Loss by step of each variant"))),
      m_accuracy(new ChartCanvas("accuracyChart", tr("Accuracy by epoch of each variant"))) {
  m_pages->addWidget(m_empty);
  setEmptyText({});
  auto* charts = new QWidget;
  auto* row = look::makeLayout<QHBoxLayout>(charts, 0);
  row->addWidget(m_losses, 1);
  row->addWidget(m_accuracy, 1);
  m_pages->addWidget(charts);
  for (ChartCanvas* canvas : {m_losses, m_accuracy}) offerExhibit(canvas, [this] { return exhibit(); });
  connect(m_losses, &ChartCanvas::paletteChanged, this, &LossView::draw);
}

void LossView::setCurves(std::vector<Curve> curves, const QString& experiment) {
  m_experiment = experiment;
  m_curves = std::move(curves);
  draw();
}

void LossView::setEmptyText(const QString& sentence) {
  m_empty->setText(sentence.isEmpty() ? tr("Run the experiment to watch the loss of each step.") : sentence);
}

void LossView::draw() {
  const bool any = std::ranges::any_of(m_curves, [](const auto& curve) { return !curve.losses.empty(); });
  m_pages->setCurrentIndex(any ? 1 : 0);
  m_losses->showChart(makeLossChart(m_curves, look::current()), lossWords(m_curves));
  m_accuracy->setVisible(haveAccuracy(m_curves));
  if (haveAccuracy(m_curves))
    m_accuracy->showChart(makeAccuracyChart(m_curves, look::current()), accuracyWords(m_curves));
}

Picture LossView::picture() const { return pictureOf(m_curves, m_experiment); }

Exhibit LossView::exhibit() const { return exhibitOf(*this, m_pages->currentIndex() != 0, "loss", tr("Loss")); }

std::string LossView::csv() const {
  const bool epochs = haveEpochs(m_curves);
  std::string csv;
  CsvTable table(csv, epochs ? "variant,step,loss,epoch,accuracy,validation_accuracy" : "variant,step,loss");
  for (const auto& curve : m_curves) {
    for (std::size_t i = 0; i < curve.losses.size(); ++i) {
      table.text(curve.name.toStdString()).index(i).number(exactNumber(curve.losses[i]));
      if (epochs) addEpochCells(table, curve, i);
      table.endRow();
    }
  }
  return csv;
}

}  // namespace lanelab
