// SPDX-License-Identifier: GPL-3.0-only
#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <vector>

#include "ui/board/layer_table.h"
#include "ui/board/roomy_delegate.h"
#include "ui/look/parts.h"
#include "ui/look/plain_label.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

constexpr int kMostSpread = 20 * look::kGrid;  ///< further apart, a row is hard to follow

Qt::Alignment columnAlignment(int column) {
  if (column == StageNumberColumn) return Qt::AlignCenter;
  return (column == StageLaneColumn || column == StageBlocksColumn ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

}  // namespace

StageSummary::StageSummary(ExperimentDocument* document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_title(new look::PlainLabel),
      m_table(new QTableWidget(0, StageColumnCount)) {
  setObjectName("stageSummary");
  m_title->setObjectName("stageSummaryTitle");
  m_title->setContentsMargins(2 * look::kGrid, look::kGrid, 0, 0);
  m_table->setHorizontalHeaderLabels(stageTitles());
  look::setUpTable(*m_table, "stageTable", tr("Stages of the placement"));
  m_table->horizontalHeaderItem(StageMemoryColumn)
      ->setToolTip(tr("Parameters, and activations of one micro-batch stored for the backward"));
  m_table->horizontalHeaderItem(StageSendsColumn)->setToolTip(tr("Bytes per micro-batch to the next stage"));
  m_table->setItemDelegate(new RoomyDelegate(m_table));
  for (int column = 0; column < StageColumnCount; ++column)
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
  m_rows = stageRows(m_document->experiment(), m_document->model(), stages, variant);
  m_caption = stagesCaption(m_rows.size(), variant ? variant->replicas() : 1,
                            variant ? variant->splitSize() : m_document->experiment().data.batch);
  m_title->setText(m_preview ? tr("%1, if dropped here").arg(m_caption) : m_caption);
  m_table->setRowCount(static_cast<int>(m_rows.size()));
  for (int row = 0; row < m_table->rowCount(); ++row) fillRow(row, m_rows[static_cast<std::size_t>(row)]);
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
  for (int column = 0; column < StageColumnCount; ++column) {
    widths.push_back(header->sectionSize(column));
    needed += widths.back();
  }
  const int each = std::min((m_table->viewport()->width() - needed) / StageColumnCount, kMostSpread);
  if (each <= 0) return;
  header->setSectionResizeMode(QHeaderView::Fixed);
  for (int column = 0; column < StageColumnCount; ++column)
    header->resizeSection(column, widths[static_cast<std::size_t>(column)] + each);
}

void StageSummary::fillRow(int row, const StageRow& stage) {
  const QStringList texts = stageCells(stage);
  for (int column = 0; column < StageColumnCount; ++column) {
    QTableWidgetItem* item = m_table->item(row, column);
    if (!item) {
      item = new QTableWidgetItem;
      item->setTextAlignment(columnAlignment(column));
      m_table->setItem(row, column, item);
    }
    item->setText(texts[column]);
    if (column == StageBlocksColumn) item->setToolTip(stage.all_blocks);
  }
}

}  // namespace lanelab
