// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/build/launched_work.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "profiler/trace/communication.h"

namespace lanelab {

namespace {

/// Spans with a correlation id, of rows that `chosen` is for.
template <class Chosen, class Visit>
void visitCorrelated(ImportBuilder& builder, Category category, const Chosen& chosen, const Visit& visit) {
  for (std::uint32_t index = 0; index < builder.rowCount(); ++index) {
    const DraftRow& row = builder.row(index);
    if (row.correlations.empty() || !chosen(row)) continue;
    for (std::size_t i = 0; i < std::min(row.spans.size(), row.correlations.size()); ++i)
      if (row.spans[i].category == category && row.correlations[i] > 0) visit(row.spans[i], row.correlations[i]);
  }
}

}  // namespace

LaunchedWork::LaunchedWork(ImportBuilder& builder, std::uint32_t process) {
  std::set<std::uint32_t> launchers;
  for (std::uint32_t index = 0; index < builder.rowCount(); ++index) {
    const DraftRow& row = builder.row(index);
    if (!row.correlations.empty() &&
        std::ranges::any_of(row.spans, [](const Span& span) { return span.category == Category::Runtime; }))
      launchers.insert(row.process);
  }
  const bool alone = launchers.size() == 1 && launchers.contains(process);
  std::vector<std::optional<bool>> communicates(builder.nameCount());
  std::unordered_map<std::int64_t, TimeRange> work;
  visitCorrelated(
      builder, Category::Kernel, [&](const DraftRow& row) { return alone || row.launcher == process; },
      [&](const Span& span, std::int64_t correlation) {
        std::optional<bool>& known = communicates[span.name];
        if (!known) known = isCommunicationKernel(builder.nameText(span.name));
        if (*known) return;
        const auto [range, is_new] = work.try_emplace(correlation, span.range());
        if (!is_new) range->second = hullOf(range->second, span.range());
      });
  visitCorrelated(
      builder, Category::Runtime, [&](const DraftRow& row) { return row.process == process; },
      [&](const Span& span, std::int64_t correlation) {
        if (const auto found = work.find(correlation); found != work.end())
          m_launches.push_back({span.start, found->second});
      });
  std::ranges::sort(m_launches, {}, &Launch::time);
}

std::optional<TimeRange> LaunchedWork::of(TimeRange host) const {
  std::optional<TimeRange> work;
  for (auto launch = std::ranges::lower_bound(m_launches, host.start, {}, &Launch::time);
       launch != m_launches.end() && launch->time < host.end; ++launch)
    work = work ? hullOf(*work, launch->work) : launch->work;
  return work;
}

}  // namespace lanelab
