// SPDX-License-Identifier: GPL-3.0-only
// What makes passes of a job begin late, though no pass is long: links between ranks that are slower than the others,
// ranks that wait for data, and ranks that begin their steps late.
//
// Each is judged by a replay of the passes without its time (PassTimes), step by step: it is named if the steps are at
// least 3 % shorter then. Links and starts must be so beyond the noise of the steps (boundOfMedian); data, whose waits
// are recorded, on average and in two steps. Times in seconds. Pure; any thread.
#pragma once

#include <optional>
#include <vector>

#include "profiler/analysis/slowdown/job_model.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// A transfer takes from the end of the pass that makes a value to the begin of the one that takes it, without what
/// either rank does meanwhile: until it is sent, until a receiver that waits already has it, and until that begins its
/// pass.
struct SlowLink {
  int from_lane = 0, to_lane = 0;
  double transfer = 0;  ///< median over the steps
  double usual = 0;     ///< the same of the job's links, of which the lower median counts
  double share = 0;     ///< of the step, that goes if it is as usual
};

struct DataWait {
  int lane = 0;
  double seconds = 0;  ///< mean over the steps that wait
  int steps = 0;       ///< that are at least 3 % longer by it
  double share = 0;    ///< of all steps, that goes without it
};

/// A rank that asks for its first input after that was sent, or a first rank that begins after its step before.
struct LateStart {
  int lane = 0;
  double seconds = 0;            ///< median over the steps, beyond what ranks usually need between two of them
  double share = 0;              ///< of the step, that goes if it begins in time
  std::optional<int> only_step;  ///< the first one, which it joined by more than a whole step late
};

struct LateWaits {
  int steps = 0;
  std::vector<SlowLink> links;  ///< the one that costs most first, as in all three
  std::vector<DataWait> data;
  std::vector<LateStart> starts;
};

/// `model` is that of the trace. Linear in passes and steps for each rank, for each link that is slower than others,
/// and n log n in the spans.
LateWaits lateWaits(const Trace& trace, const JobModel& model);

}  // namespace lanelab
