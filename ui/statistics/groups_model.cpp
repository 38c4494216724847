// SPDX-License-Identifier: GPL-3.0-only
#include "ui/statistics/groups_model.h"

#include <algorithm>
#include <utility>

#include "ui/look/plain_text.h"
#include "ui/look/theme.h"

namespace lanelab {

namespace {

/// What a column of times shows of a group; 0 of the others.
Nanoseconds timeOf(const GroupStatistics& group, int column) {
  switch (column) {
    case GroupsModel::Total:
    case GroupsModel::Share: return group.total;
    case GroupsModel::Self: return group.self;
    case GroupsModel::Mean: return group.mean;
    case GroupsModel::Median: return group.median;
    case GroupsModel::P95: return group.p95;
    case GroupsModel::Longest: return group.longest;
    default: return 0;
  }
}

}  // namespace

QString groupingText(Grouping by) {
  switch (by) {
    case Grouping::Name: return GroupsModel::tr("Name");
    case Grouping::Block: return GroupsModel::tr("Block");
    case Grouping::Module: return GroupsModel::tr("Module");
    case Grouping::Category: return GroupsModel::tr("Category");
    case Grouping::Operation: return GroupsModel::tr("Operation");
    case Grouping::Stage: return GroupsModel::tr("Stage");
    case Grouping::Lane: return GroupsModel::tr("Lane");
    case Grouping::Rank: return GroupsModel::tr("Rank");
    case Grouping::Group: return GroupsModel::tr("Process group");
  }
  return {};
}

void GroupsModel::show(std::shared_ptr<const ShownStatistics> shown) {
  beginResetModel();
  m_shown = std::move(shown);
  m_names.clear();
  if (m_shown)
    for (const GroupStatistics& group : m_shown->figures().groups) m_names.push_back(m_shown->nameOf(group.key));
  arrange();
  endResetModel();
}

void GroupsModel::setFilter(const QString& text) {
  if (std::exchange(m_filter, text) == text) return;
  beginResetModel();
  arrange();
  endResetModel();
}

void GroupsModel::sort(int column, Qt::SortOrder order) {
  beginResetModel();
  m_sort = column;
  m_order = order;
  arrange();
  endResetModel();
}

void GroupsModel::arrange() {
  m_rows.clear();
  for (std::size_t group = 0; group < m_names.size(); ++group)
    if (look::hasWords(m_names[group], m_filter)) m_rows.push_back(group);
  std::ranges::stable_sort(m_rows, [this](std::size_t a, std::size_t b) {
    return m_order == Qt::AscendingOrder ? before(a, b) : before(b, a);
  });
}

bool GroupsModel::before(std::size_t a, std::size_t b) const {
  const GroupStatistics &left = m_shown->figures().groups[a], &right = m_shown->figures().groups[b];
  if (m_sort == Count) return left.count < right.count;
  if (m_sort != Name) return timeOf(left, m_sort) < timeOf(right, m_sort);
  if (m_shown->figures().by == Grouping::Stage) return left.key < right.key;
  return QString::compare(m_names[a], m_names[b], Qt::CaseInsensitive) < 0;
}

int GroupsModel::rowOf(std::uint32_t key) const {
  for (std::size_t row = 0; row < m_rows.size(); ++row)
    if (m_shown->figures().groups[m_rows[row]].key == key) return static_cast<int>(row);
  return -1;
}

std::vector<GroupStatistics> GroupsModel::groups() const {
  std::vector<GroupStatistics> groups;
  for (const std::size_t row : m_rows) groups.push_back(m_shown->figures().groups[row]);
  return groups;
}

int GroupsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}
int GroupsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString GroupsModel::text(const GroupStatistics& group, int column) const {
  if (column == Count) return QString::number(group.count);
  if (column == Share) return QString::number(100 * m_shown->figures().shareOf(group), 'f', 1);
  return millisecondsCell(timeOf(group, column));
}

QVariant GroupsModel::data(const QModelIndex& index, int role) const {
  const std::size_t place = m_rows[static_cast<std::size_t>(index.row())];
  const bool name = index.column() == Name;
  switch (role) {
    case Qt::DisplayRole:
      if (!name) return text(m_shown->figures().groups[place], index.column());
      return m_names[place].isEmpty() ? tr("(none)") : look::shownName(m_names[place]);
    case Qt::ToolTipRole: return name ? QVariant(look::shownName(m_names[place])) : QVariant();
    case Qt::TextAlignmentRole: return QVariant::fromValue((name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole: return name ? QVariant() : QVariant(look::numberFont());
    default: return {};
  }
}

QVariant GroupsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return QVariant::fromValue((section == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  const bool tip = role == Qt::ToolTipRole;
  if (role != Qt::DisplayRole && !tip) return {};
  switch (section) {
    case Name: return tip ? QVariant() : QVariant(groupingText(m_shown ? m_shown->figures().by : Grouping::Name));
    case Count: return tip ? tr("Number of spans") : tr("Count");
    case Total: return tip ? tr("Time with these spans on each row, with what is within them") : tr("Total (ms)");
    case Share: return tip ? tr("Total over the lane time: the time shown above, of all lanes") : tr("Share (%)");
    case Self: return tip ? tr("Total without the spans within; adds up over all groups") : tr("Self (ms)");
    case Mean: return tip ? tr("Mean duration of a span") : tr("Mean (ms)");
    case Median: return tip ? tr("Half of the spans are not longer") : tr("Median (ms)");
    case P95: return tip ? tr("95 of 100 spans are not longer") : tr("p95 (ms)");
    case Longest: return tip ? tr("The longest span; Enter goes to it") : tr("Longest (ms)");
    default: return {};
  }
}

}  // namespace lanelab
