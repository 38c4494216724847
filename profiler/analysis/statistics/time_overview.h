// SPDX-License-Identifier: GPL-3.0-only
// What the time of each lane was spent on, in parts that add up to its window exactly: each nanosecond counts for the
// first part in order of TimePart that anything of the lane was doing then.
//
// Of a trace of our own: Compute its actions, as in the analysis of idle time; Communication its transfers and the
// exchange of replicas. Of a trace of another program lanes are GPUs, or without kernels threads: Compute are kernels
// that compute, or operators; Memory copies and memsets; Data and Host what the process that launched the GPU's work
// did while the GPU did nothing: its loader, its operators and calls. On threads Data goes before Compute, since
// loaders call operators. Of a trace with neither a lane's spans count by their categories, and mostly for Other.
//
// Times are int64 nanoseconds. Pure; any thread; n log n, and n where tracks are in order.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/words.h"
#include "profiler/analysis/statistics/counted_spans.h"

namespace lanelab {

enum class TimePart : std::uint8_t { Compute, Communication, Memory, Data, Host, Other, Idle };
inline constexpr std::size_t kTimePartCount = 7;
/// Communication is exposed: the lane computes nothing meanwhile.
constexpr std::array<Word<TimePart>, kTimePartCount> wordTable(TimePart) {
  return {{{TimePart::Compute, "compute"},
           {TimePart::Communication, "exposed_communication"},
           {TimePart::Memory, "memory"},
           {TimePart::Data, "data"},
           {TimePart::Host, "host"},
           {TimePart::Other, "other"},
           {TimePart::Idle, "idle"}}};
}

using PartTimes = std::array<Nanoseconds, kTimePartCount>;  ///< by TimePart

struct LaneTime {
  std::string name;
  Nanoseconds window = 0;
  PartTimes parts{};  ///< add up to the window
};

struct TimeOverview {
  std::vector<LaneTime> lanes;

  LaneTime sum() const;  ///< of all lanes, without a name
};

TimeOverview timeOverview(const Trace& trace, const ImportedTrace* imported, const LanesOfWork& work,
                          const CountedTimes& times);

/// A lane step by step.
struct LaneSteps {
  std::string name;
  std::vector<StepWindow> windows;
  std::vector<PartTimes> parts;  ///< by window, whose length they add up to
};

/// As timeOverview() of each step, in one pass over the spans. Of a trace without steps one window, of step -1.
std::vector<LaneSteps> laneTimesByStep(const Trace& trace, const ImportedTrace* imported, const LanesOfWork& work,
                                       const StepsOfTracks& steps);

}  // namespace lanelab
