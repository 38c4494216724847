// SPDX-License-Identifier: GPL-3.0-only
#include "engine/schedule/schedule_kind.h"

#include <array>

#include "engine/schedule/generate_parts.h"

namespace lanelab {
namespace {

constexpr std::array kRows = {
    ScheduleRow{.kind = ScheduleKind::Gpipe,
                .word = "gpipe",
                .title = "GPipe",
                .tip = "All forwards, then all backwards",
                .warm_up = WarmUp::None,
                .rows = gpipeRows},
    ScheduleRow{.kind = ScheduleKind::OneFOneB,
                .word = "1f1b",
                .title = "1F1B",
                .tip = "After a warm-up, forwards and backwards alternate: less memory than GPipe, equally idle",
                .warm_up = WarmUp::Given,
                .rows = oneForwardOneBackwardRows},
    ScheduleRow{.kind = ScheduleKind::InterleavedOneFOneB,
                .word = "interleaved-1f1b",
                .title = "Interleaved 1F1B",
                .tip = "1F1B with several stages per lane: less idle time, more transfers",
                .layout = StageLayout::RoundRobin,
                .warm_up = WarmUp::Given,
                .rows = interleavedRows},
    ScheduleRow{.kind = ScheduleKind::LoopedBfs,
                .word = "looped-bfs",
                .title = "Looped BFS",
                .tip = "GPipe with several stages per lane, stage by stage",
                .layout = StageLayout::RoundRobin,
                .warm_up = WarmUp::None,
                .rows = loopedBreadthFirstRows},
    ScheduleRow{.kind = ScheduleKind::ZbH1,
                .word = "zb-h1",
                .title = "ZB-H1",
                .tip = "1F1B with the weight part of each backward in its gaps; same memory as 1F1B",
                .warm_up = WarmUp::Given,
                .splits_backward = true,
                .rows = zeroBubbleRows},
    ScheduleRow{.kind = ScheduleKind::InterleavedZb,
                .word = "interleaved-zb",
                .title = "Interleaved ZB",
                .tip = "Interleaved 1F1B with the weight part of each backward in its gaps",
                .layout = StageLayout::RoundRobin,
                .splits_backward = true,
                .rows = interleavedZeroBubbleRows},
    ScheduleRow{.kind = ScheduleKind::ZbV,
                .word = "zb-v",
                .title = "ZB-V",
                .tip = "Two stages per lane in a V, with weight parts in the gaps",
                .layout = StageLayout::V,
                .splits_backward = true,
                .rows = zeroBubbleVRows},
    ScheduleRow{.kind = ScheduleKind::VHalf,
                .word = "v-half",
                .title = "V-Half",
                .tip = "A V with about half the activations of 1F1B, and little idle time",
                .layout = StageLayout::V,
                .splits_backward = true,
                .most_lanes = kMostVMemoryLanes,
                .rows = halfMemoryVRows},
    ScheduleRow{.kind = ScheduleKind::VMin,
                .word = "v-min",
                .title = "V-Min",
                .tip = "A V with about a third of the activations of 1F1B, and more idle time",
                .layout = StageLayout::V,
                .splits_backward = true,
                .most_lanes = kMostVMemoryLanes,
                .rows = thirdMemoryVRows},
    ScheduleRow{.kind = ScheduleKind::DualPipeV,
                .word = "dualpipe-v",
                .title = "DualPipeV",
                .tip = "DeepSeek's order for two stages per lane in a V; more activations than 1F1B",
                .layout = StageLayout::V,
                .splits_backward = true,
                .rows = dualPipeVRows},
    ScheduleRow{.kind = ScheduleKind::Hanayo,
                .word = "hanayo",
                .title = "Hanayo",
                .tip = "1F1B over stages that go down the lanes and back, in one or more waves",
                .layout = StageLayout::Waves,
                .warm_up = WarmUp::Given,
                .rows = waveRows},
    ScheduleRow{.kind = ScheduleKind::List,
                .word = "list",
                .title = "By stage times",
                .tip = "Generated from stage times and a memory limit, for any placement",
                .warm_up = WarmUp::Given,
                .splits_backward = true,
                .rows = listRows},
    ScheduleRow{
        .kind = ScheduleKind::Custom, .word = "custom", .title = "Edited", .tip = "The order in the Schedule pane"},
};

constexpr auto kWords = [] {
  std::array<Word<ScheduleKind>, kRows.size()> words{};
  for (std::size_t i = 0; i < kRows.size(); ++i) words[i] = {kRows[i].kind, kRows[i].word};
  return words;
}();

static_assert(
    [] {
      for (std::size_t i = 0; i < kRows.size(); ++i)
        if (static_cast<std::size_t>(kRows[i].kind) != i) return false;
      return true;
    }(),
    "rows are found by their place");

}  // namespace

std::span<const ScheduleRow> scheduleRows() { return kRows; }

const ScheduleRow& rowOf(ScheduleKind kind) { return kRows[static_cast<std::size_t>(kind)]; }

std::span<const Word<ScheduleKind>> wordTable(ScheduleKind) { return kWords; }

}  // namespace lanelab
