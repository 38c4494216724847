// SPDX-License-Identifier: GPL-3.0-only
// A collector between a fake CUPTI and a trace of two lanes, for the tests of what becomes of activity.
#pragma once

#include <memory>
#include <string>

#include "profiler/collect/cupti/cupti_collector.h"
#include "tests/unit/cupti/activity_records.h"
#include "tests/unit/cupti/fake_cupti.h"

namespace lanelab {

inline CuptiOptions twoStreams() {
  CuptiOptions options;
  options.lane_of_stream = [](CudaStream stream) { return stream.stream == 7 ? 0 : stream.stream == 13 ? 1 : -1; };
  options.flush_period = std::chrono::milliseconds(1);
  return options;
}

struct Recording {
  std::shared_ptr<FakeCupti> cupti = std::make_shared<FakeCupti>();
  TraceBuilder builder{"t", {{"a", "cuda:0"}, {"b", "cuda:0"}}};
  CuptiCollector collector;

  explicit Recording(CuptiOptions options = twoStreams()) : collector(std::move(options), cupti) {}

  static std::uint64_t now() { return static_cast<std::uint64_t>(monotonicNow() + FakeCupti::kClockOffset); }
  void launch(std::uint32_t stream = 7) const {
    const std::uint64_t start = now();
    cupti->emit(kernel("k", start, start + 10, 0, stream));
  }
};

inline const Track* trackNamed(const Trace& trace, const std::string& name) {
  for (const Track& track : trace.tracks)
    if (track.name == name) return &track;
  return nullptr;
}

}  // namespace lanelab
