// SPDX-License-Identifier: GPL-3.0-only
#include "ui/overlay/overlay_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/library/overlay/overlay_tables.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/overlay/overlay_legend.h"
#include "ui/overlay/overlay_view.h"
#include "ui/overlay/overlay_words.h"

namespace lanelab {

namespace {

constexpr QSize kDialogSize(1080, 640);
constexpr int kLegendWidth = 260;
constexpr double kMostSmoothing = 0.99;
constexpr int kHighestNotes = 24 * look::kGrid;

template <class Choice>
Choice chosen(const QComboBox& box) {
  return static_cast<Choice>(box.currentData().toInt());
}

QLabel* labelOf(QWidget* field, const QString& text) {
  auto* label = new look::PlainLabel(text);
  label->setBuddy(field);
  return label;
}

QComboBox* makeBox(const char* name, const QString& tip) {
  auto* box = new QComboBox;
  box->setObjectName(QLatin1String(name));
  box->setToolTip(tip);
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  return box;
}

}  // namespace

OverlayDialog::OverlayDialog(std::vector<RunEntry> runs, QWidget* parent) : QDialog(parent) {
  setObjectName("overlayDialog");
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Overlay Runs"));
  auto* column = look::dialogColumn(this);
  column->addLayout(makeChoices());
  auto* content = new QWidget;
  m_pages = new QStackedLayout(content);
  m_empty = look::emptyLabel("overlayEmpty", tr("Reading %n run(s)...", nullptr, static_cast<int>(runs.size())));
  m_pages->addWidget(m_empty);
  m_pages->addWidget(makeChart());
  column->addWidget(content, 1);
  m_notes = look::wrappedLabel("overlayNotes");
  m_notes->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_notes_area = look::scrollArea(m_notes);
  m_notes_area->setAccessibleName(tr("Notes"));
  m_notes_area->hide();
  column->addWidget(m_notes_area);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  m_export = buttons->addButton(tr("&Export..."), QDialogButtonBox::ActionRole);
  m_export->setObjectName("overlayExport");
  m_export->setToolTip(tr("Save the figure as PNG, SVG or PDF, or its points as CSV"));
  m_export->setEnabled(false);
  connect(m_export, &QPushButton::clicked, this, [this] { exportExhibit(this, exhibit()); });
  buttons->button(QDialogButtonBox::Close)->setDefault(true);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  column->addWidget(buttons);
  chooseMetric();
  resize(kDialogSize.boundedTo(parent ? parent->window()->size() : kDialogSize));
  m_work.ask([this, runs = std::move(runs)](const std::stop_token& stop) -> Background::Then {
    auto read = std::make_shared<const std::vector<OverlaidRun>>(readOverlaid(runs, stop));
    return [this, read] {
      m_runs = read;
      ask();
    };
  });
}

QLayout* OverlayDialog::makeChoices() {
  auto* row = new QHBoxLayout;
  row->setSpacing(2 * look::kGrid);
  m_metric = makeBox("overlayMetric", tr("What is drawn of each run"));
  for (const Word<OverlayMetric>& metric : wordTable(OverlayMetric{}))
    m_metric->addItem(overlay_words::title(metric.value), static_cast<int>(metric.value));
  m_axis = makeBox("overlayAxis", tr("What it is drawn against"));
  m_smoothing = new QDoubleSpinBox;
  m_smoothing->setObjectName("overlaySmoothing");
  m_smoothing->setRange(0, kMostSmoothing);
  m_smoothing->setSingleStep(0.1);
  m_smoothing->setDecimals(2);
  m_smoothing->setToolTip(
      tr("Weight of the values before in an exponential moving average; 0 draws the values as measured"));
  m_all_variants = new QCheckBox(tr("&All variants"));
  m_all_variants->setObjectName("overlayVariants");
  m_all_variants->setToolTip(
      tr("Curves of all variants of each run, in place of the first pipeline or the first variant after the baseline"));
  row->addWidget(labelOf(m_metric, tr("&Metric")));
  row->addWidget(m_metric);
  row->addWidget(labelOf(m_axis, tr("A&gainst")));
  row->addWidget(m_axis);
  m_smoothing_label = labelOf(m_smoothing, tr("&Smoothing"));
  row->addWidget(m_smoothing_label);
  row->addWidget(m_smoothing);
  row->addWidget(m_all_variants);
  row->addStretch(1);
  connect(m_metric, &QComboBox::currentIndexChanged, this, &OverlayDialog::chooseMetric);
  connect(m_axis, &QComboBox::currentIndexChanged, this, &OverlayDialog::chooseAxis);
  connect(m_smoothing, &QDoubleSpinBox::valueChanged, this, &OverlayDialog::ask);
  connect(m_all_variants, &QCheckBox::toggled, this, &OverlayDialog::ask);
  return row;
}

QWidget* OverlayDialog::makeChart() {
  auto* both = new QSplitter(Qt::Horizontal);
  m_view = new OverlayView;
  m_legend = new OverlayLegend;
  both->addWidget(m_view);
  both->addWidget(m_legend);
  both->setStretchFactor(0, 1);
  both->setSizes({kDialogSize.width() - kLegendWidth, kLegendWidth});
  both->setChildrenCollapsible(false);
  connect(m_view, &OverlayView::curveEntered, this, [this](int curve) {
    m_view->highlight(curve);
    m_legend->showCurve(curve);
  });
  connect(m_legend, &OverlayLegend::curveChosen, m_view, &OverlayView::highlight);
  for (QWidget* const part : std::initializer_list<QWidget*>{m_view, m_legend})
    offerExhibit(part, [this] { return exhibit(); });
  return both;
}

OverlayChoice OverlayDialog::choice() const {
  return {chosen<OverlayMetric>(*m_metric), chosen<OverlayAxis>(*m_axis), m_all_variants->isChecked(),
          m_smoothing->value()};
}

/// The axis remains if the metric can be drawn against it.
void OverlayDialog::chooseMetric() {
  const std::vector<OverlayAxis> axes = axesOf(chosen<OverlayMetric>(*m_metric));
  const QVariant before = m_axis->currentData();
  {
    const QSignalBlocker quiet(m_axis);
    m_axis->clear();
    for (const OverlayAxis axis : axes) m_axis->addItem(overlay_words::title(axis), static_cast<int>(axis));
    m_axis->setCurrentIndex(std::max(m_axis->findData(before), 0));
  }
  chooseAxis();
}

void OverlayDialog::chooseAxis() {
  const bool joins = joinsVariants(chosen<OverlayAxis>(*m_axis));
  for (QWidget* const part : std::initializer_list<QWidget*>{m_smoothing_label, m_smoothing, m_all_variants})
    part->setEnabled(!joins);
  ask();
}

void OverlayDialog::ask() {
  if (!m_runs) return;
  m_work.ask([this, runs = m_runs, choice = choice()](const std::stop_token&) -> Background::Then {
    auto overlay = std::make_shared<Overlay>(overlayOf(*runs, choice));
    return [this, overlay] { showOverlay(std::move(*overlay)); };
  });
}

void OverlayDialog::showOverlay(Overlay overlay) {
  m_overlay = std::make_shared<const Overlay>(std::move(overlay));
  const bool any = !m_overlay->curves.empty();
  m_view->setOverlay(*m_overlay);
  m_legend->setOverlay(*m_overlay);
  const QString metric = overlay_words::title(m_overlay->choice.metric).toLower();
  m_empty->setText(tr("None of these runs has this metric: %1. Choose another one.").arg(metric));
  m_pages->setCurrentIndex(any ? 1 : 0);
  m_notes->setText(overlay_words::notes(*m_overlay));
  m_notes_area->setVisible(!m_overlay->notes.empty());
  fitNotes();
  m_export->setEnabled(any);
  Q_EMIT shown();
}

void OverlayDialog::fitNotes() {
  const int wanted = m_notes->heightForWidth(layout()->contentsRect().width());
  m_notes_area->setFixedHeight(std::clamp(wanted, 0, kHighestNotes));
}

void OverlayDialog::resizeEvent(QResizeEvent* event) {
  QDialog::resizeEvent(event);
  fitNotes();
}

Picture OverlayDialog::picture() const { return overlayPicture(*m_overlay); }
std::string OverlayDialog::csv() const { return overlayCsv(*m_overlay); }

Exhibit OverlayDialog::exhibit() const {
  return exhibitOf(*this, !m_overlay->curves.empty(), QStringLiteral("overlay"), tr("Overlay"));
}

}  // namespace lanelab
