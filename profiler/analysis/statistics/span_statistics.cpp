// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/statistics/span_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace lanelab {

namespace {

constexpr std::size_t kCountedBetweenStops = 65536;

/// What is added up of one group, and until when its spans of the present row cover time.
struct Draft {
  std::uint64_t count = 0;
  Nanoseconds total = 0;
  Nanoseconds self = 0;
  Nanoseconds lengths = 0;
  Nanoseconds longest = -1;
  SpanMatch longest_span;
  Nanoseconds covered_until = 0;
  std::size_t row = 0;  ///< from 1, that `covered_until` is of

  void add(const CountedSpan& span, std::size_t in_row) {
    if (row != in_row) {
      row = in_row;
      covered_until = span.range.start;
    }
    ++count;
    lengths += span.range.length();
    total += std::max(Nanoseconds{0}, span.range.end - std::max(covered_until, span.range.start));
    covered_until = std::max(covered_until, span.range.end);
    if (span.range.length() <= longest) return;
    longest = span.range.length();
    longest_span = {span.start, span.track, span.index};
  }
};

/// Quantiles of lengths, which it puts into another order; asked for in ascending order, so that each search leaves out
/// what the one before has found to be smaller.
class Quantiles {
 public:
  explicit Quantiles(std::span<Nanoseconds> lengths) : m_lengths(lengths) {}

  Nanoseconds at(double share) {
    const double place = share * static_cast<double>(m_lengths.size() - 1);
    const auto below = m_lengths.begin() + static_cast<std::ptrdiff_t>(place);
    std::nth_element(m_lengths.begin() + m_from, below, m_lengths.end());
    m_from = below - m_lengths.begin();
    const double rest = place - std::floor(place);
    if (rest == 0) return *below;
    const Nanoseconds above = *std::min_element(below + 1, m_lengths.end());
    return *below + std::llround(rest * static_cast<double>(above - *below));
  }

 private:
  std::span<Nanoseconds> m_lengths;
  std::ptrdiff_t m_from = 0;
};

class SpanCounter {
 public:
  void count(const Trace& trace, const CountedTimes& times, const SpanKeys& keys, const std::stop_token& stop) {
    for (const CountedRow& row : countedRows(trace)) {
      ++m_row;
      RowWalk walk(trace, row, times, keys);
      while (const auto span = walk.next()) {
        if (++m_seen % kCountedBetweenStops == 0 && stop.stop_requested()) return;
        if (span->key == SpanKeys::kNone)
          ++m_without;
        else
          add(*span);
      }
      closeUntil(std::numeric_limits<Nanoseconds>::max());
    }
  }

  void writeTo(SpanStatistics& statistics) {
    statistics.without_group = m_without;
    statistics.cut = m_cut;
    std::vector<Nanoseconds> sorted = lengthsByGroup();
    std::size_t from = 0;
    for (std::uint32_t key = 0; key < m_drafts.size(); ++key) {
      const Draft& draft = m_drafts[key];
      if (draft.count == 0) continue;
      statistics.groups.push_back(figuresOf(draft, key, std::span(sorted).subspan(from, draft.count)));
      from += draft.count;
    }
    statistics.all = figuresOf(m_all, SpanKeys::kNone, sorted);
    std::ranges::stable_sort(statistics.groups, std::ranges::greater(), &GroupStatistics::total);
  }

 private:
  void add(const CountedSpan& span) {
    if (span.key >= m_drafts.size()) m_drafts.resize(span.key + std::size_t{1});
    closeUntil(span.range.start);
    m_open.push_back({span.range.end, span.key});
    m_drafts[span.key].add(span, m_row);
    m_all.add(span, m_row);
    m_keys.push_back(span.key);
    m_lengths.push_back(span.range.length());
    m_cut += span.cut ? 1 : 0;
  }

  /// Gives the time since the last moment to the innermost spans that are open.
  void closeUntil(Nanoseconds time) {
    while (!m_open.empty()) {
      const auto [end, key] = m_open.back();
      const Nanoseconds until = std::min(end, time);
      if (until > m_now) {
        m_drafts[key].self += until - m_now;
        m_all.self += until - m_now;
        m_now = until;
      }
      if (end > time) break;
      m_open.pop_back();
    }
    m_now = time == std::numeric_limits<Nanoseconds>::max() ? std::numeric_limits<Nanoseconds>::min() : time;
  }

  /// A counting sort by key; the order within a group does not matter.
  std::vector<Nanoseconds> lengthsByGroup() const {
    std::vector<std::size_t> places(m_drafts.size() + 1, 0);
    for (std::size_t key = 0; key < m_drafts.size(); ++key) places[key + 1] = places[key] + m_drafts[key].count;
    std::vector<Nanoseconds> sorted(m_lengths.size());
    for (std::size_t i = 0; i < m_keys.size(); ++i) sorted[places[m_keys[i]]++] = m_lengths[i];
    return sorted;
  }

  static GroupStatistics figuresOf(const Draft& draft, std::uint32_t key, std::span<Nanoseconds> lengths) {
    GroupStatistics figures;
    figures.key = key;
    if (draft.count == 0) return figures;
    figures.count = draft.count;
    figures.total = draft.total;
    figures.self = draft.self;
    figures.mean = std::llround(static_cast<double>(draft.lengths) / static_cast<double>(draft.count));
    Quantiles quantiles(lengths);
    figures.median = quantiles.at(0.5);
    figures.p95 = quantiles.at(0.95);
    figures.longest = draft.longest;
    figures.longest_span = draft.longest_span;
    return figures;
  }

  std::vector<Draft> m_drafts;  ///< by key
  Draft m_all;
  std::vector<std::uint32_t> m_keys;                          ///< of each counted span
  std::vector<Nanoseconds> m_lengths;                         ///< likewise
  std::vector<std::pair<Nanoseconds, std::uint32_t>> m_open;  ///< ends and keys of the row, the innermost last
  Nanoseconds m_now = std::numeric_limits<Nanoseconds>::min();
  std::size_t m_row = 0;
  std::size_t m_seen = 0;
  std::uint64_t m_without = 0;
  std::uint64_t m_cut = 0;
};

}  // namespace

std::optional<SpanStatistics> spanStatistics(const Trace& trace, const ImportedTrace* imported, Grouping by,
                                             const CountedPart& part, const std::stop_token& stop) {
  const LanesOfWork work = lanesOfWork(trace, imported);
  const std::optional<CountedTimes> times = countedTimes(trace, imported, work, part);
  if (!times) return std::nullopt;
  SpanStatistics statistics;
  statistics.by = by;
  statistics.part = part;
  statistics.window = times->window;
  const SpanKeys keys(trace, imported, by);
  SpanCounter counter;
  counter.count(trace, *times, keys, stop);
  counter.writeTo(statistics);
  statistics.overview = timeOverview(trace, imported, work, *times);
  return statistics;
}

}  // namespace lanelab
