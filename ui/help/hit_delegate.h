// SPDX-License-Identifier: GPL-3.0-only
// A row of what a search found: the title of the section, and below it the line with the words marked. Thread: GUI.
#pragma once

#include <QStyledItemDelegate>

namespace lanelab {

class HitDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  static constexpr int kLineRole = Qt::UserRole;  ///< the line; the title is the row's text
  using QStyledItemDelegate::QStyledItemDelegate;

  void setWords(const QString& words) { m_words = words; }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  QString m_words;
};

}  // namespace lanelab
