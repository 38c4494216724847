// SPDX-License-Identifier: GPL-3.0-only
// Fields in which a name is typed: one line of at most kLongestTypedName characters, without control characters.
#pragma once

#include <QStyledItemDelegate>

class QLineEdit;

namespace lanelab::look {

/// What is typed or pasted into `field` from now on passes typedName().
void makeNameField(QLineEdit& field);

/// Shows the items of a list or table as shownName() and edits them in such a field; an item that nobody typed in stays
/// as it is.
class NameDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QString displayText(const QVariant& value, const QLocale& locale) const override;
  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
};

}  // namespace lanelab::look
