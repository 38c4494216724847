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
