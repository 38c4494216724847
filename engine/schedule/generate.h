// SPDX-License-Identifier: GPL-3.0-only
// Makes schedules by name.
//
// Over any placement of stages on lanes:
//   gpipe (Huang et al. 2019): all forwards, then all backwards in micro-batch order (PyTorch's order; torchgpipe runs
//   them in reverse). 1f1b (Narayanan et al. 2019, PipeDream; "non-interleaved" in Megatron-LM): stage s of S holds at
//   most S-s micro-batches. zb-h1 (Qi et al. 2023, Zero Bubble): 1f1b's order with the backward split in I and W. W is
//   put off by as many micro-batches as a stage
//     holds fewer than the first, so that no stage holds more than 1f1b's first; with a warm-up depth of 2S-1 it is
//     their ZB-H2.
//   list: greedy list scheduling from the stages' times within a memory limit; the best of a few rules and of zb-h1.
//   Where steps overlap, zb-h1 (whose warm-up depth is then chosen) and list (whose limit is) aim at the shortest
//   period instead of the shortest step, as their ZB-2p does.
// Each stage keeps its own order whatever lane it lies on; the stages of one lane are merged by a list simulation, so
// no placement can deadlock and one stage a lane gives exactly PyTorch's order
// (torch/distributed/pipelining/schedules.py).
//
// Over stages that go round p lanes (stage s on lane s mod p, a multiple of p stages):
//   interleaved-1f1b (Narayanan et al. 2021): PyTorch's order; where PyTorch refuses a number of micro-batches, the
//   rounds differ by one. looped-bfs (Lamy-Poirier 2022): stage by stage, all micro-batches. PyTorch runs a stage's
//   backwards from the last micro-batch on; here they
//     go in micro-batch order, at the same idle time and memory, so that gradients are summed as in every other
//     schedule, bit for bit.
//   interleaved-zb (Qi et al. 2023): PyTorch's ScheduleInterleavedZeroBubble, interleaved-1f1b with half the warm-up
//     and the backward split in I and W.
//
// Over 2p stages in a V on p lanes (stage s on lane min(s, 2p-1-s)):
//   zb-v (Qi et al. 2024): PyTorch's order. It knows nothing of times: without bubble only where F, I and W take
//   equally long. v-half and v-min (Qi et al. 2024, "Pipeline Parallelism with Controllable Memory"): a half and a
//   third of 1F1B's activations; orders of sail-sg/zero-bubble-pipeline-parallelism, zbv_greedy.py. dualpipe-v
//   (DeepSeek-AI 2025): PyTorch's ScheduleDualPipeV; the pairs that it overlaps go one after the other.
//
// Over 2pw stages in w waves, each a V (stage s where stage s mod 2p of a V is):
//   hanayo (Liu et al. 2023): the stages' orders of 1f1b, merged for backwards twice as long as forwards.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/window_kind.h"
#include "engine/placement/placement.h"
#include "engine/schedule/list_simulation.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/schedule_kind.h"

namespace lanelab {

/// Those that generateSchedule makes: all but Custom.
const std::vector<ScheduleKind>& knownSchedules();
/// Their names.
std::vector<std::string> knownScheduleNames();
/// Reads one of their names. BadInput names the nearest.
Result<ScheduleKind> parseScheduleName(const std::string& name);

/// How deep a pipeline is filled.
struct ScheduleLimits {
  /// 1f1b, zb-h1, interleaved-1f1b, hanayo: forwards of the first lane before its first backward; the last lane does as
  /// few as it can, those between in proportion. More than a lane can do is the most it can. list: most micro-batches
  /// that a stage holds, from F to W. None: the schedule's own, which for zb-h1 and list depends on the window.
  std::optional<int> warm_up = std::nullopt;
  /// list only: bytes that each stage holds of one micro-batch, and the most that a lane may hold. Both or none.
  std::vector<std::int64_t> stage_bytes = {};
  std::optional<std::int64_t> lane_bytes = std::nullopt;
  /// list only: as how much of a micro-batch one counts from I to W, 0 to 1. In transformers I frees the larger part
  /// (Qi et al. 2023 count 0.37 to 0.43).
  double held_after_input = 1;
};

/// The lane of each of `stages` stages: as layoutOf says if the number of stages allows it, else stage s on lane s mod
/// p.
std::vector<LaneId> lanesOfStages(ScheduleKind schedule, int stages, const std::vector<LaneId>& lanes);
/// The same on lanes 0 to `lanes` - 1.
std::vector<LaneId> lanesOfStages(ScheduleKind schedule, int stages, int lanes);
/// How many lanes so many stages have by default: one per stage, half as many for schedules that turn at the last lane.
int usualLanes(ScheduleKind schedule, int stages);
/// Whether the schedule is meant for more stages than lanes, laid out as lanesOfStages does.
bool goesRoundTheLanes(ScheduleKind schedule);

/// Whether generateSchedule would make it; costs next to nothing. BadInput says what is wrong and how to fix it.
Status checkScheduleRequest(ScheduleKind kind, const std::vector<LaneId>& lane_of_stage, int lanes, int micro_batches,
                            const ScheduleLimits& limits = {});

/// `lane_of_stage[s]` is the lane of stage s; `lanes` is how many rows the schedule has; `window` is the one that steps
/// run with: zb-h1 and list make a period shortest where steps overlap; `times`, one a stage or none
/// for "all alike", say which of its stages a lane should take first. Errors (BadInput): Custom, no stages, no
/// micro-batches, too many of either, a stage on a lane that does not exist, a placement or a limit that the schedule
/// is not defined for.
Result<Schedule> generateSchedule(ScheduleKind kind, const std::vector<LaneId>& lane_of_stage, int lanes,
                                  int micro_batches, WindowKind window, const std::vector<StageTimes>& times = {},
                                  const ScheduleLimits& limits = {});

}  // namespace lanelab
