// SPDX-License-Identifier: GPL-3.0-only
// The newest calls into CUDA by their correlation, so that what they launched finds its launch call, whichever buffer
// either lies in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "profiler/trace/trace.h"

namespace lanelab {

/// One call, or a runtime call and the driver call within it, which share a correlation. Times are CUPTI's.
struct LaunchCall {
  Nanoseconds start = 0;
  Nanoseconds end = 0;            ///< 0: no record of the call has come
  std::uint64_t external_id = 0;  ///< that was pushed around it; 0 when none
  std::uint32_t thread = 0;       ///< the system's
  std::uint32_t correlation = 0;  ///< 0: an empty place

  bool known() const { return end != 0; }
};

/// Correlations count upwards, so a ring by their low bits keeps the newest quarter of a million calls in 8 MiB; a call
/// that many behind is forgotten.
class LaunchTable {
 public:
  static constexpr std::size_t kPlaces = std::size_t{1} << 18U;

  /// `correlation` is not 0.
  void addCall(std::uint32_t correlation, std::uint32_t thread, Nanoseconds start, Nanoseconds end) {
    LaunchCall& call = entry(correlation);
    call.start = call.known() ? std::min(call.start, start) : start;
    call.end = std::max(call.end, end);
    call.thread = thread;
  }

  void addExternalId(std::uint32_t correlation, std::uint64_t id) { entry(correlation).external_id = id; }
  /// Null when nothing is known of the correlation.
  const LaunchCall* find(std::uint32_t correlation) const {
    const LaunchCall& call = m_calls[correlation % kPlaces];
    return correlation != 0 && call.correlation == correlation ? &call : nullptr;
  }

 private:
  LaunchCall& entry(std::uint32_t correlation) {
    LaunchCall& call = m_calls[correlation % kPlaces];
    if (call.correlation != correlation) {
      call = {};
      call.correlation = correlation;
    }
    return call;
  }

  std::vector<LaunchCall> m_calls = std::vector<LaunchCall>(kPlaces);
};

}  // namespace lanelab
