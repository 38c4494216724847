// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/io/ranks/rank_clocks.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

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

/// Steps by start, of all processes of a rank.
std::vector<StepWindow> markedSteps(const Trace& trace) {
  std::vector<StepWindow> steps;
  std::map<std::uint32_t, int> names;
  for (std::uint32_t name = 0; name < trace.names.size(); ++name)
    if (const auto step = profilerStepOf(trace.names[name])) names.emplace(name, *step);
  for (const Track& track : trace.tracks) {
    if (names.empty() || track.kind == Track::Kind::Stream) continue;
    for (const Span& span : track.spans)
      if (const auto name = names.find(span.name); name != names.end()) steps.push_back({name->second, span.range()});
  }
  std::ranges::sort(steps, {}, [](const StepWindow& step) { return step.range.start; });
  return steps;
}

/// Sends and receives of a group of several are between changing pairs of ranks.
bool isBetweenPairs(std::string_view name) {
  return name.find("SendRecv") != std::string_view::npos || name.find("send") == 0 || name.find("recv") == 0;
}

Series seriesOf(const ImportedTrace& imported) {
  const Trace& trace = *imported.trace;
  const std::vector<StepWindow> steps = markedSteps(trace);
  Series series;
  for (std::size_t track = 0; track < trace.tracks.size(); ++track) {
    if (trace.tracks[track].kind != Track::Kind::Stream) continue;
    const std::vector<std::uint32_t>& groups = imported.rows[track].groups;
    for (std::size_t i = 0; i < trace.tracks[track].spans.size(); ++i) {
      const Span span = trace.tracks[track].spans[i];
      if (span.category != Category::Communication) continue;
      const std::uint32_t group = i < groups.size() ? groups[i] : 0;
      if (group != 0 && isBetweenPairs(trace.nameOf(span))) continue;
      // The step in which it was launched, as it may run later.
      series[{markedStepAt(steps, span.mark != 0 ? span.mark : span.start),
              group == 0 ? std::string() : trace.names[group - 1], trace.nameOf(span)}]
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

/// Whether its times are those of the world: PyTorch names the moment they count from, older files count from 1970.
bool isUnixTime(const ImportedTrace& imported) {
  constexpr Nanoseconds kIn2001 = std::int64_t{1'000'000'000} * 1'000'000'000;
  return imported.trace->range().start > kIn2001;
}

void shiftSeries(Series& series, Nanoseconds by) {
  for (auto& [key, ends] : series)
    for (Nanoseconds& end : ends) end += by;
}

}  // namespace

std::vector<RankClock> clocksOf(const std::vector<std::shared_ptr<const ImportedTrace>>& traces) {
  std::vector<Series> series;
  for (const auto& imported : traces) series.push_back(seriesOf(*imported));
  std::vector<RankClock> clocks(traces.size());
  std::vector<bool> known(traces.size(), false);
  std::vector<std::size_t> aligned = {0};
  clocks[0].clock = JoinedRank::Clock::Reference;
  known[0] = true;
  for (std::size_t next = 0; next < aligned.size(); ++next) {
    for (std::size_t other = 0; other < traces.size(); ++other) {
      if (known[other]) continue;
      const std::optional<RankClock> clock = byCollectives(series[aligned[next]], series[other]);
      if (!clock) continue;
      clocks[other] = *clock;
      known[other] = true;
      shiftSeries(series[other], clock->offset);
      aligned.push_back(other);
    }
  }
  for (std::size_t rank = 1; rank < traces.size(); ++rank)
    if (!known[rank] && isUnixTime(*traces[rank]) && isUnixTime(*traces[0]))
      clocks[rank].clock = JoinedRank::Clock::SameEpoch;
  return clocks;
}

}  // namespace lanelab
