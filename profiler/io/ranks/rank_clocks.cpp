// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/ranks/rank_clocks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "profiler/io/ranks/rank_moves.h"
#include "profiler/trace/profiler_step.h"

namespace lanelab {

namespace {

/// A step, a process group and a kind of kernel: what the ranks of the group do in the same order.
using SeriesKey = std::tuple<int, std::string, std::string>;
/// Ends of its kernels on one rank.
using Series = std::map<SeriesKey, std::vector<Nanoseconds>>;

constexpr std::int64_t kLeastShared = 3;          ///< ends, for an offset
constexpr Nanoseconds kMostResidual = 5'000'000;  ///< beyond it they are not the same collectives

Nanoseconds medianTime(std::vector<Nanoseconds> times) {
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

/// Sends and receives of a group of several are between changing pairs of ranks.
bool isBetweenPairs(std::string_view name) {
  return name.find("SendRecv") != std::string_view::npos || name.find("send") == 0 || name.find("recv") == 0;
}

Series seriesOf(const ImportedTrace& imported) {
  const Trace& trace = *imported.trace;
  const std::vector<StepWindow> steps = markedStepsOf(trace);
  Series series;
  for (std::size_t track = 0; track < trace.tracks.size(); ++track) {
    if (trace.tracks[track].kind != Track::Kind::Stream) continue;
    for (std::size_t i = 0; i < trace.tracks[track].spans.size(); ++i) {
      const Span span = trace.tracks[track].spans[i];
      if (span.category != Category::Communication) continue;
      const ProcessGroup* const group = imported.groupAt(track, i);
      if (group != nullptr && (group->moves != ProcessGroup::Moves::None || isBetweenPairs(trace.nameOf(span))))
        continue;
      // The step in which it was launched, as it may run later.
      series[{markedStepAt(steps, span.mark != 0 ? span.mark : span.start),
              group == nullptr ? std::string() : group->name, trace.nameOf(span)}]
          .push_back(span.end);
    }
  }
  for (auto& [key, ends] : series) std::ranges::sort(ends);
  return series;
}

/// Differences of the ends that both share, of series that are as long on both.
std::vector<Nanoseconds> differences(const Series& reference, const Series& other) {
  std::vector<Nanoseconds> found;
  for (const auto& [key, ends] : other) {
    const auto same = reference.find(key);
    if (same == reference.end() || same->second.size() != ends.size()) continue;
    for (std::size_t i = 0; i < ends.size(); ++i) found.push_back(same->second[i] - ends[i]);
  }
  return found;
}

std::optional<RankClock> byCollectives(const Series& reference, const Series& other) {
  std::vector<Nanoseconds> apart = differences(reference, other);
  const auto shared = static_cast<std::int64_t>(apart.size());
  if (shared < kLeastShared) return std::nullopt;
  const Nanoseconds offset = medianTime(apart);
  for (Nanoseconds& one : apart) one = std::abs(one - offset);
  const Nanoseconds residual = medianTime(std::move(apart));
  if (residual > kMostResidual) return std::nullopt;
  return RankClock{JoinedRank::Clock::Collectives, std::abs(offset) > residual ? offset : 0, residual, shared};
}

std::optional<RankClock> byMoves(const RankMoves& reference, const RankMoves& other) {
  const OffsetBounds bounds = offsetBounds(reference, other);
  if (!bounds.least || !bounds.most || bounds.pairs < kLeastShared) return std::nullopt;
  if (*bounds.least - *bounds.most > kMostResidual) return std::nullopt;
  const Nanoseconds residual = std::abs(*bounds.most - *bounds.least) / 2;
  const Nanoseconds offset = *bounds.least + (*bounds.most - *bounds.least) / 2;
  return RankClock{JoinedRank::Clock::SendReceive, std::abs(offset) > residual ? offset : 0, residual, bounds.pairs};
}

/// Whether a receive would end before its send began: then the collectives were of different groups, which files over
/// gloo do not name.
bool isRefuted(const RankClock& clock, const RankMoves& reference, const RankMoves& other) {
  const OffsetBounds bounds = offsetBounds(reference, other);
  if (!bounds.least || !bounds.most || *bounds.least - *bounds.most > kMostResidual) return false;
  const auto [low, high] = std::minmax(*bounds.least, *bounds.most);
  return clock.offset < low - clock.residual || clock.offset > high + clock.residual;
}

/// Whether its times are those of the world: PyTorch names the moment they count from, older files count from 1970.
bool isUnixTime(const ImportedTrace& imported) {
  constexpr Nanoseconds kIn2001 = std::int64_t{1'000'000'000} * 1'000'000'000;
  return imported.trace->range().start > kIn2001;
}

void shiftSeries(Series& series, Nanoseconds by) {
  for (auto& [key, ends] : series)
    for (Nanoseconds& end : ends) end += by;
}

/// Goes from the ranks that are aligned to those that share something with them.
class ClockSearch {
 public:
  explicit ClockSearch(const std::vector<std::shared_ptr<const ImportedTrace>>& traces)
      : m_traces(traces), m_clocks(traces.size()), m_known(traces.size(), false), m_bounded(traces.size()) {
    for (const auto& imported : traces) {
      m_series.push_back(seriesOf(*imported));
      m_moves.push_back(movesOf(*imported));
    }
  }

  std::vector<RankClock> run() {
    align(0, {JoinedRank::Clock::Reference});
    do {
      alignByCollectives();
    } while (alignOneByMoves());
    for (std::size_t rank = 1; rank < m_traces.size(); ++rank)
      if (!m_known[rank] && isUnixTime(*m_traces[rank]) && isUnixTime(*m_traces[0]))
        m_clocks[rank].clock = JoinedRank::Clock::SameEpoch;
    return std::move(m_clocks);
  }

 private:
  void align(std::size_t rank, const RankClock& clock) {
    m_clocks[rank] = clock;
    m_known[rank] = true;
    m_aligned.push_back(rank);
    shiftSeries(m_series[rank], clock.offset);
    m_moves[rank].shift(clock.offset);
  }

  void alignByCollectives() {
    for (; m_next < m_aligned.size(); ++m_next)
      for (std::size_t other = 0; other < m_traces.size(); ++other)
        if (!m_known[other]) alignByCollectives(m_aligned[m_next], other);
  }

  void alignByCollectives(std::size_t reference, std::size_t other) {
    const std::optional<RankClock> clock = byCollectives(m_series[reference], m_series[other]);
    if (clock && !isRefuted(*clock, m_moves[reference], m_moves[other])) align(other, *clock);
  }

  /// The one that is bounded most closely.
  bool alignOneByMoves() {
    for (; m_next_moves < m_aligned.size(); ++m_next_moves)
      for (std::size_t other = 0; other < m_traces.size(); ++other)
        if (!m_known[other]) boundBy(m_moves[m_aligned[m_next_moves]], other);
    std::optional<std::size_t> best;
    for (std::size_t other = 0; other < m_traces.size(); ++other)
      if (!m_known[other] && m_bounded[other] && (!best || m_bounded[other]->residual < m_bounded[*best]->residual))
        best = other;
    if (best) align(*best, *m_bounded[*best]);
    return best.has_value();
  }

  void boundBy(const RankMoves& reference, std::size_t other) {
    const std::optional<RankClock> clock = byMoves(reference, m_moves[other]);
    std::optional<RankClock>& known = m_bounded[other];
    if (clock && (!known || clock->residual < known->residual)) known = clock;
  }

  const std::vector<std::shared_ptr<const ImportedTrace>>& m_traces;
  std::vector<Series> m_series;
  std::vector<RankMoves> m_moves;
  std::vector<RankClock> m_clocks;
  std::vector<bool> m_known;
  std::vector<std::size_t> m_aligned;
  std::vector<std::optional<RankClock>> m_bounded;  ///< by what they send to aligned ranks and receive from them
  std::size_t m_next = 0;                           ///< in m_aligned, whose collectives were not looked at yet
  std::size_t m_next_moves = 0;                     ///< the same of sends and receives
};

}  // namespace

std::vector<RankClock> clocksOf(const std::vector<std::shared_ptr<const ImportedTrace>>& traces) {
  return ClockSearch(traces).run();
}

}  // namespace lanelab
