// SPDX-License-Identifier: GPL-3.0-only
#include "ui/device_map/map_result.h"

#include <QAbstractTableModel>
#include <QHeaderView>
#include <QPixmap>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/board/roomy_delegate.h"
#include "ui/device_map/map_picture.h"
#include "ui/export/picture_view.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/quantity_text.h"
#include "ui/look/sentence_label.h"

namespace lanelab {
namespace {

constexpr int kMostBars = 60 * look::kGrid;  ///< height of the bars before they scroll
constexpr int kSwatch = 3 * look::kGrid;

QPixmap swatch(MapDevice device) {
  QPixmap pixmap(kSwatch, kSwatch);
  pixmap.fill(deviceColor(device, look::current()));
  return pixmap;
}

}  // namespace

/// The entries of a device map as rows: module, class, device, memory.
class MapResult::Rows : public QAbstractTableModel {
 public:
  enum Column { Module, Class, Device, Memory, ColumnCount };
  using QAbstractTableModel::QAbstractTableModel;

  void setEntries(std::vector<MapEntry> entries) {
    beginResetModel();
    m_entries = std::move(entries);
    endResetModel();
  }

  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
  }
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : ColumnCount; }

  QVariant data(const QModelIndex& index, int role) const override {
    if (!index.isValid()) return {};
    const MapEntry& entry = m_entries[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole) return alignmentOf(index.column());
    if (role == Qt::DecorationRole && index.column() == Device) return swatch(entry.device);
    if (role == Qt::BackgroundRole)
      return look::mix(deviceColor(entry.device, look::current()), look::current().surface, 0.82);
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
      case Module: return entry.path.empty() ? MapResult::tr("(the whole network)") : look::shownName(entry.path);
      case Class: return look::shownName(entry.class_name);
      case Device: return deviceName(entry.device);
      case Memory: return bytesText(entry.bytes);
      default: return {};
    }
  }

  QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return alignmentOf(section);
    if (role != Qt::DisplayRole || section < 0 || section >= ColumnCount) return {};
    return QStringList{MapResult::tr("Module"), MapResult::tr("Class"), MapResult::tr("Device"),
                       MapResult::tr("Memory")}[section];
  }

 private:
  static QVariant alignmentOf(int column) {
    return QVariant((column == Memory ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  }

  std::vector<MapEntry> m_entries;
};

MapResult::MapResult(QWidget* parent)
    : QWidget(parent),
      m_headline(look::wrappedLabel("mapHeadline", {}, this)),
      m_notes(look::wrappedLabel("mapNotes", {}, this)),
      m_why_not(new SentenceLabel(this)),
      m_bars(new PictureView(this)),
      m_bars_area(look::scrollArea(m_bars, this)),
      m_rows(new Rows(this)),
      m_table(new QTableView(this)) {
  m_bars->setObjectName(QStringLiteral("mapBars"));
  m_headline->setFont(look::headlineFont());
  for (QLabel* label : {m_headline, m_notes}) label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_why_not->setObjectName(QStringLiteral("mapWhyNot"));
  m_table->setModel(m_rows);
  m_table->setItemDelegate(new RoomyDelegate(m_table));
  look::setUpTable(*m_table, "mapTable", tr("The map: each module and its device"));
  m_table->setFrameShape(QFrame::StyledPanel);
  m_table->horizontalHeader()->setSectionResizeMode(Rows::Module, QHeaderView::Stretch);
  auto* column = look::makeLayout<QVBoxLayout>(this, 2 * look::kGrid);
  column->addWidget(m_headline);
  column->addWidget(m_notes);
  column->addWidget(m_bars_area);
  column->addWidget(m_table, 1);
  column->addWidget(m_why_not);
  column->addStretch();
}

void MapResult::setHeadline(const QString& sentence, bool wrong) {
  look::showSentence(*m_headline, sentence, wrong);
  for (QWidget* part : std::initializer_list<QWidget*>{m_notes, m_bars_area, m_table}) part->setVisible(!wrong);
}

void MapResult::showMap(const MapTable& table, const Picture& bars, const QString& headline, const QString& notes) {
  setHeadline(headline, false);
  m_notes->setText(notes);
  m_bars->setPicture(bars);
  m_bars->setFixedHeight(static_cast<int>(bars.size.height()));
  m_bars_area->setFixedHeight(std::min(m_bars->height(), kMostBars));
  m_rows->setEntries(table.entries);
}

void MapResult::showError(const QString& sentence) {
  setHeadline(sentence, true);
  m_rows->setEntries({});
}

void MapResult::setWhyNot(const QString& sentence) { m_why_not->setSentence(sentence); }

}  // namespace lanelab
