// SPDX-License-Identifier: GPL-3.0-only
#include "ui/board/layer_table.h"

#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>
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

}  // namespace

LayerTable::LayerTable(ExperimentDocument* document, QWidget* parent)
    : QTableView(parent), m_layers(new LayerTableModel(document, this)) {
  setObjectName("layerTable");
  setAccessibleName(tr("Layers and their lanes"));
  setToolTip(tr("Select rows and type a lane number, or press F2 in the Lane column"));
  setModel(m_layers);
  setItemDelegate(new RoomyDelegate(this));
  setItemDelegateForColumn(LayerTableModel::Lane, new LaneDelegate(
                                                      m_layers, [this] { return chosenRows(); }, this));
  look::styleTable(*this);
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
}

void LayerTable::setReadOnly(bool read_only) {
  m_layers->setReadOnly(read_only);
  setEditTriggers(read_only ? QAbstractItemView::NoEditTriggers
                            : QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
}

std::vector<int> LayerTable::chosenRows() const {
  std::vector<int> rows;
  const QModelIndexList chosen = selectionModel()->selectedRows();
  for (const QModelIndex& index : chosen) rows.push_back(index.row());
  std::sort(rows.begin(), rows.end());
  return rows;
}

void LayerTable::keyPressEvent(QKeyEvent* event) {
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

}  // namespace lanelab
