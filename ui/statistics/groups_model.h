// SPDX-License-Identifier: GPL-3.0-only
// Groups of spans as a table: filtered by the words of a text, sorted by any column. Thread: GUI.
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "ui/statistics/shown_statistics.h"

namespace lanelab {

QString groupingText(Grouping by);  ///< "Name", "Block"

class GroupsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column : int { Name, Count, Total, Share, Self, Mean, Median, P95, Longest, ColumnCount };
  using QAbstractTableModel::QAbstractTableModel;

  /// Null: no rows.
  void show(std::shared_ptr<const ShownStatistics> shown);
  void setFilter(const QString& text);
  const GroupStatistics& group(int row) const {
    return m_shown->figures().groups[m_rows[static_cast<std::size_t>(row)]];
  }
  /// -1 if the group is not in the table.
  int rowOf(std::uint32_t key) const;
  /// As they are in the table.
  std::vector<GroupStatistics> groups() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  void sort(int column, Qt::SortOrder order) override;

 private:
  void arrange();
  bool before(std::size_t a, std::size_t b) const;
  QString text(const GroupStatistics& group, int column) const;

  std::shared_ptr<const ShownStatistics> m_shown;
  std::vector<QString> m_names;     ///< by group
  std::vector<std::size_t> m_rows;  ///< places among the groups
  QString m_filter;
  int m_sort = Total;
  Qt::SortOrder m_order = Qt::DescendingOrder;
};

}  // namespace lanelab
