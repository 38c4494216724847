// SPDX-License-Identifier: GPL-3.0-only
#include "ui/device_map/map_rows.h"

#include <QPixmap>

#include "ui/device_map/map_look.h"
#include "ui/look/plain_text.h"
#include "ui/look/quantity_text.h"

namespace lanelab {
namespace {

constexpr int kSwatch = 3 * look::kGrid;

QPixmap swatch(MapDevice device) {
  QPixmap pixmap(kSwatch, kSwatch);
  pixmap.fill(deviceColor(device, look::current()));
  return pixmap;
}

}  // namespace

void MapRows::setEntries(std::vector<MapEntry> entries) {
  beginResetModel();
  m_entries = std::move(entries);
  endResetModel();
}

int MapRows::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}
int MapRows::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant MapRows::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const MapEntry& entry = m_entries[static_cast<std::size_t>(index.row())];
  if (role == Qt::TextAlignmentRole)
    return QVariant(index.column() == Memory ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
  if (role == Qt::DecorationRole && index.column() == Device) return swatch(entry.device);
  if (role == Qt::BackgroundRole)
    return look::mix(deviceColor(entry.device, look::current()), look::current().surface, 0.82);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case Module: return entry.path.empty() ? tr("(the whole network)") : look::shownName(entry.path);
    case Class: return look::shownName(entry.class_name);
    case Device: return deviceName(entry.device);
    case Memory: return bytesText(entry.bytes);
    default: return {};
  }
}

QVariant MapRows::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return QVariant(section == Memory ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case Module: return tr("Module");
    case Class: return tr("Class");
    case Device: return tr("Device");
    case Memory: return tr("Memory");
    default: return {};
  }
}

}  // namespace lanelab
