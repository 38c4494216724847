// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/sweep_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

#include "ui/charts/chart_canvas.h"
#include "ui/charts/sweep_chart.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"

namespace lanelab {

namespace {

QString captionOf(const std::vector<SweepPoint>& points) {
  int n = 0;
  bool whole_interval = false;
  for (const SweepPoint& point : points) {
    n = std::max(n, point.steps.n);
    whole_interval = whole_interval || point.steps.ci95.has_value();
  }
  if (n == 0)
    return SweepView::tr("Step time by micro-batch size, predicted from measured block times; nothing was trained.");
  const QString spread = n == 1           ? SweepView::tr("no error bars")
                         : whole_interval ? SweepView::tr("bars: 95 % CI of the mean")
                                          : SweepView::tr("bars: one standard deviation to each side");
  QString text =
      SweepView::tr("Points: measured, median step of %1 (%2).").arg(SweepView::tr("%n repeat(s)", nullptr, n), spread);
  if (std::ranges::any_of(points, [](const SweepPoint& point) { return point.predicted.has_value(); }))
    text += QLatin1Char(' ') + SweepView::tr("Line: predicted from block times.");
  if (const Message errors = errorSentence(points); !errors.message.empty()) text += " " + look::shownText(errors);
  return text;
}

Picture pictureOf(const std::vector<SweepPoint>& points, const QString& metadata) {
  const auto paint = [points](QPainter& painter, const QRectF& rect, const look::Palette& palette) {
    paintChart(makeSweepChart(points, palette), painter, rect);
  };
  return {look::shownText(adviceSentence(points)), captionOf(points), QSizeF(720, 340), paint, metadata};
}

}  // namespace

/// Variants of one size make up no sweep, whatever else they differ in.
bool hasSweep(const RunRecord& record) {
  std::set<int> sizes;
  for (const SweepPoint& point : sweepPoints(record)) sizes.insert(point.split_size);
  return sizes.size() >= 2;
}

Picture sweepPicture(const RunRecord& record) {
  return pictureOf(sweepPoints(record), QString::fromStdString(toJson(record.experiment)));
}

SweepView::SweepView(QWidget* parent) : QWidget(parent) {
  // Side by side: the pane is wide and low.
  auto* row = look::makeLayout<QHBoxLayout>(this, 3 * look::kGrid, look::kPaneMargins);
  m_canvas = new ChartCanvas("sweepChart", tr("Step time by micro-batch size, predicted and measured"));
  m_canvas->setMinimumHeight(96);
  offerExhibit(m_canvas, [this] { return exhibit(); });
  connect(m_canvas, &ChartCanvas::paletteChanged, this, &SweepView::showCurve);
  row->addWidget(m_canvas, 3);
  row->addLayout(makeWords(), 2);
  showCurve();
}

void SweepView::setRun(const std::shared_ptr<const RunRecord>& record) {
  m_points = record && hasSweep(*record) ? sweepPoints(*record) : std::vector<SweepPoint>();
  m_metadata = record ? QString::fromStdString(toJson(record->experiment)) : QString();
  showCurve();
}

void SweepView::setCanAsk(bool can) {
  for (QPushButton* button : {m_advise, m_measure, m_use}) button->setEnabled(can);
}

QLayout* SweepView::makeWords() {
  auto* column = new QVBoxLayout;
  column->setSpacing(look::kGrid);
  m_advice = look::wrappedLabel("sweepAdvice");
  m_advice->setFont(look::bold(font()));
  m_advice->setTextInteractionFlags(Qt::TextSelectableByMouse);
  column->addWidget(m_advice);
  m_caption = look::wrappedLabel("sweepCaption");
  m_caption->setFont(look::smallFont());
  column->addWidget(m_caption);
  column->addStretch(1);
  column->addLayout(makeButtons());
  return column;
}

QLayout* SweepView::makeButtons() {
  auto* row = new QHBoxLayout;
  row->setSpacing(2 * look::kGrid);
  m_use = look::button("useSplitSize", {}, tr("Set the micro-batch size of the pipeline to the fastest one"));
  m_advise = look::button("adviseButton", tr("Recommend"),
                          tr("Predict the usual micro-batch sizes and measure the best three"));
  m_measure =
      look::button("sweepButton", tr("Measure All"), tr("Predict and measure all of the usual micro-batch sizes"));
  for (QPushButton* button : {m_use, m_advise, m_measure}) {
    button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    row->addWidget(button);
  }
  row->addStretch(1);
  connect(m_advise, &QPushButton::clicked, this, &SweepView::adviceRequested);
  connect(m_measure, &QPushButton::clicked, this, &SweepView::sweepRequested);
  connect(m_use, &QPushButton::clicked, this, [this] {
    if (const SweepPoint* const best = advisedPoint(m_points)) Q_EMIT splitSizeChosen(best->split_size);
  });
  return row;
}

void SweepView::showCurve() {
  const bool any = !m_points.empty();
  m_canvas->setVisible(any);
  m_caption->setVisible(any);
  m_use->setVisible(any && advisedPoint(m_points) != nullptr);
  if (const SweepPoint* const best = advisedPoint(m_points)) m_use->setText(tr("Use %1").arg(best->split_size));
  m_advice->setText(any ? look::shownText(adviceSentence(m_points))
                        : tr("Find the fastest micro-batch size: Recommend predicts step times for the usual "
                             "sizes from recorded block times, then measures the best three and the present one."));
  m_caption->setText(captionOf(m_points));
  m_canvas->showChart(makeSweepChart(m_points, look::current(),
                                     [this](std::size_t index) {
                                       Q_EMIT variantActivated(QString::fromStdString(m_points[index].variant));
                                     }),
                      sweepWords(m_points));
}

Picture SweepView::picture() const { return pictureOf(m_points, m_metadata); }

Exhibit SweepView::exhibit() const { return exhibitOf(*this, hasCurve(), "split-sizes", tr("Micro-Batch Sizes")); }

std::string SweepView::csv() const { return sweepCsv(m_points); }

}  // namespace lanelab
