// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/trace/core_time.h"

#include <algorithm>

#include "base/text.h"

namespace lanelab {

std::vector<CoreTime> coreTimes(const Trace& trace) {
  std::vector<CoreTime> lanes(trace.lanes.size());
  for (const Track& track : trace.tracks) {
    if (trace.laneAt(track.lane) == nullptr) continue;
    CoreTime& lane = lanes[static_cast<std::size_t>(track.lane)];
    for (const Span& span : track.spans) {
      if (span.category != Category::Action || span.cpu < 0) continue;
      lane.length += span.range().length();
      lane.cpu += span.cpu;
    }
  }
  return lanes;
}

std::vector<double> coreShares(const Trace& trace) {
  constexpr Nanoseconds kSmallPart = 100;
  Nanoseconds longest = 0;
  const std::vector<CoreTime> lanes = coreTimes(trace);
  for (const CoreTime& lane : lanes) longest = std::max(longest, lane.length);
  std::vector<double> shares;
  for (const CoreTime& lane : lanes) {
    const bool known = lane.cpu > 0 && lane.length * kSmallPart >= longest;
    shares.push_back(known ? std::min(1.0, static_cast<double>(lane.cpu) / static_cast<double>(lane.length)) : 0);
  }
  return shares;
}

std::optional<CoreShare> leastCoreShare(const std::vector<double>& shares) {
  std::optional<CoreShare> least;
  for (std::size_t lane = 0; lane < shares.size(); ++lane)
    if (shares[lane] > 0 && (!least || shares[lane] < least->share)) least = {lane, shares[lane]};
  return least;
}

std::optional<double> otherProgramsWithin(const Trace& trace, TimeRange range) {
  const auto counter = std::ranges::find_if(
      trace.counters, [](const Counter& one) { return one.lane < 0 && one.name == kOtherProgramsCounter; });
  if (counter == trace.counters.end()) return std::nullopt;
  const std::vector<Nanoseconds>& times = counter->times;
  const auto next = static_cast<std::size_t>(std::ranges::upper_bound(times, range.start) - times.begin());
  double sum = 0;
  Nanoseconds known = 0;
  for (std::size_t i = next > 0 ? next - 1 : 0; i < times.size() && times[i] < range.end; ++i) {
    const TimeRange held{times[i], i + 1 < times.size() ? times[i + 1] : range.end};
    const Nanoseconds length = intersection(held, range).length();
    sum += counter->values[i] * static_cast<double>(length);
    known += length;
  }
  if (known <= 0) return std::nullopt;
  return sum / static_cast<double>(known);
}

Message takenCoresText(const std::vector<std::string>& lanes, const std::vector<double>& shares) {
  std::vector<Message> names, parts;
  for (std::size_t lane = 0; lane < shares.size(); ++lane) {
    if (shares[lane] <= 0 || shares[lane] >= kLeastOnCore) continue;
    names.push_back(verbatim(lanes[lane]));
    parts.push_back(verbatim(formatPercent(shares[lane])));
  }
  if (names.empty()) return {};
  return names.size() == 1 ? sentence("{} had a core for only {} of its compute time", names.front(), parts.front())
                           : sentence("{} had a core for only {} of their compute time", listed(names), listed(parts));
}

}  // namespace lanelab
