// SPDX-License-Identifier: GPL-3.0-only
#include "ui/device_map/map_result.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/board/roomy_delegate.h"
#include "ui/device_map/map_rows.h"
#include "ui/experiment/form_fields.h"
#include "ui/export/picture_view.h"
#include "ui/look/parts.h"

namespace lanelab {
namespace {

constexpr int kMostBars = 60 * look::kGrid;  ///< height of the bars before they scroll

}  // namespace

MapResult::MapResult(QWidget* parent)
    : QWidget(parent),
      m_headline(look::wrappedLabel("mapHeadline", {}, this)),
      m_notes(look::wrappedLabel("mapNotes", {}, this)),
      m_why_not(new SentenceLabel(this)),
      m_bars_area(new QScrollArea(this)),
      m_bars(new PictureView(this)),
      m_rows(new MapRows(this)),
      m_table(new QTableView(this)) {
  m_bars->setObjectName(QStringLiteral("mapBars"));
  m_headline->setFont(look::headlineFont());
  for (QLabel* label : {m_headline, m_notes}) label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_why_not->setObjectName(QStringLiteral("mapWhyNot"));
  setUpTable();
  m_bars_area->setWidgetResizable(true);
  m_bars_area->setFrameShape(QFrame::NoFrame);
  m_bars_area->setWidget(m_bars);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2 * look::kGrid);
  column->addWidget(m_headline);
  column->addWidget(m_notes);
  column->addWidget(m_bars_area);
  column->addWidget(m_table, 1);
  column->addWidget(m_why_not);
  column->addStretch();
}

void MapResult::setUpTable() {
  m_table->setObjectName(QStringLiteral("mapTable"));
  m_table->setAccessibleName(tr("The map: each module and its device"));
  m_table->setModel(m_rows);
  m_table->setItemDelegate(new RoomyDelegate(m_table));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setTabKeyNavigation(false);
  m_table->setShowGrid(false);
  m_table->setWordWrap(false);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(6 * look::kGrid);
  m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setSectionResizeMode(MapRows::Module, QHeaderView::Stretch);
  m_table->horizontalHeader()->setHighlightSections(false);
}

void MapResult::setHeadline(const QString& sentence, bool wrong) {
  QPalette ink;
  if (wrong) ink.setColor(QPalette::WindowText, look::current().error);
  m_headline->setPalette(ink);
  m_headline->setText(sentence);
  for (QWidget* part : std::initializer_list<QWidget*>{m_notes, m_bars_area, m_table}) part->setVisible(!wrong);
}

void MapResult::showMap(const MapTable& table, const Picture& bars, const QString& headline, const QString& notes) {
  setHeadline(headline, false);
  m_notes->setText(notes);
  m_bars->setPicture(bars);
  m_bars->setFixedHeight(static_cast<int>(bars.size.height()));
  m_bars->setAccessibleDescription(headline);
  m_bars_area->setFixedHeight(std::min(m_bars->height(), kMostBars));
  m_rows->setEntries(table.entries);
}

void MapResult::showError(const QString& sentence) {
  setHeadline(sentence, true);
  m_rows->setEntries({});
}

void MapResult::setWhyNot(const QString& sentence) { m_why_not->setSentence(sentence); }

}  // namespace lanelab
