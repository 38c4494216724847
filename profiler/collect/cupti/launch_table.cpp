// SPDX-License-Identifier: GPL-3.0-only
#include "profiler/collect/cupti/launch_table.h"

#include <algorithm>

namespace lanelab {

LaunchCall& LaunchTable::entry(std::uint32_t correlation) {
  LaunchCall& call = m_calls[correlation % kPlaces];
  if (call.correlation != correlation) {
    call = {};
    call.correlation = correlation;
  }
  return call;
}

void LaunchTable::addCall(std::uint32_t correlation, std::uint32_t thread, Nanoseconds start, Nanoseconds end) {
  LaunchCall& call = entry(correlation);
  call.start = call.known() ? std::min(call.start, start) : start;
  call.end = std::max(call.end, end);
  call.thread = thread;
}

void LaunchTable::addExternalId(std::uint32_t correlation, std::uint64_t id) { entry(correlation).external_id = id; }

const LaunchCall* LaunchTable::find(std::uint32_t correlation) const {
  const LaunchCall& call = m_calls[correlation % kPlaces];
  return correlation != 0 && call.correlation == correlation ? &call : nullptr;
}

}  // namespace lanelab
