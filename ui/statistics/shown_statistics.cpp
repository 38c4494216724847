// SPDX-License-Identifier: GPL-3.0-only
#include "ui/statistics/shown_statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/look/plain_text.h"

namespace lanelab {

namespace {

Grouping effective(const std::vector<Grouping>& offered, Grouping wanted) {
  return std::ranges::find(offered, wanted) == offered.end() ? Grouping::Name : wanted;
}

}  // namespace

ShownStatistics::ShownStatistics(StatisticsQuestion question, const std::stop_token& stop)
    : m_of(std::move(question.of)),
      m_offered(groupingsOf(*m_of.trace, m_of.imported.get())),
      m_figures(spanStatistics(*m_of.trace, m_of.imported.get(), effective(m_offered, question.by),
                               {question.range, {}}, stop)
                    .value_or(SpanStatistics{})),
      m_keys(*m_of.trace, m_of.imported.get(), m_figures.by) {}

QString ShownStatistics::nameOf(std::uint32_t key) const { return QString::fromStdString(m_keys.nameOf(key)); }

std::optional<std::uint32_t> ShownStatistics::keyOf(const QString& name) const {
  for (const GroupStatistics& group : m_figures.groups)
    if (nameOf(group.key) == name) return group.key;
  return {};
}

std::vector<SpanMatch> ShownStatistics::spans(std::optional<std::uint32_t> key, const QString& filter,
                                              const std::stop_token& stop) const {
  const auto times =
      countedTimes(trace(), m_of.imported.get(), lanesOfWork(trace(), m_of.imported.get()), m_figures.part);
  if (!times) return {};
  if (filter.trimmed().isEmpty()) return countedSpans(trace(), *times, m_keys, key, nullptr, stop);
  SpanFilter wanted;
  for (const std::string& name : trace().names)
    wanted.names.push_back(look::hasWords(QString::fromStdString(name), filter));
  for (const GroupStatistics& group : m_figures.groups) {
    if (group.key >= wanted.keys.size()) wanted.keys.resize(group.key + std::size_t{1});
    wanted.keys[group.key] = look::hasWords(nameOf(group.key), filter);
  }
  return countedSpans(trace(), *times, m_keys, key, &wanted, stop);
}

QString millisecondsCell(Nanoseconds time) {
  const double value = static_cast<double>(time) * 1e-6;
  if (time == 0) return QStringLiteral("0");
  const int digits_before = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
  return QString::number(value, 'f', std::clamp(4 - std::max(digits_before, 1) - std::min(digits_before, 0), 0, 6));
}

}  // namespace lanelab
