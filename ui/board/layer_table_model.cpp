// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/layer_table_model.h"

#include <QStringList>
#include <algorithm>

#include "base/text.h"
#include "engine/experiment/lane_cores.h"
#include "ui/look/plain_text.h"

namespace lanelab {
namespace {

Qt::Alignment alignmentOf(int column) {
  if (column == LayerTableModel::StageNumber) return Qt::AlignCenter;
  const bool words =
      column == LayerTableModel::Block || column == LayerTableModel::Lane || column == LayerTableModel::Output;
  return (words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

}  // namespace

LayerTableModel::LayerTableModel(ExperimentDocument* document, QObject* parent)
    : QAbstractTableModel(parent), m_document(document) {
  take();
  connect(document, &ExperimentDocument::changed, this, &LayerTableModel::take);
  connect(document, &ExperimentDocument::activeVariantChanged, this, &LayerTableModel::take);
}

void LayerTableModel::take() {
  const ModelSpec& model = m_document->model();
  const bool rows_change = !std::ranges::equal(m_blocks, model.blocks, {}, &BlockSpec::name, &BlockSpec::name);
  if (rows_change) beginResetModel();
  m_blocks = model.blocks;
  m_macs = std::max<std::int64_t>(1, model.macs());
  m_lanes.assign(m_blocks.size(), 0);
  m_stages.assign(m_blocks.size(), 0);
  for (const Stage& stage : stagesOf(m_document->activePlacement())) {
    for (int block = stage.first.value; block < stage.end.value; ++block) {
      m_lanes[static_cast<std::size_t>(block)] = stage.lane.value;
      m_stages[static_cast<std::size_t>(block)] = stage.id.value;
    }
  }
  if (rows_change)
    endResetModel();
  else if (!m_blocks.empty())
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int LayerTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_blocks.size());
}
int LayerTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString LayerTableModel::laneName(int lane) const {
  const std::vector<LaneConfig>& lanes = m_document->experiment().lanes;
  if (lane < 0 || lane >= static_cast<int>(lanes.size())) return QString::number(lane);
  return tr("%1: %2").arg(lane).arg(look::shownName(laneTitles(lanes)[static_cast<std::size_t>(lane)]));
}

QStringList LayerTableModel::laneNames() const {
  QStringList names;
  for (int lane = 0; lane < static_cast<int>(m_document->experiment().lanes.size()); ++lane) names << laneName(lane);
  return names;
}

QString LayerTableModel::text(int row, int column) const {
  const BlockSpec& block = m_blocks[static_cast<std::size_t>(row)];
  const auto count = [](std::int64_t value) { return QString::fromStdString(formatCount(static_cast<double>(value))); };
  switch (column) {
    case Block: return look::shownName(block.name);
    case Lane: return laneName(m_lanes[static_cast<std::size_t>(row)]);
    case StageNumber: return QString::number(m_stages[static_cast<std::size_t>(row)]);
    case Output: return QString::fromStdString(formatShape(block.output));
    case Parameters: return count(block.parameters);
    case Macs: return count(block.macs);
    case MacsShare:
      return QString::number(100.0 * static_cast<double>(block.macs) / static_cast<double>(m_macs), 'f', 1);
    case Activations: return QString::number(static_cast<double>(block.activation_bytes) / 1024.0, 'f', 0);
    default: return {};
  }
}

QVariant LayerTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const BlockSpec& block = m_blocks[static_cast<std::size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole: return text(index.row(), index.column());
    case Qt::EditRole:
      return index.column() == Lane ? QVariant(m_lanes[static_cast<std::size_t>(index.row())])
                                    : QVariant(text(index.row(), index.column()));
    case Qt::ToolTipRole: return look::shownName(block.name + " (" + block.type + ")");
    case Qt::TextAlignmentRole: return QVariant(alignmentOf(index.column()));
    case Qt::AccessibleTextRole:
      return tr("%1: %2").arg(headerData(index.column(), Qt::Horizontal).toString(), text(index.row(), index.column()));
    default: return {};
  }
}

QVariant LayerTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return QAbstractTableModel::headerData(section, orientation, role);
  if (role == Qt::TextAlignmentRole) return QVariant(alignmentOf(section));
  if (role == Qt::ToolTipRole && section == Activations) return tr("Stored for the backward, per sample");
  if (role != Qt::DisplayRole) return {};
  return QStringList{tr("Block"),      tr("Lane"), tr("Stage"),    tr("Output"),
                     tr("Parameters"), tr("MACs"), tr("MACs (%)"), tr("Activations (KiB)")}
      .value(section);
}

Qt::ItemFlags LayerTableModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  if (index.isValid() && index.column() == Lane && !m_read_only) flags |= Qt::ItemIsEditable;
  return flags;
}

bool LayerTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || index.column() != Lane || !checkIndex(index, CheckIndexOption::IndexIsValid))
    return false;
  bool is_number = false;
  const int lane = value.toInt(&is_number);
  return is_number && assign({index.row()}, lane);
}

bool LayerTableModel::assign(const std::vector<int>& rows, int lane) {
  if (m_read_only || rows.empty() || lane < 0 || lane >= static_cast<int>(m_document->experiment().lanes.size()))
    return false;
  Placement placement = m_document->activePlacement();
  for (const int row : rows) placement.lane_of_block[static_cast<std::size_t>(row)] = LaneId(lane);
  m_document->setPlacement(tr("Move %n block(s)", nullptr, static_cast<int>(rows.size())), placement);
  return true;
}

}  // namespace lanelab
