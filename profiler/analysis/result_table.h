// SPDX-License-Identifier: GPL-3.0-only
// Where the result of an action is found by stage, direction and micro-batch, within one step.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "profiler/analysis/busy_pieces.h"
#include "profiler/trace/trace.h"

namespace lanelab {

/// What is known of a result that goes to another stage.
struct StageResult {
  std::uint32_t producer = kNoItem;
  Nanoseconds queued = kNever;  ///< when its transfers were queued, began and ended
  Nanoseconds sent = kNever;
  Nanoseconds arrived = kNever;
};

/// An array where stages times micro-batches are few for the step's actions, as in every real one; else a hash table,
/// so that odd numbers cost no memory.
class ResultTable {
 public:
  /// Empties it for a step with stages and micro-batches below these and `spans` actions and transfers.
  void begin(int stages, int micro_batches, std::size_t spans);

  /// Makes the entry where there is none. Stage and micro-batch lie within begin()'s.
  StageResult& entry(int stage, bool forward, int micro_batch);
  /// Null when there is none; any stage and micro-batch.
  const StageResult* find(int stage, bool forward, int micro_batch) const;

 private:
  std::size_t keyOf(int stage, bool forward, int micro_batch) const {
    return (static_cast<std::size_t>(stage) * static_cast<std::size_t>(m_micro_batches) +
            static_cast<std::size_t>(micro_batch)) *
               2 +
           (forward ? 1 : 0);
  }

  int m_stages = 0;
  int m_micro_batches = 0;
  bool m_dense = true;
  std::vector<std::uint32_t> m_dense_places;
  std::unordered_map<std::size_t, std::uint32_t> m_sparse_places;
  std::vector<StageResult> m_results;
};

}  // namespace lanelab
