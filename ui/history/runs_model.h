// SPDX-License-Identifier: GPL-3.0-only
// The entries of the index as a table: filtered, sorted, in groups that fold, compared with a baseline run. It reads no
// run, so thousands open at once; a name that the user types is handed on. Thread: GUI.
#pragma once

#include <QAbstractTableModel>
#include <QSet>
#include <QStringList>
#include <memory>
#include <optional>
#include <vector>

#include "engine/library/run_groups.h"
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
  /// With a grouping, a row of each group goes before those of its runs. All are unfolded.
  void setGrouping(RunGrouping grouping);
  RunGrouping grouping() const { return m_grouping; }
  /// Values of groups whose runs have no rows.
  void setFolded(const QStringList& values);
  QStringList folded() const { return {m_folded.begin(), m_folded.end()}; }
  void foldAll(bool folded);

  /// All runs, whatever the filter.
  const std::vector<RunEntry>& all() const { return *m_runs; }
  /// How many of them match the filter.
  int matching() const { return static_cast<int>(m_order.size()); }
  /// Whatever the filter and whether folded or not; null if there is none.
  const RunEntry* find(const QString& folder) const;

  bool isGroup(int row) const { return !at(row).run; }
  /// Of a row of a run.
  const RunEntry& run(int row) const { return (*m_runs)[*at(row).run]; }
  /// That the row is, or is in; null without a grouping.
  const RunGroup* group(int row) const;
  bool isFolded(int row) const;
  void fold(int row, bool folded);
  /// The row of the group that the row is in; -1 without a grouping.
  int rowOfGroup(int row) const;
  /// Of the run, or of the runs of the group.
  QStringList folders(int row) const;

  /// -1 if the run has no row.
  int rowOf(const QString& folder) const;
  /// The same after its group was unfolded.
  int reveal(const QString& folder);
  /// Names the row whatever the order: with several tags a run has several rows.
  QString keyOf(int row) const;
  /// Of each key that row, else one of the run that it names; -1 if there is none.
  std::vector<int> rowsOf(const QStringList& keys) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  void sort(int column, Qt::SortOrder order) override;

 Q_SIGNALS:
  void renamed(const QString& folder, const QString& name);
  void foldedChanged();

 private:
  struct Row {
    std::optional<std::size_t> run;    ///< index of m_runs; none: the row of the group
    std::optional<std::size_t> group;  ///< index of m_groups
  };

  const Row& at(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
  void arrange();
  void makeRows();
  const RunEntry* baselineRun() const;
  void sortBySpeedUp();
  QString text(const RunEntry& run, RunColumn column) const;
  QVariant runData(const RunEntry& shown, RunColumn column, int role) const;
  QVariant groupData(int row, RunColumn column, int role) const;

  Runs m_runs = std::make_shared<const std::vector<RunEntry>>();
  std::vector<std::size_t> m_order;  ///< indices of m_runs
  std::vector<RunGroup> m_groups;
  std::vector<int> m_group_rows;  ///< by group
  std::vector<Row> m_rows;
  QSet<QString> m_folded;
  RunFilter m_filter;
  RunSort m_sort;
  RunGrouping m_grouping = RunGrouping::None;
  QString m_baseline;
};

}  // namespace lanelab
