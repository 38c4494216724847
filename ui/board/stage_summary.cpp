// SPDX-License-Identifier: GPL-3.0-only
#include <QHeaderView>
#include <QStringList>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

#include "engine/experiment/lane_cores.h"
#include "ui/board/block_names.h"
#include "ui/board/board_facts.h"
#include "ui/board/layer_table.h"
#include "ui/board/roomy_delegate.h"
#include "ui/look/parts.h"
#include "ui/look/plain_label.h"
#include "ui/look/plain_text.h"
#include "ui/look/quantity_text.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr int kMostSpread = 20 * look::kGrid;  ///< further apart, a row is hard to follow

enum Column { StageNumber, LaneName, Blocks, Parameters, MacsShare, Memory, Boundary, ColumnCount };

Qt::Alignment columnAlignment(int column) {
  if (column == StageNumber) return Qt::AlignCenter;
  return (column == LaneName || column == Blocks ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

QString wholeNames(const ModelSpec& model, const Stage& stage) {
  QStringList names;
  for (int block = stage.first.value; block < stage.end.value; ++block)
    names << look::shownName(model.blocks[static_cast<std::size_t>(block)].name);
  return names.join(", ");
}

QString blocksText(const ModelSpec& model, const Stage& stage) {
  const std::vector<QString> names = shortBlockNames(model);
  const QString& first = names[stage.first.index()];
  if (stage.end.value - stage.first.value == 1) return first;
  return QObject::tr("%1 ... %2").arg(first, names[stage.end.index() - 1]);
}

}  // namespace

StageSummary::StageSummary(ExperimentDocument* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_title(new look::PlainLabel), m_table(new QTableWidget(0, ColumnCount)) {
  setObjectName("stageSummary");
  m_title->setObjectName("stageSummaryTitle");
  m_title->setContentsMargins(2 * look::kGrid, look::kGrid, 0, 0);
  m_table->setHorizontalHeaderLabels(
      {tr("Stage"), tr("Lane"), tr("Blocks"), tr("Parameters"), tr("MACs (%)"), tr("Memory"), tr("Sends")});
  look::setUpTable(*m_table, "stageTable", tr("Stages of the placement"));
  m_table->horizontalHeaderItem(Memory)->setToolTip(
      tr("Parameters, and activations of one micro-batch stored for the backward"));
  m_table->horizontalHeaderItem(Boundary)->setToolTip(tr("Bytes per micro-batch to the next stage"));
  m_table->setItemDelegate(new RoomyDelegate(m_table));
  for (int column = 0; column < ColumnCount; ++column)
    m_table->horizontalHeaderItem(column)->setTextAlignment(columnAlignment(column));
  auto* column = look::makeLayout<QVBoxLayout>(this, look::kGrid);
  column->addWidget(m_title);
  column->addWidget(m_table, 1);
  document->tell(this, &StageSummary::refresh);
  refresh();
}

void StageSummary::showPreview(const Placement& placement) {
  m_preview = placement;
  refresh();
}

void StageSummary::endPreview() {
  m_preview.reset();
  refresh();
}

void StageSummary::refresh() {
  const Placement now = m_document->activePlacement();
  if (m_preview && m_preview->lane_of_block.size() != now.lane_of_block.size()) m_preview.reset();
  const std::vector<Stage> stages = stagesOf(m_preview ? *m_preview : now);
  const ResolvedVariant* const variant = m_document->active();
  const int samples = variant == nullptr ? m_document->experiment().data.batch : variant->splitSize();
  const int count = static_cast<int>(stages.size());
  const QString words = tr("%n stage(s)", nullptr, count);
  const int replicas = variant == nullptr ? 1 : variant->replicas();
  const QString parts = replicas > 1 ? tr("%1 replicas of %2").arg(replicas).arg(words) : words;
  m_title->setText(m_preview ? tr("%1 if dropped here, %2 samples per micro-batch").arg(parts).arg(samples)
                             : tr("%1, %2 samples per micro-batch").arg(parts).arg(samples));
  m_table->setRowCount(count);
  for (int row = 0; row < count; ++row) fillRow(row, stages[static_cast<std::size_t>(row)], samples);
  spreadColumns();
}

void StageSummary::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  spreadColumns();
}

/// What the contents leave free goes to all columns alike; without room for them the table scrolls.
void StageSummary::spreadColumns() {
  QHeaderView* const header = m_table->horizontalHeader();
  header->setSectionResizeMode(QHeaderView::ResizeToContents);
  std::vector<int> widths;
  int needed = 0;
  for (int column = 0; column < ColumnCount; ++column) {
    widths.push_back(header->sectionSize(column));
    needed += widths.back();
  }
  const int each = std::min((m_table->viewport()->width() - needed) / ColumnCount, kMostSpread);
  if (each <= 0) return;
  header->setSectionResizeMode(QHeaderView::Fixed);
  for (int column = 0; column < ColumnCount; ++column)
    header->resizeSection(column, widths[static_cast<std::size_t>(column)] + each);
}

/// Of replicas all that hold the stage.
QString StageSummary::lanesText(LaneId lane) const {
  const std::vector<std::string> titles = laneTitles(m_document->experiment().lanes);
  QStringList names;
  const auto add = [&](std::size_t index) {
    if (index < titles.size()) names << look::shownName(titles[index]);
  };
  add(lane.index());
  const ResolvedVariant* const variant = m_document->active();
  if (variant == nullptr) return names.join(QStringLiteral(", "));
  const std::vector<int> repeated_lanes = variant->repeatedLanes();
  for (std::size_t other = 0; other < repeated_lanes.size(); ++other)
    if (repeated_lanes[other] == lane.value) add(other);
  return names.join(QStringLiteral(", "));
}

void StageSummary::fillRow(int row, const Stage& stage, int samples) {
  const ModelSpec& model = m_document->model();
  const StageCost cost = costOf(model, stage);
  const double share =
      100.0 * static_cast<double>(cost.macs) / static_cast<double>(std::max<std::int64_t>(1, model.macs()));
  const QString lane = lanesText(stage.lane);
  const QString texts[ColumnCount] = {
      QString::number(stage.id.value),
      lane,
      blocksText(model, stage),
      parametersText(cost.parameters, cost.frozen_parameters),
      QString::number(share, 'f', 1),
      bytesText(cost.parameter_bytes + cost.activation_bytes * samples),
      cost.boundary_bytes > 0 ? bytesText(cost.boundary_bytes * samples) : tr("nothing"),
  };
  for (int column = 0; column < ColumnCount; ++column) {
    QTableWidgetItem* item = m_table->item(row, column);
    if (!item) {
      item = new QTableWidgetItem;
      item->setTextAlignment(columnAlignment(column));
      m_table->setItem(row, column, item);
    }
    item->setText(texts[column]);
    if (column == Blocks) item->setToolTip(wholeNames(model, stage));
  }
}

}  // namespace lanelab
