// SPDX-License-Identifier: GPL-3.0-only
#include "ui/charts/sweep_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

#include "base/text.h"
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
      SweepView::tr("Points: measured, median step of %1 (%2).").arg(look::shownText(counted(n, "repeat")), spread);
  if (std::ranges::any_of(points, [](const SweepPoint& point) { return point.predicted.has_value(); }))
    text += QLatin1Char(' ') + SweepView::tr("Line: predicted from block times.");
  if (const std::string errors = errorSentence(points); !errors.empty()) text += " " + look::shownText(errors);
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

class SweepView::Impl {
 public:
  explicit Impl(SweepView* owner) : m_owner(owner) {
    // Side by side: the pane is wide and low.
    auto* row = new QHBoxLayout(owner);
    row->setContentsMargins(2 * look::kGrid, look::kGrid, 2 * look::kGrid, look::kGrid);
    row->setSpacing(3 * look::kGrid);
    m_canvas = new ChartCanvas("sweepChart", SweepView::tr("Step time by micro-batch size, predicted and measured"));
    m_canvas->setMinimumHeight(96);
    offerExhibit(m_canvas, [owner] { return owner->exhibit(); });
    QObject::connect(m_canvas, &ChartCanvas::paletteChanged, owner, [this] { show(); });
    row->addWidget(m_canvas, 3);
    row->addLayout(makeWords(), 2);
    show();
  }

  void setRun(std::shared_ptr<const RunRecord> record) {
    points = record && hasSweep(*record) ? sweepPoints(*record) : std::vector<SweepPoint>();
    metadata = record ? QString::fromStdString(toJson(record->experiment)) : QString();
    show();
  }

  void setCanAsk(bool can) {
    for (QPushButton* button : {m_advise, m_measure, m_use}) button->setEnabled(can);
  }

  std::vector<SweepPoint> points;
  QString metadata;

 private:
  QLayout* makeWords() {
    auto* column = new QVBoxLayout;
    column->setSpacing(look::kGrid);
    m_advice = look::wrappedLabel("sweepAdvice");
    m_advice->setFont(look::bold(m_owner->font()));
    m_advice->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_advice);
    m_caption = look::wrappedLabel("sweepCaption");
    m_caption->setFont(look::smallFont());
    column->addWidget(m_caption);
    column->addStretch(1);
    column->addLayout(makeButtons());
    return column;
  }

  QLayout* makeButtons() {
    auto* row = new QHBoxLayout;
    row->setSpacing(2 * look::kGrid);
    m_use =
        look::button("useSplitSize", {}, SweepView::tr("Set the micro-batch size of the pipeline to the fastest one"));
    m_advise = look::button("adviseButton", SweepView::tr("Recommend"),
                            SweepView::tr("Predict the usual micro-batch sizes and measure the best three"));
    m_measure = look::button("sweepButton", SweepView::tr("Measure All"),
                             SweepView::tr("Predict and measure all of the usual micro-batch sizes"));
    for (QPushButton* button : {m_use, m_advise, m_measure}) {
      button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
      row->addWidget(button);
    }
    row->addStretch(1);
    QObject::connect(m_advise, &QPushButton::clicked, m_owner, &SweepView::adviceRequested);
    QObject::connect(m_measure, &QPushButton::clicked, m_owner, &SweepView::sweepRequested);
    QObject::connect(m_use, &QPushButton::clicked, m_owner, [this] {
      if (const SweepPoint* const best = advisedPoint(points)) Q_EMIT m_owner->splitSizeChosen(best->split_size);
    });
    return row;
  }

  void show() {
    const bool any = !points.empty();
    m_canvas->setVisible(any);
    m_caption->setVisible(any);
    m_use->setVisible(any && advisedPoint(points) != nullptr);
    if (const SweepPoint* const best = advisedPoint(points))
      m_use->setText(SweepView::tr("Use %1").arg(best->split_size));
    m_advice->setText(
        any ? look::shownText(adviceSentence(points))
            : SweepView::tr("Find the fastest micro-batch size: Recommend predicts step times for the usual "
                            "sizes from recorded block times, then measures the best three and the present one."));
    m_caption->setText(captionOf(points));
    m_canvas->showChart(makeSweepChart(points, look::current(), [this](std::size_t index) {
      Q_EMIT m_owner->variantActivated(QString::fromStdString(points[index].variant));
    }));
  }

  SweepView* m_owner;
  QLabel* m_advice;
  QLabel* m_caption;
  QPushButton* m_use;
  QPushButton* m_advise;
  QPushButton* m_measure;
  ChartCanvas* m_canvas;
};

SweepView::SweepView(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>(this)) {}
SweepView::~SweepView() = default;

void SweepView::setRun(std::shared_ptr<const RunRecord> record) { m_impl->setRun(std::move(record)); }
void SweepView::setCanAsk(bool can) { m_impl->setCanAsk(can); }
bool SweepView::hasCurve() const { return !m_impl->points.empty(); }
Picture SweepView::picture() const { return pictureOf(m_impl->points, m_impl->metadata); }
Exhibit SweepView::exhibit() const {
  const Exhibit empty{"split-sizes", tr("Micro-Batch Sizes"), {}, {}};
  if (!hasCurve()) return empty;
  return {empty.name, empty.title, [this] { return picture(); }, [this] { return csv(); }};
}

std::string SweepView::csv() const { return sweepCsv(m_impl->points); }

}  // namespace lanelab
