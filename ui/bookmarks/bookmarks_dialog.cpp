// SPDX-License-Identifier: GPL-3.0-only
#include "ui/bookmarks/bookmarks_dialog.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QShortcut>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/bookmarks/run_bookmarks.h"
#include "ui/export/exhibit.h"
#include "ui/look/name_field.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/timeline/layout/ticks.h"

namespace lanelab {
namespace {

enum BookmarkColumn { Name, Variant, Start, Length, ColumnCount };

QTableWidgetItem* readOnly(const QString& text, Qt::Alignment alignment) {
  auto* item = new QTableWidgetItem(text);
  item->setFlags(item->flags() & ~Qt::ItemIsEditable);
  item->setTextAlignment(alignment | Qt::AlignVCenter);
  return item;
}

}  // namespace

BookmarksDialog::BookmarksDialog(RunBookmarks* bookmarks, StartOf startOf, QWidget* parent)
    : QDialog(parent), m_bookmarks(bookmarks), m_start_of(std::move(startOf)) {
  setObjectName(QStringLiteral("bookmarksDialog"));
  setWindowTitle(tr("Bookmarks"));
  auto* column = new QVBoxLayout(this);
  column->addWidget(look::wrappedLabel(
      "", tr("Bookmarked ranges of the timeline. To add one, drag over the timeline and press Ctrl+B.")));
  m_table = new QTableWidget(0, ColumnCount);
  m_table->setHorizontalHeaderLabels({tr("Name"), tr("Variant"), tr("Start"), tr("Length")});
  look::setUpTable(*m_table, "bookmarks", tr("Bookmarks"));
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
  m_table->setItemDelegateForColumn(Name, new look::NameDelegate(m_table));
  for (const int numbers : {Start, Length})
    m_table->horizontalHeaderItem(numbers)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  m_table->horizontalHeader()->setSectionResizeMode(Name, QHeaderView::Stretch);
  offerTable(m_table, "bookmarks", tr("Bookmarks"));
  column->addWidget(m_table, 1);
  auto* row = new QHBoxLayout;
  m_go = look::button("goToBookmark", tr("&Go To"), tr("Show this range on the timeline"));
  auto* rename = look::button("renameBookmark", tr("&Rename"), tr("Change the name (F2)"));
  m_delete = look::button("deleteBookmark", tr("&Delete"), tr("Delete this bookmark (Delete)"));
  m_export =
      look::button("exportBookmarks", tr("&Export CSV..."), tr("Save the table with busy and idle time of each lane"));
  auto* shut = look::button("closeBookmarks", tr("&Close"), tr("Close (Esc)"));
  for (QPushButton* button : {m_go, rename, m_delete, m_export, shut}) row->addWidget(button);
  row->insertStretch(3, 1);
  column->addLayout(row);
  connect(m_go, &QPushButton::clicked, this, &BookmarksDialog::jumpToSelected);
  connect(rename, &QPushButton::clicked, this,
          [this] { m_table->editItem(m_table->item(m_table->currentRow(), Name)); });
  connect(m_delete, &QPushButton::clicked, this, &BookmarksDialog::removeSelected);
  connect(m_export, &QPushButton::clicked, this, &BookmarksDialog::exportRequested);
  connect(shut, &QPushButton::clicked, this, &QDialog::reject);
  connect(m_table, &QTableWidget::itemSelectionChanged, this, &BookmarksDialog::updateButtons);
  connect(m_table, &QTableWidget::itemDoubleClicked, this, [this](const QTableWidgetItem* item) {
    if (item->column() != Name) jumpToSelected();
  });
  connect(m_table, &QTableWidget::itemChanged, this, [this](const QTableWidgetItem* item) {
    if (item->column() == Name) m_bookmarks->rename(static_cast<std::size_t>(item->row()), item->text());
  });
  auto* remove = new QShortcut(QKeySequence(Qt::Key_Delete), m_table, nullptr, nullptr, Qt::WidgetShortcut);
  connect(remove, &QShortcut::activated, this, &BookmarksDialog::removeSelected);
  connect(m_bookmarks, &RunBookmarks::changed, this, &BookmarksDialog::fill,
          Qt::QueuedConnection);  // a cell may be in its editor now
  m_go->setDefault(true);
  fill();
  resize(520, 320);
}

void BookmarksDialog::fill() {
  const QSignalBlocker quiet(m_table);
  const int selected = m_table->currentRow();
  m_table->setRowCount(static_cast<int>(m_bookmarks->all().size()));
  for (int row = 0; row < m_table->rowCount(); ++row) {
    const Bookmark& bookmark = m_bookmarks->all()[static_cast<std::size_t>(row)];
    const QString variant = QString::fromStdString(bookmark.variant);
    m_table->setItem(row, Name, new QTableWidgetItem(QString::fromStdString(bookmark.name)));
    m_table->setItem(row, Variant, readOnly(look::shownName(variant), Qt::AlignLeft));
    const std::optional<qint64> begin = m_start_of(variant);
    m_table->setItem(row, Start,
                     readOnly(begin ? durationText(bookmark.range.start - *begin) : QString(), Qt::AlignRight));
    m_table->setItem(row, Length, readOnly(durationText(bookmark.range.length()), Qt::AlignRight));
  }
  if (m_table->rowCount() > 0) m_table->selectRow(std::clamp(selected, 0, m_table->rowCount() - 1));
  updateButtons();
}

void BookmarksDialog::updateButtons() {
  const bool any = m_table->currentRow() >= 0;
  for (auto* button : {m_go, m_delete, findChild<QPushButton*>(QStringLiteral("renameBookmark"))})
    button->setEnabled(any);
  m_export->setEnabled(m_table->rowCount() > 0);
}

void BookmarksDialog::removeSelected() {
  if (m_table->currentRow() >= 0) m_bookmarks->remove(static_cast<std::size_t>(m_table->currentRow()));
}

void BookmarksDialog::jumpToSelected() {
  if (m_table->currentRow() >= 0) Q_EMIT jumpRequested(static_cast<std::size_t>(m_table->currentRow()));
}

}  // namespace lanelab
