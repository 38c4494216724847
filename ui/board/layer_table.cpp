// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/layer_table.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

#include "ui/board/layer_table_model.h"
#include "ui/board/roomy_delegate.h"
#include "ui/look/parts.h"
#include "ui/look/theme.h"

namespace lanelab {
namespace {

/// A combo box of lanes; what is picked goes to all chosen rows.
class LaneDelegate : public RoomyDelegate {
 public:
  LaneDelegate(LayerTableModel* layers, std::function<std::vector<int>()> chosen, QObject* parent)
      : RoomyDelegate(parent), m_layers(layers), m_chosen(std::move(chosen)) {}

  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const override {
    auto* box = new QComboBox(parent);
    box->setObjectName("laneChoice");
    box->setAccessibleName(QObject::tr("Lane"));
    box->addItems(m_layers->laneNames());
    auto* self = const_cast<LaneDelegate*>(this);
    connect(box, &QComboBox::activated, self, [self, box] {
      Q_EMIT self->commitData(box);
      Q_EMIT self->closeEditor(box);
    });
    return box;
  }

  void setEditorData(QWidget* editor, const QModelIndex& index) const override {
    static_cast<QComboBox*>(editor)->setCurrentIndex(index.data(Qt::EditRole).toInt());
  }

  void setModelData(QWidget* editor, QAbstractItemModel*, const QModelIndex& index) const override {
    std::vector<int> rows = m_chosen();
    if (std::find(rows.begin(), rows.end(), index.row()) == rows.end()) rows = {index.row()};
    m_layers->assign(rows, static_cast<QComboBox*>(editor)->currentIndex());
  }

 private:
  LayerTableModel* m_layers;
  std::function<std::vector<int>()> m_chosen;
};

/// The mark of a row that holds others, and its label as deep as it is in the modules.
class ModuleDelegate : public RoomyDelegate {
 public:
  ModuleDelegate(const LayerTableModel* layers, QObject* parent) : RoomyDelegate(parent), m_layers(layers) {}

  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    RoomyDelegate::initStyleOption(option, index);
    option->text = prefixOf(*m_layers, index.row()) + m_layers->rowAt(index.row()).label;
  }

  static QString prefixOf(const LayerTableModel& layers, int place) {
    const LayerRow& row = layers.rowAt(place);
    const QChar mark = !row.has_rows ? QChar(0x2003) : layers.isOpen(place) ? QChar(0x25be) : QChar(0x25b8);
    return QString(2 * row.depth, QChar(0x2002)) + mark + QChar(0x2002);
  }

 private:
  const LayerTableModel* m_layers;
};

}  // namespace

LayerTable::LayerTable(ExperimentDocument* document, QWidget* parent)
    : QTableView(parent), m_layers(new LayerTableModel(document, this)) {
  setToolTip(tr("Select rows and type a lane number, or press F2 in the Lane column"));
  setModel(m_layers);
  setItemDelegate(new RoomyDelegate(this));
  setItemDelegateForColumn(LayerTableModel::Block, new ModuleDelegate(m_layers, this));
  setItemDelegateForColumn(LayerTableModel::Lane, new LaneDelegate(
                                                      m_layers, [this] { return chosenRows(); }, this));
  look::setUpTable(*this, "layerTable", tr("Layers and their lanes"));
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
}

void LayerTable::setReadOnly(bool read_only) {
  m_layers->setReadOnly(read_only);
  setEditTriggers(read_only ? QAbstractItemView::NoEditTriggers
                            : QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
}

void LayerTable::setFilter(const QString& text) { m_layers->setFilter(text); }

std::vector<int> LayerTable::chosenRows() const {
  std::vector<int> rows;
  const QModelIndexList chosen = selectionModel()->selectedRows();
  for (const QModelIndex& index : chosen) rows.push_back(index.row());
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// Left moves to the row around, Right to the first within.
bool LayerTable::walkTree(int key) {
  const int row = currentIndex().row();
  if (row < 0) return false;
  if (key == Qt::Key_Right && !m_layers->isOpen(row)) return m_layers->setOpen(row, true), true;
  if (key == Qt::Key_Left && m_layers->isOpen(row)) return m_layers->setOpen(row, false), true;
  const int next = key == Qt::Key_Right ? row + 1 : m_layers->placeOf(m_layers->rowAt(row).parent);
  const bool possible = key == Qt::Key_Left ? next >= 0 : m_layers->rowAt(row).has_rows && next < m_layers->rowCount();
  if (possible) selectRow(next);
  return true;
}

void LayerTable::mousePressEvent(QMouseEvent* event) {
  const QModelIndex index = indexAt(event->pos());
  if (event->button() == Qt::LeftButton && index.isValid() && index.column() == LayerTableModel::Block &&
      m_layers->rowAt(index.row()).has_rows) {
    const int mark = fontMetrics().horizontalAdvance(ModuleDelegate::prefixOf(*m_layers, index.row()));
    if (event->pos().x() < visualRect(index).left() + mark + look::kGrid)
      return m_layers->setOpen(index.row(), !m_layers->isOpen(index.row()));
  }
  QTableView::mousePressEvent(event);
}

void LayerTable::keyPressEvent(QKeyEvent* event) {
  const bool tree_key = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
  if (tree_key && event->modifiers() == Qt::NoModifier && walkTree(event->key())) return;
  const bool digit = event->key() >= Qt::Key_0 && event->key() <= Qt::Key_9;
  if (digit && !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))) {
    m_layers->assign(chosenRows(), event->key() - Qt::Key_0);
    return;
  }
  const bool edits = event->key() == Qt::Key_F2 || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (edits && currentIndex().isValid() && editTriggers() != QAbstractItemView::NoEditTriggers &&
      state() != QAbstractItemView::EditingState) {
    const QModelIndex cell = currentIndex().siblingAtColumn(LayerTableModel::Lane);
    selectionModel()->setCurrentIndex(cell, QItemSelectionModel::NoUpdate);
    edit(cell);
    return;
  }
  QTableView::keyPressEvent(event);
}

LayersPane::LayersPane(ExperimentDocument* document, QWidget* parent)
    : QWidget(parent), m_search(new QLineEdit), m_table(new LayerTable(document)) {
  m_search->setObjectName("layerSearch");
  m_search->setAccessibleName(tr("Search modules"));
  m_search->setPlaceholderText(tr("Search modules by name"));
  m_search->setToolTip(tr("Show only modules, blocks and layers whose name has all these words"));
  m_search->setClearButtonEnabled(true);
  auto* column = look::makeLayout<QVBoxLayout>(this, look::kGrid, {0, look::kGrid, 0, 0});
  column->addWidget(m_search);
  column->addWidget(m_table, 1);
  setFocusProxy(m_table);
  connect(m_search, &QLineEdit::textChanged, m_table, &LayerTable::setFilter);
}

bool LayersPane::event(QEvent* event) {
  const bool key = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
  if (!key || !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Find)) return QWidget::event(event);
  event->accept();
  if (event->type() == QEvent::KeyPress) m_search->setFocus(Qt::ShortcutFocusReason);
  return true;
}

}  // namespace lanelab
