// SPDX-License-Identifier: GPL-3.0-only
// The nested spans of a trace, added up by the path of names that leads to them, as flame graphs show them: the frame
// of "conv1" in "forward, stage 0" has all such spans of all lanes, and is as wide as their time.
//
// Which spans count, counted_spans.h says. Actions count by phase and stage, since each has a name of its own. A span
// that ends after the one around it counts up to there, so that frames are never wider than their parents. Beyond
// kMostFrameDepth spans belong to the frame around them.
//
// Times are int64 nanoseconds. Pure; any thread; linear in the spans, besides the sorting of frames.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "profiler/analysis/statistics/counted_spans.h"

namespace lanelab {

inline constexpr std::size_t kMostFrameDepth = 64;

struct FlameFrame {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::uint64_t key = 0;         ///< FlameTree::nameOf() names it
  std::uint32_t parent = kNone;  ///< place in FlameTree::frames, before this one
  std::uint32_t depth = 0;
  std::uint64_t count = 0;
  Nanoseconds total = 0;
  Nanoseconds self = 0;  ///< in which no span within was open
  Nanoseconds left = 0;  ///< from the left edge of the graph; of one parent the largest frame is the first
  Nanoseconds longest = 0;
  SpanMatch longest_span;  ///< the first of several that are as long
  Category category = Category::Other;
  Phase phase = Phase::None;  ///< both of its first span
};

struct FlameTree {
  std::vector<FlameFrame> frames;  ///< parents before what they contain
  Nanoseconds total = 0;           ///< of the frames without a parent
  std::uint32_t depth = 0;         ///< number of levels

  /// "conv1", "forward, stage 0". The trace is that of the tree.
  static std::string nameOf(const Trace& trace, const FlameFrame& frame);
};

/// `within`: of this span alone, which is then the only frame without a parent. Nothing if the trace does not have the
/// step of `part`. Stopped: of what was counted so far, for nobody to look at.
std::optional<FlameTree> flameTree(const Trace& trace, const ImportedTrace* imported, const CountedPart& part = {},
                                   const std::optional<SpanMatch>& within = {}, const std::stop_token& stop = {});

}  // namespace lanelab
