// SPDX-License-Identifier: GPL-3.0-only
// The cut of a chain of blocks that costs least, as whoever asks judges it: by a predicted step, or by what the exact
// partition (partition.h) minimises.
//
// All cuts are tried where they are few, else those that can be reached from a first one by moving one cut, or one
// block from any stage to any other, for as long as that helps; then the same from cuts near the best, a few of them
// moved at random (iterated local search, Lourenco et al. 2003). The same answer for the same question.
#pragma once

#include <functional>
#include <vector>

#include "base/ids.h"

namespace lanelab {

/// What a search asks of cuts (first block of each next stage). Pure functions.
struct CutJudge {
  /// Of a step; infinite for cuts that cannot be used.
  std::function<double(const std::vector<BlockId>& cuts)> seconds;
  /// How far they are above the memory of their lanes; 0: they fit. Null where no lane has a limit.
  std::function<double(const std::vector<BlockId>& cuts)> excess = nullptr;
};

struct FastestCut {
  std::vector<BlockId> cuts;
  double seconds = 0;      ///< infinite if none of those tried can be used
  int tried = 0;           ///< predictions made
  bool all_tried = false;  ///< no other cut into as many stages has a shorter prediction
};

/// Asks for at most `most` cuts, and always for `start`, which remains unless another one is shorter by more than
/// rounding. Ends after `restarts` that found nothing shorter. While none fits, cuts that are less above memory are
/// better; `seconds` is infinite if none was found that does, and the cuts are the nearest. Asserts that the cuts of
/// `start` are ascending and inside `blocks`.
FastestCut fastestCut(int blocks, const std::vector<BlockId>& start, const CutJudge& judge, int most,
                      int restarts = 10);

/// By more than rounding, which sums of the same times in another order differ by.
constexpr bool isShorter(double seconds, double than) { return seconds < than * (1 - 1e-9); }

}  // namespace lanelab
