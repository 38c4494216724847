// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/layer_table_model.h"

#include <QStringList>
#include <algorithm>

#include "base/text.h"
#include "engine/experiment/lane_cores.h"
#include "ui/board/board_facts.h"
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
  document->tell(this, &LayerTableModel::take);
}

/// At first the modules are open and the blocks are not.
void LayerTableModel::close(const std::vector<LayerRow>& rows) {
  m_closed.clear();
  for (const LayerRow& row : rows)
    if (row.kind == LayerRow::Kind::Block && row.has_rows) m_closed.insert(row.key());
}

void LayerTableModel::take() {
  const ModelSpec& model = m_document->model();
  std::vector<LayerRow> rows = layerRows(model);
  const bool rows_change = !std::ranges::equal(m_rows, rows, {}, &LayerRow::key, &LayerRow::key);
  if (rows_change) {
    beginResetModel();
    close(rows);
  }
  m_rows = std::move(rows);
  if (rows_change) m_shown = shownRows(m_rows, m_closed, m_filter);
  m_macs = std::max<std::int64_t>(1, model.macs());
  m_lanes.assign(model.blocks.size(), 0);
  m_stages.assign(model.blocks.size(), 0);
  for (const Stage& stage : stagesOf(m_document->activePlacement())) {
    for (int block = stage.first.value; block < stage.end.value; ++block) {
      m_lanes[static_cast<std::size_t>(block)] = stage.lane.value;
      m_stages[static_cast<std::size_t>(block)] = stage.id.value;
    }
  }
  if (rows_change)
    endResetModel();
  else if (!m_shown.empty())
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int LayerTableModel::placeOf(int of_all) const {
  const auto found = std::ranges::lower_bound(m_shown, of_all);
  return found == m_shown.end() || *found != of_all ? -1 : static_cast<int>(found - m_shown.begin());
}

bool LayerTableModel::isOpen(int row) const {
  return rowAt(row).has_rows && (!m_filter.isEmpty() || !m_closed.contains(rowAt(row).key()));
}

void LayerTableModel::setOpen(int row, bool open) {
  if (!m_filter.isEmpty() || !rowAt(row).has_rows || open == isOpen(row)) return;
  if (open)
    m_closed.erase(rowAt(row).key());
  else
    m_closed.insert(rowAt(row).key());
  std::vector<int> shown = shownRows(m_rows, m_closed, {});
  const int change = static_cast<int>(shown.size()) - rowCount();
  if (change > 0)
    beginInsertRows({}, row + 1, row + change);
  else
    beginRemoveRows({}, row + 1, row - change);
  m_shown = std::move(shown);
  if (change > 0)
    endInsertRows();
  else
    endRemoveRows();
  Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

void LayerTableModel::setFilter(const QString& text) {
  const QString filter = text.simplified();
  if (filter == m_filter) return;
  beginResetModel();
  m_filter = filter;
  m_shown = shownRows(m_rows, m_closed, m_filter);
  endResetModel();
}

int LayerTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
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

/// What all blocks of the row have; "several" where they differ.
QString LayerTableModel::lanesText(const LayerRow& row) const {
  const auto first = m_lanes.begin() + row.first;
  const bool same = std::all_of(first, m_lanes.begin() + row.end, [&](int lane) { return lane == *first; });
  return same ? laneName(*first) : tr("several");
}

QString LayerTableModel::stagesText(const LayerRow& row) const {
  const auto [lowest, highest] = std::minmax_element(m_stages.begin() + row.first, m_stages.begin() + row.end);
  return *lowest == *highest ? QString::number(*lowest) : tr("%1 to %2").arg(*lowest).arg(*highest);
}

QString LayerTableModel::text(int place, int column) const {
  const LayerRow& row = rowAt(place);
  const bool layer = row.kind == LayerRow::Kind::Layer;
  switch (column) {
    case Block: return row.path;
    case Lane: return layer ? QString() : lanesText(row);
    case StageNumber: return layer ? QString() : stagesText(row);
    case Output: return QString::fromStdString(formatShape(row.output));
    case Parameters: return countText(row.parameters);
    case Macs: return countText(row.macs);
    case MacsShare: return QString::number(100.0 * static_cast<double>(row.macs) / static_cast<double>(m_macs), 'f', 1);
    case Activations:
      return layer ? QString() : QString::number(static_cast<double>(row.activation_bytes) / 1024.0, 'f', 0);
    default: return {};
  }
}

QVariant LayerTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const LayerRow& row = rowAt(index.row());
  switch (role) {
    case Qt::DisplayRole: return text(index.row(), index.column());
    case Qt::EditRole:
      return index.column() == Lane ? QVariant(m_lanes[static_cast<std::size_t>(row.first)])
                                    : QVariant(text(index.row(), index.column()));
    case Qt::ToolTipRole: return row.type.isEmpty() ? row.path : tr("%1 (%2)").arg(row.path, row.type);
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
  return QStringList{tr("Module"),     tr("Lane"), tr("Stage"),    tr("Output"),
                     tr("Parameters"), tr("MACs"), tr("MACs (%)"), tr("Activations (KiB)")}
      .value(section);
}

Qt::ItemFlags LayerTableModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  if (index.isValid() && index.column() == Lane && !m_read_only && rowAt(index.row()).kind != LayerRow::Kind::Layer)
    flags |= Qt::ItemIsEditable;
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
  std::set<std::size_t> blocks;
  for (const int row : rows)
    for (int block = rowAt(row).first; block < rowAt(row).end; ++block) blocks.insert(static_cast<std::size_t>(block));
  Placement placement = m_document->activePlacement();
  for (const std::size_t block : blocks) placement.lane_of_block[block] = LaneId(lane);
  m_document->setPlacement(tr("Move %n block(s)", nullptr, static_cast<int>(blocks.size())), placement);
  return true;
}

}  // namespace lanelab
