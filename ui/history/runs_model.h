// SPDX-License-Identifier: GPL-3.0-only
// The entries of the index as a table: filtered, sorted, compared with a baseline run. It reads no run, so thousands
// open at once; a name that the user types is handed on. Thread: GUI.
#pragma once

#include <QAbstractTableModel>
#include <memory>
#include <vector>

#include "engine/library/run_query.h"

namespace lanelab {

class RunsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using Runs = std::shared_ptr<const std::vector<RunEntry>>;
  using QAbstractTableModel::QAbstractTableModel;

  /// Columns are those of RunColumn, in its order.
  static constexpr int columnOf(RunColumn column) { return static_cast<int>(column); }

  void setRuns(Runs runs);
  void setFilter(const RunFilter& filter);
  /// A run folder; empty or unknown: each run's speed-up is vs its own baseline variant.
  void setBaseline(const QString& folder);
  const QString& baseline() const { return m_baseline; }

  /// All runs, whatever the filter.
  const std::vector<RunEntry>& all() const { return *m_runs; }
  const RunEntry& run(int row) const { return (*m_runs)[m_rows[static_cast<std::size_t>(row)]]; }
  /// -1 if the run is not in the table.
  int rowOf(const QString& folder) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  void sort(int column, Qt::SortOrder order) override;

 Q_SIGNALS:
  void renamed(const QString& folder, const QString& name);

 private:
  void arrange();
  const RunEntry* baselineRun() const;
  void sortBySpeedUp();
  QString text(const RunEntry& run, RunColumn column) const;

  Runs m_runs = std::make_shared<const std::vector<RunEntry>>();
  std::vector<std::size_t> m_rows;  ///< indices of m_runs
  RunFilter m_filter;
  RunSort m_sort;
  QString m_baseline;
};

}  // namespace lanelab
