// SPDX-License-Identifier: GPL-3.0-only
#include "ui/curve/memory_pane.h"

#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QTableWidget>
#include <QTimer>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>
#include <memory>

#include "ui/charts/chart_canvas.h"
#include "ui/curve/memory_chart.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/quantity_text.h"

namespace lanelab {
namespace {

enum Column { ScheduleName, Recompute, Front, Time, Range, Peak, Measured, ColumnCount };

Qt::Alignment alignmentOf(int column) {
  if (column == Front) return Qt::AlignCenter;
  return (column == ScheduleName || column == Recompute ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

/// Step time of the newest run that did it; its peak is in the tip.
QString measuredText(const ShownCurve& curve, std::size_t point) {
  for (const MeasuredPoint& one : curve.measured)
    if (one.point == point) return secondsText(one.step_seconds);
  return {};
}

QString wordsOf(MemoryPane::Nothing why) {
  using enum MemoryPane::Nothing;
  switch (why) {
    case Problems: return MemoryPane::tr("No curve to show. Fix the highlighted fields.");
    case NoTimes:
      return MemoryPane::tr(
          "What does less memory cost? Schedules and recompute are predicted from block times, and none are recorded "
          "for this network on these lanes. Measure the blocks, or run the experiment with recorded blocks.");
    case Predicting: return MemoryPane::tr("Predicting time and memory of each schedule...");
    case NoPipeline:
    case Failed: break;
  }
  return MemoryPane::tr(
      "What does less memory cost? Choose a pipeline of several stages: this pane compares its schedules, with and "
      "without recompute.");
}

/// Its Enter is a click on the current row; of a plain table it would be the dialog's or nothing.
class PointTable : public QTableWidget {
 public:
  explicit PointTable(std::function<void(int)> take) : QTableWidget(0, ColumnCount), m_take(std::move(take)) {}

 protected:
  void keyPressEvent(QKeyEvent* event) override {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && currentRow() >= 0) return m_take(currentRow());
    QTableWidget::keyPressEvent(event);
  }

 private:
  std::function<void(int)> m_take;
};

}  // namespace

MemoryPane::MemoryPane(QWidget* parent) : QWidget(parent) {
  setObjectName("memoryPane");
  auto* row = look::makeLayout<QHBoxLayout>(this, 3 * look::kGrid, look::kPaneMargins);
  m_canvas = new ChartCanvas("memoryChart", tr("Step time by peak memory, predicted and measured"));
  m_canvas->setMinimumHeight(96);
  m_canvas->viewport()->setMouseTracking(true);
  m_canvas->viewport()->installEventFilter(this);
  offerExhibit(m_canvas, [this] { return exhibit(); });
  connect(m_canvas, &ChartCanvas::paletteChanged, this, &MemoryPane::draw);
  row->addWidget(m_canvas, 1);
  row->addLayout(makeWords(), 1);
  showNothing(Nothing::NoPipeline);
}

void MemoryPane::showCurve(ShownCurve curve, const QString& metadata) {
  const std::optional<std::size_t> before = chosen();
  const bool same = before && m_curve.points.size() == curve.points.size();
  m_curve = std::move(curve);
  m_metadata = metadata;
  m_stale = false;
  fillTable();
  m_headline->setText(curveHeadline(m_curve));
  m_caption->setText(curveSource(m_curve));
  m_caption->setToolTip(curveCaption(m_curve));
  if (same) m_table->setCurrentCell(static_cast<int>(*before), ScheduleName);
  arrange();
  if (!same)
    QTimer::singleShot(0, this, [this] {  // once the table has its height
      const auto present = std::ranges::find_if(m_curve.points, &CurvePoint::present);
      if (present == m_curve.points.end()) return;
      const auto row = static_cast<int>(present - m_curve.points.begin());
      m_table->scrollToItem(m_table->item(row, ScheduleName), QAbstractItemView::PositionAtCenter);
    });
  Q_EMIT curveChanged();
}

void MemoryPane::showNothing(Nothing why, const QString& sentence) {
  m_curve = {};
  m_stale = false;
  m_table->setRowCount(0);
  m_headline->setText(why == Nothing::Failed ? sentence : wordsOf(why));
  m_can_measure = why == Nothing::NoTimes;
  arrange();
  Q_EMIT curveChanged();
}

void MemoryPane::setStale() {
  if (m_curve.points.empty()) return;
  m_stale = true;
  m_headline->setText(tr("Predicting again for what was edited..."));
  arrange();
  Q_EMIT curveChanged();
}

void MemoryPane::setReadOnly(bool read_only) {
  m_read_only = read_only;
  arrange();
}

bool MemoryPane::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_canvas->viewport()) {
    if (event->type() == QEvent::MouseMove) pointAt(static_cast<QMouseEvent*>(event)->pos());
    if (event->type() == QEvent::Leave) QToolTip::hideText();
    // The scene, which knows of no tip, would hide that of a mark.
    if (event->type() == QEvent::ToolTip && pointUnder(static_cast<QHelpEvent*>(event)->pos())) return true;
    if (event->type() == QEvent::MouseButtonRelease) clickAt(*static_cast<QMouseEvent*>(event));
  }
  return QWidget::eventFilter(watched, event);
}

QLayout* MemoryPane::makeWords() {
  auto* column = new QVBoxLayout;
  column->setSpacing(look::kGrid);
  m_headline = look::wrappedLabel("memoryHeadline");
  m_headline->setFont(look::bold(font()));
  column->addWidget(m_headline);
  makeTable();
  column->addWidget(m_table, 1);
  m_caption = look::wrappedLabel("memoryCaption");
  m_caption->setFont(look::smallFont());
  column->addWidget(m_caption);
  m_measure = look::button("memoryMeasure", tr("Measure Blocks..."),
                           tr("Open Compare Cuts, which measures the blocks on this machine and stores "
                              "their times"));
  m_measure->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
  connect(m_measure, &QPushButton::clicked, this, &MemoryPane::measureRequested);
  column->addWidget(m_measure);
  m_stretch = new QWidget;
  column->addWidget(m_stretch, 1);
  return column;
}

void MemoryPane::makeTable() {
  m_table = new PointTable([this](int row) { take(row); });
  look::setUpTable(*m_table, "memoryTable", tr("Ways to run the variant by peak memory; Enter uses one"));
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  connect(m_table, &QTableWidget::currentCellChanged, this, &MemoryPane::draw);
  connect(m_table, &QTableWidget::cellDoubleClicked, this, &MemoryPane::take);
}

void MemoryPane::fillTable() {
  m_table->clear();
  m_table->setRowCount(static_cast<int>(m_curve.points.size()));
  m_table->setHorizontalHeaderLabels({tr("Schedule"), tr("Recompute"), tr("Front"), timeTitle(m_curve.window),
                                      tr("90 % range"), tr("Peak"), tr("Measured")});
  for (int column = 0; column < ColumnCount; ++column)
    m_table->horizontalHeaderItem(column)->setTextAlignment(alignmentOf(column));
  for (std::size_t i = 0; i < m_curve.points.size(); ++i) fillRow(i);
  m_table->resizeColumnsToContents();
}

void MemoryPane::fillRow(std::size_t index) {
  const CurvePoint& point = m_curve.points[index];
  const QString cells[ColumnCount] = {pointTitle(point).section(',', 0, 0),
                                      recomputeTitle(point),
                                      point.on_front ? QStringLiteral("*") : QString(),
                                      secondsText(point.step_seconds),
                                      point.range ? look::shownText(rangeText(*point.range)) : QString(),
                                      bytesText(point.peak_bytes),
                                      measuredText(m_curve, index)};
  for (int column = 0; column < ColumnCount; ++column) {
    auto* const item = new QTableWidgetItem(cells[column]);
    item->setTextAlignment(alignmentOf(column));
    item->setToolTip(pointTip(m_curve, index));
    if (point.present) item->setFont(look::bold(m_table->font()));
    if (!point.fits) item->setForeground(look::current().muted_text);
    m_table->setItem(static_cast<int>(index), column, item);
  }
}

std::optional<std::size_t> MemoryPane::chosen() const {
  const int row = m_table->currentRow();
  if (row < 0 || static_cast<std::size_t>(row) >= m_curve.points.size()) return std::nullopt;
  return static_cast<std::size_t>(row);
}

void MemoryPane::take(int row) {
  if (!m_read_only && !m_stale && row >= 0 && static_cast<std::size_t>(row) < m_curve.points.size())
    Q_EMIT pointChosen(row);
}

std::optional<std::size_t> MemoryPane::pointUnder(QPoint at) const {
  if (m_curve.points.empty() || !m_canvas->chart()) return std::nullopt;
  const QPointF in_chart = m_canvas->chart()->mapFromScene(m_canvas->mapToScene(at));
  return pointNear(m_curve, *m_canvas->chart(), in_chart);
}

void MemoryPane::pointAt(QPoint at) {
  const auto point = pointUnder(at);
  m_canvas->viewport()->setCursor(point && !m_read_only && !m_stale ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (!point) return QToolTip::hideText();
  QToolTip::showText(m_canvas->viewport()->mapToGlobal(at), pointTip(m_curve, *point), m_canvas->viewport());
}

void MemoryPane::clickAt(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton) return;
  const auto point = pointUnder(event.pos());
  if (!point) return;
  m_table->setCurrentCell(static_cast<int>(*point), ScheduleName);
  take(static_cast<int>(*point));
}

void MemoryPane::arrange() {
  const bool any = !m_curve.points.empty();
  m_canvas->setVisible(any);
  m_table->setVisible(any);
  m_caption->setVisible(any);
  m_measure->setVisible(!any && m_can_measure);
  m_stretch->setVisible(!any);
  m_measure->setEnabled(!m_read_only);
  m_table->setToolTip(m_read_only ? tr("Not during a run.") : QString());
  draw();
}

void MemoryPane::draw() {
  if (m_curve.points.empty()) return;
  m_canvas->showChart(makeMemoryChart(m_curve, look::current(), chosen()), memoryWords(m_curve, chosen()));
}

bool MemoryPane::hasCurve() const { return !m_curve.points.empty(); }
bool MemoryPane::isCurrent() const { return hasCurve() && !m_stale; }

Exhibit MemoryPane::exhibit() const {
  const Exhibit empty{"time-and-memory", tr("Time and Memory"), {}, {}};
  if (!isCurrent()) return empty;
  const auto curve = std::make_shared<const ShownCurve>(m_curve);
  return {empty.name, empty.title, [curve, metadata = m_metadata] { return curvePicture(*curve, metadata); },
          [curve] { return curveCsv(curve->points, curve->measured); }};
}

void MemoryPane::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  Q_EMIT shown();
}

}  // namespace lanelab
