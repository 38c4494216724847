// SPDX-License-Identifier: GPL-3.0-only
// Draws a run in the list: name and time on the first line, status and headline under it.
#pragma once

#include <QStyledItemDelegate>

namespace lanelab {

/// Roles of the list's items beside Qt::DisplayRole, which holds all of it as one sentence for screen readers.
enum RunItemRole { FolderRole = Qt::UserRole, NameRole, WhenRole, StatusRole, HeadlineRole, ReadableRole, RunningRole };

class RunItemDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace lanelab
