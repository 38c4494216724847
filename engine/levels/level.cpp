// SPDX-License-Identifier: GPL-3.0-only
#include "engine/levels/level.h"

#include "engine/schedule/generate.h"

namespace lanelab {
namespace {

constexpr StageTimes kLongInputPart = {2, 3, 1};

constexpr std::array kLevels = {
    Level{
        .key = "gpipe",
        .title = "GPipe",
        .lesson = "A batch is cut into micro-batches, so that lane 1 computes one of them while lane 0 computes the "
                  "next. All forwards (F) come first, then all backwards (B), which take twice as long.",
        .hints = {{"Lane 0 does both forwards without a pause, and lane 1 begins when 0F0 has ended.",
                   "The last lane decides: between its first forward and its last backward it should never be idle."}},
        .target = ScheduleKind::Gpipe,
        .beside = ScheduleKind::OneFOneB,
        .lanes = 2,
        .micro_batches = 2},
    Level{.key = "gpipe-4",
          .title = "GPipe on Four Lanes",
          .lesson = "While the pipeline fills and drains most lanes are idle: with four lanes and four micro-batches "
                    "for 43 % of the step. That bubble shrinks with more micro-batches, and grows with more lanes.",
          .hints = {{"Put all forwards on a lane before its first backward.",
                     "Backwards come in the order of their forwards: 3B0, then 2B0 and 3B1 at the same time."}},
          .target = ScheduleKind::Gpipe,
          .beside = ScheduleKind::OneFOneB,
          .lanes = 4,
          .micro_batches = 4},
    Level{.key = "1f1b",
          .title = "1F1B",
          .lesson =
              "GPipe stores the activations of every micro-batch until its backward, and here a lane has room for "
              "three. 1F1B takes as long: after a few forwards each lane does one backward, one forward in turn.",
          .hints = {{"Lane 0 begins with three forwards, lane 1 with two, lane 2 with one.",
                     "From then on put a backward first whenever it can start."}},
          .target = ScheduleKind::OneFOneB,
          .beside = ScheduleKind::Gpipe,
          .lanes = 3,
          .micro_batches = 5,
          .memory_limit = 3},
    Level{
        .key = "interleaved-1f1b",
        .title = "Interleaved 1F1B",
        .lesson = "Each lane has two stages of half the length, lane 0 the stages 0 and 2, so lane 1 begins after half "
                  "the time. The price is twice as many transfers and more stored activations.",
        .hints = {{"Lane 0 does 0F0, 0F1, 2F0, 2F1 and 0F2 before its first backward.",
                   "After its warm-up a lane does one backward, one forward in turn, two micro-batches of a stage at a "
                   "time."}},
        .target = ScheduleKind::InterleavedOneFOneB,
        .beside = ScheduleKind::OneFOneB,
        .lanes = 2,
        .stages_per_lane = 2,
        .micro_batches = 4,
        .memory_limit = 5},
    Level{.key = "split-backward",
          .title = "Split the Backward",
          .lesson = "A backward has an input part (I), for which the lane in front waits, and a weight part (W), for "
                    "which nothing waits. Weight parts fill the gaps that a whole backward leaves.",
          .hints = {{"An input part goes first whenever it can start: the other lane waits for it.",
                     "Lane 1 has no gap to fill, so its weight parts can wait; lane 0 has one unit of idle time."}},
          .target = ScheduleKind::ZbH1,
          .beside = ScheduleKind::OneFOneB,
          .lanes = 2,
          .micro_batches = 3,
          .splits_backward = true},
    Level{.key = "zb-h1",
          .title = "ZB-H1",
          .lesson = "An activation is stored until its weight part ends, so weight parts cannot be put off for ever. "
                    "ZB-H1 has a third of the bubble of 1F1B in the same memory.",
          .hints = {{"Begin as 1F1B does: three forwards on lane 0, two on lane 1, one on lane 2.",
                     "Lane 1 puts its weight parts off by one micro-batch, lane 2 by two."}},
          .target = ScheduleKind::ZbH1,
          .beside = ScheduleKind::OneFOneB,
          .lanes = 3,
          .micro_batches = 4,
          .splits_backward = true,
          .memory_limit = 3},
    Level{.key = "zb-h2",
          .title = "ZB-H2",
          .lesson =
              "Attention has no weights, so in a transformer weight parts are short: here F and I take two units, "
              "W one. They no longer fill the gaps of ZB-H1, but more forwards do, at more memory.",
          .hints = {{"Lane 0 begins with five forwards, lane 1 with three, lane 2 with one.",
                     "Put weight parts off by as many micro-batches as the lane's warm-up is shorter than that of lane "
                     "0."}},
          .target = ScheduleKind::ZbH1,
          .warm_up = 5,
          .beside = ScheduleKind::ZbH1,
          .lanes = 3,
          .micro_batches = 5,
          .times = kLongInputPart,
          .splits_backward = true,
          .memory_limit = 5},
    Level{.key = "zb-v",
          .title = "ZB-V",
          .lesson =
              "Stages go down the lanes and back: lane 0 has the first and the last, lane 1 the two between. If F, "
              "I and W take equally long, each lane is idle for one unit only, in the memory of 1F1B.",
          .hints = {{"Bring micro-batch 0 through all four stages as early as you can, so that 3I0 can start.",
                     "Lane 1 is the one to watch: from its first forward on it has no time to lose."}},
          .target = ScheduleKind::ZbV,
          .beside = ScheduleKind::Hanayo,
          .lanes = 2,
          .stages_per_lane = 2,
          .micro_batches = 3,
          .splits_backward = true,
          .memory_limit = 4}};

}  // namespace

std::span<const Level> levels() { return kLevels; }

std::vector<LaneId> lanesOfStages(const Level& level) {
  return lanesOfStages(level.target, level.stages(), level.lanes);
}

}  // namespace lanelab
