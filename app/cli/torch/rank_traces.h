// SPDX-License-Identifier: GPL-3.0-only
// One timeline of all processes of a run: each hands what it recorded to rank 0.
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "engine/dist/rank_ways.h"
#include "engine/run/runner.h"

namespace lanelab {

/// Every process makes one before the run, and the same calls in the same order.
class RankTraces {
 public:
  /// Reads the clocks for the first time.
  static Result<std::shared_ptr<RankTraces>> over(std::shared_ptr<RankWays> ways);

  /// For RunOptions::join_traces. Reads the clocks again; times between the two readings are moved by what lies between
  /// them.
  Result<RecordedTogether> join(std::shared_ptr<const Trace> own);

 private:
  explicit RankTraces(std::shared_ptr<RankWays> ways) : m_ways(std::move(ways)) {}

  std::shared_ptr<RankWays> m_ways;
  std::vector<ClockReading> m_clocks;  ///< as last read, by rank
};

}  // namespace lanelab
