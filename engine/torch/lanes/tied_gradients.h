// SPDX-License-Identifier: GPL-3.0-only
// Where stages that use one parameter meet in every step: their gradients are added up, so that their copies of it stay
// equal.
//
// As Megatron-LM's all-reduce of embedding gradients between the first and the last stage (Narayanan et al. 2021). The
// sum of all micro-batches of a stage is added to that of another stage, where one network on one lane adds up stage
// by stage within each micro-batch: the same number, rounded in another order.
#pragma once

#include <ATen/core/Tensor.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "engine/placement/tied_stages.h"

namespace lanelab {

/// Shared by the lanes of a variant; each call is made on the lane's thread of the stage that it names. Rounds are
/// steps, counted from 1 by every lane itself. What waits throws std::runtime_error once the room is closed.
class TiedGradients {
 public:
  explicit TiedGradients(TiedStages stages) : m_stages(std::move(stages)) {}

  const TiedStages& stages() const { return m_stages; }
  /// Before the lanes begin, and after a round that was not finished.
  void open();
  /// Wakes all that wait: a lane has left its round early.
  void close();

  /// After the stage's last backward of the round, on the host. The tensor stays as it is until the next round;
  /// undefined where the stage had no rows.
  void offer(const std::string& parameter, StageId stage, int round, at::Tensor gradient);
  /// The sum over all of its stages, in their order; undefined where none had rows.
  at::Tensor awaitSum(const std::string& parameter, int round);

 private:
  struct Offered {
    int round = 0;
    at::Tensor gradient;
  };

  const TiedStages m_stages;
  std::mutex m_mutex;  ///< guards all below
  std::condition_variable m_changed;
  bool m_closed = false;
  std::map<std::string, std::map<StageId, Offered>> m_offered;
};

}  // namespace lanelab
