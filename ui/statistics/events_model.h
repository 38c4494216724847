// SPDX-License-Identifier: GPL-3.0-only
// Spans as a table, in order of time or duration. A row is a place in the trace, so a million of them take 16 bytes
// each; cells are made when they are seen. Thread: GUI.
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <string>
#include <vector>

#include "ui/statistics/shown_statistics.h"

namespace lanelab {

class EventsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column : int { Start, Duration, Name, Lane, Step, MicroBatch, Category, ColumnCount };
  using QAbstractTableModel::QAbstractTableModel;

  /// In order of time; null: no rows.
  void show(std::shared_ptr<const ShownStatistics> shown, std::vector<SpanMatch> spans);
  const SpanMatch& span(int row) const { return m_spans[static_cast<std::size_t>(row)]; }
  /// -1 if the span is not in the table.
  int rowOf(std::size_t track, std::size_t span) const;
  /// All rows: start_us,duration_us,name,lane,step,micro_batch,category; starts count from the begin of the trace.
  std::string csv() const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  /// By start or duration; other columns change nothing.
  void sort(int column, Qt::SortOrder order) override;

 private:
  void arrange();
  QString text(const SpanMatch& place, int column) const;

  std::shared_ptr<const ShownStatistics> m_shown;
  std::vector<SpanMatch> m_spans;
  Nanoseconds m_begin = 0;  ///< of the trace
  int m_sort = Start;
  Qt::SortOrder m_order = Qt::AscendingOrder;
};

}  // namespace lanelab
