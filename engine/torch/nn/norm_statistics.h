// SPDX-License-Identifier: GPL-3.0-only
// What becomes of the running statistics of batch norms in training.
#pragma once

namespace lanelab {

/// What a training forward does to a batch norm's running statistics.
enum class NormStatistics {
  MoveEachTime,  ///< PyTorch's: every micro-batch moves them
  Collect,       ///< stored by micro-batch until a commit moves them once, by the statistics of the whole batch
  LeaveAlone     ///< the forward repeats an earlier one
};

}  // namespace lanelab
