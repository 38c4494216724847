// SPDX-License-Identifier: GPL-3.0-only
// The epochs of one repeat: means over the steps of each, and validation after it.
#pragma once

#include <optional>
#include <stop_token>

#include "engine/lanes/epoch_result.h"
#include "engine/torch/train/session_lanes.h"

namespace lanelab {

class EpochResults {
 public:
  /// `lanes` must outlive it.
  explicit EpochResults(SessionLanes& lanes) : m_lanes(lanes) {}

  /// Whether an epoch ends with this step; lanes meet there. Never without data.epochs.
  bool endsAt(int step) const;
  /// Adds a step to its epoch. After the epoch's last step, while no lane runs, it validates and returns the epoch's
  /// result. Cancelled if a stop was requested.
  Result<std::optional<EpochResult>> add(int step, double loss, const std::stop_token& stop);

 private:
  Status countCorrectAnswers(EpochResult& result);
  Status validate(EpochResult& result, const std::stop_token& stop);

  SessionLanes& m_lanes;
  double m_loss = 0;  ///< of the epoch so far, each step by its share of the rows
};

}  // namespace lanelab
