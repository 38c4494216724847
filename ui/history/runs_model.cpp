// SPDX-License-Identifier: GPL-3.0-only
#include "ui/history/runs_model.h"

#include <QFont>
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

void RunsModel::arrange() {
  m_rows.clear();
  for (std::size_t i = 0; i < m_runs->size(); ++i)
    if (matches((*m_runs)[i], m_filter)) m_rows.push_back(i);
  if (m_sort.column == RunColumn::SpeedUp && baselineRun()) return sortBySpeedUp();
  std::ranges::sort(m_rows,
                    [this](std::size_t a, std::size_t b) { return sortsBefore((*m_runs)[a], (*m_runs)[b], m_sort); });
}

/// Vs the baseline run, which the entries do not know; missing ones come last.
void RunsModel::sortBySpeedUp() {
  const RunEntry& baseline = *baselineRun();
  std::vector<std::optional<double>> figures(m_runs->size());
  for (const std::size_t i : m_rows)
    if (const auto speed_up = speedUpVs((*m_runs)[i], baseline)) figures[i] = speed_up->ratio;
  std::ranges::stable_sort(m_rows, [&](std::size_t a, std::size_t b) {
    if (!figures[a] || !figures[b]) return figures[a].has_value() && !figures[b].has_value();
    return m_sort.descending ? *figures[a] > *figures[b] : *figures[a] < *figures[b];
  });
}

const RunEntry* RunsModel::baselineRun() const {
  if (m_baseline.isEmpty()) return nullptr;
  const auto found = std::ranges::find(*m_runs, m_baseline.toStdString(), &RunEntry::folder);
  return found == m_runs->end() ? nullptr : &*found;
}

int RunsModel::rowOf(const QString& folder) const {
  const auto found = std::ranges::find_if(
      m_rows, [this, path = folder.toStdString()](std::size_t i) { return (*m_runs)[i].folder == path; });
  return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
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
  const RunEntry& shown = run(index.row());
  const RunColumn column = columnAt(index.column());
  switch (role) {
    case Qt::DisplayRole: return text(shown, column);
    case Qt::EditRole: return QString::fromStdString(shown.name());
    case Qt::ToolTipRole: return run_words::cellTip(shown, column);
    case Qt::TextAlignmentRole: return QVariant::fromValue(alignmentOf(column));
    case Qt::FontRole: return isFigure(column) ? QVariant(look::numberFont()) : QVariant();
    case Qt::ForegroundRole:
      return column == RunColumn::Status && wentWrong(shown) ? QVariant(look::current().error) : QVariant();
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
  return index.isValid() && columnAt(index.column()) == RunColumn::Name ? flags | Qt::ItemIsEditable : flags;
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || role != Qt::EditRole || columnAt(index.column()) != RunColumn::Name) return false;
  const RunEntry& shown = run(index.row());
  const QString name = look::typedName(value.toString());
  if (name.toStdString() == shown.name()) return false;
  Q_EMIT renamed(QString::fromStdString(shown.folder), name);
  return true;
}

}  // namespace lanelab
