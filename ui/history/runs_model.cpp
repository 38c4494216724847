// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/runs_model.h"

#include <QFont>
#include <QHash>
#include <algorithm>

#include "engine/record/speed_words.h"
#include "ui/history/run_words.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

RunColumn columnAt(int section) { return static_cast<RunColumn>(section); }

bool isFigure(RunColumn column) {
  switch (column) {
    case RunColumn::MicroBatchSize:
    case RunColumn::SamplesPerSecond:
    case RunColumn::StepTime:
    case RunColumn::SpeedUp:
    case RunColumn::Loss:
    case RunColumn::Accuracy:
    case RunColumn::StepForecastError:
    case RunColumn::MemoryForecastError: return true;
    default: return false;
  }
}

Qt::Alignment alignmentOf(RunColumn column) {
  if (column == RunColumn::Star) return Qt::AlignCenter;
  return Qt::AlignVCenter | (isFigure(column) ? Qt::AlignRight : Qt::AlignLeft);
}

bool wentWrong(const RunEntry& run) { return run.damaged || run.status == RunStatus::Failed; }

}  // namespace

void RunsModel::setFilter(const RunFilter& filter) {
  m_filter = filter;
  setRuns(m_runs);
}

void RunsModel::setBaseline(const QString& folder) {
  m_baseline = folder;
  setRuns(m_runs);
}

void RunsModel::sort(int column, Qt::SortOrder order) {
  if (column < 0) return;
  m_sort = {columnAt(column), order == Qt::DescendingOrder};
  setRuns(m_runs);
}

void RunsModel::setRuns(Runs runs) {
  beginResetModel();
  m_runs = std::move(runs);
  arrange();
  endResetModel();
}

void RunsModel::setGrouping(RunGrouping grouping) {
  m_grouping = grouping;
  m_folded.clear();
  setRuns(m_runs);
}

void RunsModel::setFolded(const QStringList& values) {
  m_folded = {values.begin(), values.end()};
  setRuns(m_runs);
  Q_EMIT foldedChanged();
}

void RunsModel::foldAll(bool folded) {
  QStringList values;
  for (const RunGroup& group : m_groups)
    if (folded) values.append(QString::fromStdString(group.value));
  setFolded(values);
}

void RunsModel::fold(int row, bool folded) {
  const RunGroup* const of_row = group(row);
  if (!of_row || isFolded(row) == folded) return;
  QStringList values = this->folded();
  const QString value = QString::fromStdString(of_row->value);
  values.removeAll(value);
  if (folded) values.append(value);
  setFolded(values);
}

bool RunsModel::isFolded(int row) const {
  const RunGroup* const of_row = group(row);
  return of_row && m_folded.contains(QString::fromStdString(of_row->value));
}

const RunGroup* RunsModel::group(int row) const {
  const auto& index = at(row).group;
  return index ? &m_groups[*index] : nullptr;
}

int RunsModel::rowOfGroup(int row) const {
  const auto& index = at(row).group;
  return index ? m_group_rows[*index] : -1;
}

QStringList RunsModel::folders(int row) const {
  if (!isGroup(row)) return {QString::fromStdString(run(row).folder)};
  QStringList folders;
  for (const std::size_t index : group(row)->runs) folders.append(QString::fromStdString((*m_runs)[index].folder));
  return folders;
}

void RunsModel::arrange() {
  m_order.clear();
  for (std::size_t i = 0; i < m_runs->size(); ++i)
    if (matches((*m_runs)[i], m_filter)) m_order.push_back(i);
  if (m_sort.column == RunColumn::SpeedUp && baselineRun())
    sortBySpeedUp();
  else
    std::ranges::sort(m_order,
                      [this](std::size_t a, std::size_t b) { return sortsBefore((*m_runs)[a], (*m_runs)[b], m_sort); });
  m_groups = groupRuns(*m_runs, m_order, m_grouping, run_words::dayOf);
  makeRows();
}

void RunsModel::makeRows() {
  m_rows.clear();
  m_group_rows.clear();
  if (m_grouping == RunGrouping::None) {
    for (const std::size_t index : m_order) m_rows.push_back({index, std::nullopt});
    return;
  }
  for (std::size_t i = 0; i < m_groups.size(); ++i) {
    m_group_rows.push_back(static_cast<int>(m_rows.size()));
    m_rows.push_back({std::nullopt, i});
    if (m_folded.contains(QString::fromStdString(m_groups[i].value))) continue;
    for (const std::size_t index : m_groups[i].runs) m_rows.push_back({index, i});
  }
}

/// Vs the baseline run, which the entries do not know; missing ones come last.
void RunsModel::sortBySpeedUp() {
  const RunEntry& baseline = *baselineRun();
  std::vector<std::optional<double>> figures(m_runs->size());
  for (const std::size_t i : m_order)
    if (const auto speed_up = speedUpVs((*m_runs)[i], baseline)) figures[i] = speed_up->ratio;
  std::ranges::stable_sort(m_order, [&](std::size_t a, std::size_t b) {
    if (!figures[a] || !figures[b]) return figures[a].has_value() && !figures[b].has_value();
    return m_sort.descending ? *figures[a] > *figures[b] : *figures[a] < *figures[b];
  });
}

const RunEntry* RunsModel::baselineRun() const {
  if (m_baseline.isEmpty()) return nullptr;
  const auto found = std::ranges::find(*m_runs, m_baseline.toStdString(), &RunEntry::folder);
  return found == m_runs->end() ? nullptr : &*found;
}

const RunEntry* RunsModel::find(const QString& folder) const {
  const auto found = std::ranges::find(*m_runs, folder.toStdString(), &RunEntry::folder);
  return found == m_runs->end() ? nullptr : &*found;
}

int RunsModel::rowOf(const QString& folder) const {
  const auto found = std::ranges::find_if(m_rows, [this, path = folder.toStdString()](const Row& row) {
    return row.run && (*m_runs)[*row.run].folder == path;
  });
  return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

int RunsModel::reveal(const QString& folder) {
  if (const int row = rowOf(folder); row >= 0) return row;
  const auto holds = [&](int row) { return folders(row).contains(folder); };
  if (const auto group = std::ranges::find_if(m_group_rows, holds); group != m_group_rows.end()) fold(*group, false);
  return rowOf(folder);
}

QString RunsModel::keyOf(int row) const {
  const RunGroup* const of_row = group(row);
  const QString value = of_row ? QString::fromStdString(of_row->value) : QString();
  return value + '\n' + (isGroup(row) ? QString() : QString::fromStdString(run(row).folder));
}

std::vector<int> RunsModel::rowsOf(const QStringList& keys) const {
  if (keys.isEmpty()) return {};
  QHash<QString, int> rows, runs;
  for (int row = 0; row < rowCount(); ++row) {
    rows.insert(keyOf(row), row);
    if (!isGroup(row) && !runs.contains(folders(row).front())) runs.insert(folders(row).front(), row);
  }
  std::vector<int> found;
  for (const QString& key : keys) found.push_back(rows.value(key, runs.value(key.section('\n', 1), -1)));
  return found;
}

int RunsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(wordTable(RunColumn{}).size());
}

QString RunsModel::text(const RunEntry& run, RunColumn column) const {
  const RunEntry* const baseline = column == RunColumn::SpeedUp ? baselineRun() : nullptr;
  if (!baseline) return run_words::cell(run, column);
  if (baseline == &run) return tr("baseline");
  const auto speed_up = speedUpVs(run, *baseline);
  return speed_up ? look::shownText(speedUpText(*speed_up)) : QString();
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const RunColumn column = columnAt(index.column());
  if (role == Qt::TextAlignmentRole) return QVariant::fromValue(alignmentOf(column));
  if (role == Qt::FontRole) return isFigure(column) ? QVariant(look::numberFont()) : QVariant();
  return isGroup(index.row()) ? groupData(index.row(), column, role) : runData(run(index.row()), column, role);
}

QVariant RunsModel::runData(const RunEntry& shown, RunColumn column, int role) const {
  switch (role) {
    case Qt::DisplayRole: return text(shown, column);
    case Qt::EditRole: return QString::fromStdString(shown.name());
    case Qt::ToolTipRole: return run_words::cellTip(shown, column);
    case Qt::ForegroundRole:
      return column == RunColumn::Status && wentWrong(shown) ? QVariant(look::current().error) : QVariant();
    default: return {};
  }
}

QVariant RunsModel::groupData(int row, RunColumn column, int role) const {
  const RunGroup& shown = *group(row);
  const QString title = run_words::groupTitle(shown, m_grouping, (*m_runs)[shown.runs.front()]);
  switch (role) {
    case Qt::DisplayRole: return run_words::groupCell(shown, title, column);
    case Qt::ToolTipRole: return run_words::groupSummary(shown, title);
    case Qt::AccessibleTextRole:
      if (column != RunColumn::Name) return {};
      return (isFolded(row) ? tr("%1, folded") : tr("%1, unfolded")).arg(run_words::groupSummary(shown, title));
    default: return {};
  }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return QAbstractTableModel::headerData(section, orientation, role);
  const RunColumn column = columnAt(section);
  if (role == Qt::DisplayRole) return run_words::header(column);
  if (role == Qt::AccessibleTextRole) return run_words::title(column);
  if (role == Qt::ToolTipRole) return run_words::tip(column);
  if (role == Qt::TextAlignmentRole) return QVariant::fromValue(alignmentOf(column));
  return {};
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  const bool named = index.isValid() && !isGroup(index.row()) && columnAt(index.column()) == RunColumn::Name;
  return named ? flags | Qt::ItemIsEditable : flags;
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable)) return false;
  const RunEntry& shown = run(index.row());
  const QString name = look::typedName(value.toString());
  if (name.toStdString() == shown.name()) return false;
  Q_EMIT renamed(QString::fromStdString(shown.folder), name);
  return true;
}

}  // namespace lanelab
