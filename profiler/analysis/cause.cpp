// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/analysis/cause.h"

#include <algorithm>
#include <numeric>

namespace lanelab {

namespace {

constexpr std::array<std::string_view, kCauseCount> kCauseTexts = {
    "fill", "drain",     "imbalance", "jitter",     "transfer_queued", "transfer",  "data",
    "sync", "allocator", "host",      "contention", "profiler",        "unresolved"};

}  // namespace

std::string_view toString(Cause cause) { return kCauseTexts[static_cast<std::size_t>(cause)]; }

Nanoseconds CauseTimes::total() const { return std::accumulate(times.begin(), times.end(), Nanoseconds{0}); }

Cause CauseTimes::largest() const {
  return static_cast<Cause>(std::max_element(times.begin(), times.end()) - times.begin());
}

CauseTimes& CauseTimes::operator+=(const CauseTimes& other) {
  for (std::size_t i = 0; i < kCauseCount; ++i) times[i] += other.times[i];
  return *this;
}

}  // namespace lanelab
